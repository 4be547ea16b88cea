/** `undo`: takes recorded changes back, each by a recorded write, so that an undo can be undone. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import type { WriteReceipt } from "../../src/builtin/recorder.ts";
import { NotUndoable, type NameState, type UndoneName, type UndoPlan, type UndoSought } from "../../src/builtin/undo-access.ts";
import { WriteRefused } from "../../src/builtin/write-refused.ts";
import { unifiedDiff, type DiffSide } from "../../src/compare/unified-diff.ts";
import { showName } from "../../src/display/visible.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { pathFromRoot, recordedPath } from "./recorded-path.ts";

const FLAGS = {
  dryRun: { kind: "switch", short: "n", help: "show what would change, as a diff, and change nothing" },
  force: { kind: "switch", short: "f", help: "take it back also where the file has changed since" },
} as const satisfies FlagTable;

export const undo = defineBuiltin({
  name: "undo",
  summary: "Take back the last change of this session, the change of a record, or the last change to a file; again: the one before.",
  standard: "https://github.com/shelpa/shelpa-mcp/blob/main/docs/audit.md",
  reference: "no other tool",
  operands: { kind: "values", max: 1 },
  flags: FLAGS,
  writes: true,
  needsSession: true,
  examples: [
    {
      command: "echo new | tee a >/dev/null; undo; cat a",
      files: { a: "old\n" },
      stdout: "restored a\nold\n",
      note: "everything that the command line wrote is taken back",
    },
    {
      command: "echo new | tee a >/dev/null; undo -n a",
      files: { a: "old\n" },
      stdout: "--- a\n+++ a\n@@ -1 +1 @@\n-new\n+old\n",
      note: "a file is an operand, or the record that history and the answer to a write name",
    },
  ],
  effects({ flags, operands: [operand] }) {
    if (flags.dryRun) return [];
    if (operand === undefined) return [{ kind: "recorded", record: undefined }];
    return [isRecord(operand) ? { kind: "recorded", record: operand, operand: 0 } : { kind: "write", path: operand, operand: 0 }];
  },
  async *run(invocation) {
    const { flags, undo: access, warn } = invocation;
    const { dryRun, force, ...others } = flags;
    allFlagsRead(others);
    if (access === undefined) {
      warn("there is no audit here");
      return 1;
    }
    try {
      const plan = access.plan(sought(invocation));
      const changed = plan.names.filter(({ state }) => state === "changed");
      for (const { path, state } of plan.names) {
        if (state === "held") warn(`${showName(path)} stays: it holds what came later`);
      }
      if (!plan.names.some(({ state }) => state === "as recorded" || state === "changed")) {
        const undone = plan.names.filter(({ state }) => state === "undone");
        if (undone.length > 0)
          warn(`${undone.map(({ path }) => showName(path)).join(", ")}: as before record ${plan.names[0]?.first} already`);
        return undone.length === plan.names.length ? 0 : 1;
      }
      if (dryRun) {
        for (const name of plan.names) if (name.state !== "held") yield* difference(name.now, name.before, name.path);
        for (const { path, last } of changed) warn(`${showName(path)} has changed since record ${last}`);
        return changed.length > 0 && !force ? 1 : 0;
      }
      if (changed.length > 0 && !force) return yield* refused(changed, plan.older, invocation);
      yield* told(plan, plan.carryOut());
      if (plan.others !== undefined) invocation.cursors?.note(othersText(plan.others));
      return 0;
    } catch (thrown) {
      if (thrown instanceof NotUndoable) warn(`${thrown.message}${countHint(invocation.operands[0])}`);
      else if (thrown instanceof FileError && REFUSALS.has(thrown.code)) throw new WriteRefused(thrown);
      else if (thrown instanceof FileError) warn(`${showName(thrown.path)}: ${thrown.message}`);
      else throw thrown;
      return 1;
    }
  },
});

/** For an operand that counts lines, as in other programs. */
const countHint = (operand = ""): string =>
  /^(?:last|all|\d{1,4})$/.test(operand) ? "; undo alone takes back one line, and undo again the one before" : "";

function othersText({ paths, record }: NonNullable<UndoPlan["others"]>): string {
  const [first = "", ...more] = paths;
  const names = `${showName(first)}${more.length === 0 ? "" : ` and ${more.length} more`}`;
  return `the same line changed ${names} too, and that stays; undo ${record} takes all of it back`;
}

