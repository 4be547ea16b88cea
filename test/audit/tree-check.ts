/** Invariants of a workspace and its records, whatever happened to the writer. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileVersions } from "../../src/audit/mirror.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

interface Line {
  readonly kind: "preimage" | "intent" | "outcome" | "repair";
  readonly id: string;
  readonly path: string;
  /** Of an intent. */
  readonly mode?: string;
  readonly mirror: string;
  readonly content_offset: number;
  readonly content: { readonly bytes: number; readonly sha256: string };
  readonly after: { readonly bytes: number; readonly sha256: string } | null;
  readonly record_id: string;
  readonly result: "done" | "abandoned";
  readonly pending: number;
  readonly prev: string;
}

/** Tells whether the line is the intent of a file's change, and not of a directory's on the way to it. */
export const isFileIntent = ({ kind, mode }: Pick<Line, "kind" | "mode">): boolean => kind === "intent" && mode !== "make-directory";

export const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Right after a kill: each file is absent or exactly one of the states in `initial` or in the journal, and where it
 * is one of the journal's, the mirror holds that record's bytes. Gives what is wrong.
 */
export function checkKilled(root: string, files: readonly string[], initial: Readonly<Record<string, string>>): string[] {
  const wrong: string[] = [];
  const intents = journal(root).lines.filter((line) => line.kind === "intent");
  for (const file of files) {
    const path = `${root}/${file}`;
    if (!existsSync(path)) {
      const wasRemoved = intents.some((line) => line.path === file && line.after === null);
      if (initial[file] !== undefined && !wasRemoved) wrong.push(`${file} is gone`);
      continue;
    }
    const found = sha256(readFileSync(path));
    if (initial[file] !== undefined && found === sha256(initial[file])) continue;
    const record = intents.findLast((line) => line.path === file && line.after?.sha256 === found);
    if (record === undefined) {
      wrong.push(`${file} holds bytes without a record`);
      continue;
    }
    const mirrored = readFileSync(`${root}/${record.mirror}`).subarray(record.content_offset, record.content_offset + record.content.bytes);
    if (sha256(mirrored) !== record.content.sha256) wrong.push(`${file}: the mirror does not hold record ${record.id}`);
  }
  return wrong;
}

/**
 * After recovery: the chain holds, the last transaction is closed, each file is what its last outcome says, every
 * version can be read, and nothing temporary is left. Gives what is wrong.
 */
export function checkRecovered(root: string, files: readonly string[], initial: Readonly<Record<string, string>>): string[] {
  const wrong: string[] = [];
  const { lines, problems } = journal(root);
  wrong.push(...problems);
  // A pre-image whose intent was never journaled changed nothing.
  const last = lines.findLast((line) => line.kind === "intent" || line.kind === "outcome");
  if (last !== undefined && (last.kind !== "outcome" || last.pending !== 0)) wrong.push("the last transaction is open");
  let previous = 0n;
  for (const line of lines) {
    if (BigInt(line.id) <= previous) wrong.push(`id ${line.id} does not increase`);
    previous = BigInt(line.id);
  }
  for (const file of files) {
    const done = lines.findLast((line) => line.kind === "outcome" && line.path === file && line.result === "done");
    const first = initial[file] === undefined ? undefined : sha256(initial[file]);
    const expected = done === undefined ? first : done.after?.sha256;
    const found = existsSync(`${root}/${file}`) ? sha256(readFileSync(`${root}/${file}`)) : undefined;
    if (found !== expected) wrong.push(`${file} is not what its last outcome says`);
  }
  const workspace = Workspace.open(root);
  try {
    for (const { severity, code, path, detail } of verifyAudit(workspace).findings) {
      if (severity === "error" || code === "LEFTOVER" || code === "OPEN_TRANSACTION") wrong.push(`${code} ${path}: ${detail}`);
    }
    for (const file of files)
      if (existsSync(`${root}/.shelpa/@`)) for (const version of fileVersions(workspace.writer(), file)) version.read();
  } catch (thrown) {
    wrong.push(String(thrown));
  } finally {
    workspace.close();
  }
  for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (/\.shelpa-(new|old|spool)-|@\/lock/.test(entry)) wrong.push(`${entry} is left`);
  }
  return wrong;
}

/** The journal's lines, without the damaged ones, and what is wrong with its chain. A damaged line must be followed by a repair. */
export function journal(root: string): { readonly lines: readonly Line[]; readonly problems: readonly string[] } {
  const path = `${root}/.shelpa/@/journal.jsonl`;
  if (!existsSync(path)) return { lines: [], problems: [] };
  const text = readFileSync(path, "utf8");
  const raw = text.split("\n");
  const tail = raw.pop();
  const problems: string[] = tail === "" ? [] : ["the last line is not ended"];
  const lines: Line[] = [];
  let expected = "0".repeat(64);
  let damaged = false;
  for (const [index, piece] of raw.entries()) {
    let line: Line | undefined;
    try {
      line = JSON.parse(piece) as Line;
    } catch {
      damaged = true;
    }
    if (line !== undefined) {
      if (line.prev !== expected) problems.push(`line ${index + 1} is not chained`);
      if (damaged && line.kind !== "repair") problems.push(`line ${index} is damaged and not repaired`);
      damaged = false;
      lines.push(line);
    }
    expected = sha256(piece);
  }
  return { lines, problems };
}
