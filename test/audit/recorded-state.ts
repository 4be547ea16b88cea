/** A tree as its journal says that it is, and what is wrong with the tree that is there. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { verifyAudit } from "../../src/audit/verify.ts";
import type { EntryState } from "../../src/audit/journal-lines.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { journal } from "./tree-check.ts";

/** A name with its kind, permission bits where they are known, and SHA-256 of its bytes or of its text. */
interface Known {
  readonly kind: string;
  readonly permissions?: number | undefined;
  readonly sha256?: string | undefined;
}

export type KnownTree = ReadonlyMap<string, Known>;

interface Outcome {
  readonly kind: string;
  readonly path: string;
  readonly result: string;
  readonly mode?: string;
  readonly new?: EntryState | null;
  readonly after: { readonly sha256: string } | null;
  readonly record_id: string;
}

interface Intent extends Outcome {
  readonly id: string;
  readonly transaction: string;
  readonly call: string;
  readonly command: string;
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Everything below `root` but the records. */
export function knownTree(root: string): KnownTree {
  const found = new Map<string, Known>();
  const add = (below: string): void => {
    for (const name of readdirSync(`${root}/${below}`)) {
      const path = `${below}${name}`;
      if (path === ".shelpa") continue;
      const status = lstatSync(`${root}/${path}`);
      const permissions = status.mode & 0o7777;
      if (status.isSymbolicLink()) found.set(path, { kind: "symlink", sha256: sha256(readlinkSync(`${root}/${path}`)) });
      else if (!status.isDirectory()) found.set(path, { kind: "file", permissions, sha256: sha256(readFileSync(`${root}/${path}`)) });
      else {
        found.set(path, { kind: "directory", permissions });
        add(`${path}/`);
      }
    }
  };
  add("");
  return found;
}

/** The tree after the done changes of the journal, without those of the call `but`. */
export function recordedTree(root: string, initial: KnownTree, but?: string): KnownTree {
  const known = new Map(initial);
  const intents = new Map(intentsOf(root).map((intent) => [intent.id, intent]));
  for (const outcome of linesOf(root)) {
    if (outcome.kind !== "outcome" || outcome.result !== "done" || intents.get(outcome.record_id)?.call === but) continue;
    const state = stateAfter(outcome, known.get(outcome.path));
    if (state === undefined) known.delete(outcome.path);
    else known.set(outcome.path, state);
  }
  return known;
}

function stateAfter({ mode, new: state, after }: Outcome, before: Known | undefined): Known | undefined {
  // A write by tee, which keeps the permission bits.
  if (state === undefined) return after === null ? undefined : { kind: "file", permissions: before?.permissions, sha256: after.sha256 };
  if (state === null) return undefined;
  const { kind, permissions } = state;
  if (kind === "symlink") return { kind, sha256: after?.sha256 };
  if (kind === "directory") return { kind, permissions };
  return { kind, permissions, sha256: mode === "attributes" ? before?.sha256 : after?.sha256 };
}

const linesOf = (root: string): readonly Outcome[] => journal(root).lines as unknown as readonly Outcome[];
const intentsOf = (root: string): readonly Intent[] =>
  linesOf(root).filter(({ kind }) => kind === "intent") as unknown as readonly Intent[];

/** Call of the last done record; undefined where there is none. */
export function lastCall(root: string): string | undefined {
  const done = new Set(linesOf(root).flatMap((line) => (line.kind === "outcome" && line.result === "done" ? [line.record_id] : [])));
  return intentsOf(root).findLast(({ id }) => done.has(id))?.call;
}

/** Names that are not as they should be. Permission bits that are not known are not compared. */
export function differencesOf(now: KnownTree, wanted: KnownTree): readonly string[] {
  return [...new Set([...now.keys(), ...wanted.keys()])].flatMap((path) => {
    const [is, should] = [now.get(path), wanted.get(path)];
    const isSame = is?.kind === should?.kind && is?.sha256 === should?.sha256;
    const isMode = should?.permissions === undefined || is?.permissions === should.permissions;
    return isSame && isMode ? [] : [`${path}: ${JSON.stringify(is)}, and not ${JSON.stringify(should)}`];
  });
}

/**
 * After recovery: the tree is the recorded one, each transaction is done or abandoned as a whole, the chain holds, and nothing
 * temporary is left. Gives what is wrong.
 */
export function wrongAfterRecovery(root: string, initial: KnownTree): readonly string[] {
  const wrong = [...differencesOf(knownTree(root), recordedTree(root, initial)), ...journal(root).problems];
  const results = new Map(linesOf(root).flatMap((line) => (line.kind === "outcome" ? [[line.record_id, line.result] as const] : [])));
  const ends = new Map<string, Set<string>>();
  for (const { id, transaction } of intentsOf(root)) {
    const each = ends.get(transaction) ?? new Set();
    ends.set(transaction, each.add(results.get(id) ?? "open"));
  }
  for (const [transaction, each] of ends) if (each.size > 1 || each.has("open")) wrong.push(`${transaction}: ${[...each].join(" and ")}`);
  const store = `${root}/.shelpa/@`;
  // Not by a recursive listing of Node, which follows symbolic links.
  for (const name of [...knownTree(root).keys(), ...(existsSync(store) ? readdirSync(store) : [])]) {
    if (/\.shelpa-(new|spool)-|^lock/.test(name)) wrong.push(`${name} is left`);
  }
  const workspace = Workspace.open(root);
  try {
    for (const { severity, code, path, detail } of verifyAudit(workspace).findings) {
      if (severity === "error" || code === "LEFTOVER" || code === "OPEN_TRANSACTION") wrong.push(`${code} ${path}: ${detail}`);
    }
  } finally {
    workspace.close();
  }
  return wrong;
}