/** Codes of what is not allowed here, and no error of the file's. */
const REFUSALS: ReadonlySet<string> = new Set([
  "PATH_ESCAPE",
  "SYMLINK_ESCAPE",
  "PROTECTED_PATH",
  "NEEDS_APPROVAL",
  "READ_ONLY",
  "AUDIT_UNAVAILABLE",
  "CONFLICT",
]);

/** Nanoseconds since the epoch, in this century. A file of such a name is `./NAME`. */
const isRecord = (operand: string): boolean => /^\d{18,22}$/.test(operand);

function sought(invocation: Invocation<typeof FLAGS>): UndoSought {
  const [operand] = invocation.operands;
  if (operand === undefined) return { kind: "last" };
  if (isRecord(operand)) return { kind: "record", id: operand };
  return { kind: "file", path: recordedPath(invocation, operand), orPath: pathFromRoot(operand) };
}

/** A line for each name: what it is now. */
function* told({ names }: UndoPlan, receipts: readonly WriteReceipt[]): Generator<Uint8Array, void> {
  const paths = new Set(receipts.map(({ path }) => path));
  const lines = names
    .filter(({ path }) => paths.has(path))
    .map(({ path, before }) => `${before.kind === "nothing" ? "removed" : "restored"} ${showName(path)}\n`);
  if (lines.length > 0) yield toBytes(lines.join(""));
}

/** Tells what has changed since, with what came after; nothing is changed. */
async function* refused(
  changed: readonly UndoneName[],
  older: string | undefined,
  { warn }: Invocation<typeof FLAGS>,
): AsyncGenerator<Uint8Array, 1> {
  for (const name of changed) {
    const past = older === undefined ? "" : `; undo ${older} takes back the line before`;
    warn(
      `${showName(name.path)} has changed since record ${name.last}; nothing was taken back (undo --force loses what came after it${past})`,
    );
    yield* difference(name.after, name.now, name.path);
  }
  return 1;
}

/** Longest file that is compared, in bytes. */
const MOST_COMPARED_BYTES = 4 << 20;

function* difference(from: NameState, to: NameState, path: string): Generator<Uint8Array, void> {
  const mode = changeOfMode(from, to, path);
  if (mode !== undefined) yield toBytes(`${mode}\n`);
  const told = otherChange(from, to, path);
  if (told !== undefined) {
    if (mode === undefined) yield toBytes(`${told}\n`);
    return;
  }
  const [old, now] = [from.content(), to.content()];
  const side = (content: Buffer | undefined): DiffSide => (content === undefined ? "/dev/null" : path);
  const isLong = [old, now].some((content) => (content?.length ?? 0) > MOST_COMPARED_BYTES);
  const sides = [side(old), side(now)] as const;
  const text = isLong
    ? toBytes(`${showName(path)}: too large to compare\n`)
    : unifiedDiff(old ?? Buffer.alloc(0), now ?? Buffer.alloc(0), sides);
  if (text.length > 0) yield text;
}

/** A sentence for permission bits that are not the same; undefined where they are, or do not matter. */
function changeOfMode(from: NameState, to: NameState, path: string): string | undefined {
  const [mode, other] = [from.permissions, to.permissions];
  if (from.kind !== to.kind || from.kind === "symlink" || mode === undefined || other === undefined || mode === other) return undefined;
  return `${showName(path)}: mode ${mode.toString(8)} became ${other.toString(8)}`;
}

/** A sentence for a change that is none of a file's bytes. */
function otherChange(from: NameState, to: NameState, path: string): string | undefined {
  const name = showName(path);
  if (from.kind === "directory" && to.kind === "directory") return `${name}: its mode and times`;
  if (from.kind === "directory" && to.kind === "nothing") return `${name}: a directory less`;
  if (to.kind === "directory") return `${name}: a directory${from.kind === "nothing" ? " more" : ""}`;
  if (to.kind === "symlink") return `${name}: a symbolic link to ${showName(to.content()?.toString("utf8") ?? "")}`;
  if (from.kind === "symlink" && to.kind === "nothing") return `${name}: a symbolic link less`;
  if (from.kind === "file" && to.kind === "file" && to.content() === undefined) return `${name}: its mode and times`;
  return undefined;
}
