/**
 * tail --since: what was appended to each file since a cursor was given out. A file that was rotated meanwhile is read
 * to its end under its new name, if that is in the same directory, and then the new file from its start.
 */
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import type { FollowedFile } from "../../src/builtin/follow.ts";
import { lastLinesStart } from "./from-end.ts";
import { isStandardInput } from "../../src/builtin/inputs.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { canonicalOperand, identityOf, lookAt, openOrComplain, separatorEnd, type Look } from "./tail-rotation.ts";

export interface SinceRequest {
  /** "new", or a cursor. */
  readonly cursor: string;
  readonly separator: number;
  /** Of the first look: how much of what is there already. */
  readonly amount: { readonly unit: "lines" | "bytes"; readonly count: number };
  readonly hasHeaders: boolean | undefined;
}

/** Files of one cursor: each is looked at, and at its directory where it was rotated. */
const MOST_FILES = 32;

export async function* tailSince(invocation: Invocation, request: SinceRequest): AsyncGenerator<Uint8Array, ExitStatus> {
  const { cursors, operands, warn } = invocation;
  const { cursor } = request;
  if (cursors === undefined) {
    warn("--since: there is no session here to keep a cursor in");
    return 1;
  }
  const isNew = cursor === "new";
  const known = isNew ? [] : cursors.files(cursor);
  if (known === undefined) {
    warn(
      `cursor ${quoteAlways(cursor)} is not known (any more): a session keeps 16, each for an hour after its last use; begin again with --since new`,
    );
    return 1;
  }
  const names =
    operands.length === 0
      ? known.map(({ path }) => ({ operand: path, path }))
      : operands.map((operand) => ({ operand, path: canonicalOperand(invocation, operand) }));
  if (names.length === 0 || names.length > MOST_FILES || operands.some(isStandardInput)) {
    throw new UsageError("bad-value", `--since follows files that are named, at most ${MOST_FILES}`, { subject: cursor });
  }
  const looks: Look[] = [];
  let exit = 0;
  try {
    for (const name of names) {
      const before = known.find(({ path }) => path === name.path);
      if (!isNew && before === undefined) {
        warn(`cursor ${quoteAlways(cursor)} is not one of ${quoteAlways(name.operand)}; begin with --since new`);
        return 1;
      }
      const look =
        before === undefined ? firstLook(invocation, name, request) : lookAt(invocation, name.operand, before, request.separator);
      if (look.failed) exit = 1;
      looks.push(look);
    }
    if (
      cursors.put(
        [...looks.map(({ next }) => next), ...known.filter(({ path }) => !names.some((name) => name.path === path))],
        isNew ? undefined : cursor,
      ) === undefined
    ) {
      warn("--since: as many cursors as one call may give out are out");
      return 1;
    }
    for (const { note } of looks) if (note !== undefined) cursors.note(note);
    const shown = isNew ? looks.filter(({ failed }) => !failed) : looks.filter(({ pieces }) => pieces.length > 0);
    const hasHeaders = request.hasHeaders ?? names.length > 1;
    for (const [at, look] of shown.entries()) {
      if (hasHeaders) yield toBytes(`${at === 0 ? "" : "\n"}==> ${look.operand} <==\n`);
      try {
        yield* bytesOf(look, request.separator);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        warn(`error reading ${quoteAlways(look.operand)}: ${thrown.message}`);
        exit = 1;
      }
    }
    return exit;
  } finally {
    for (const { pieces, unread } of looks) for (const { file } of [...pieces, ...unread]) file.close();
  }
}

/** The end of what is there already, and a cursor behind its last whole line. */
function firstLook(
  { files, warn, limits, ...rest }: Invocation,
  { operand, path }: { readonly operand: string; readonly path: string },
  { amount, separator }: SinceRequest,
): Look {
  const nothing = new Uint8Array(0);
  const opened = openOrComplain({ ...rest, files, warn }, operand);
  const missing: FollowedFile = { path, device: 0n, inode: 0n, position: 0, first: nothing, last: nothing };
  if (opened === undefined) return { operand, pieces: [], unread: [], next: missing, failed: true, note: undefined };
  const end = separatorEnd(opened, 0, separator);
  const from =
    amount.unit === "bytes" ? Math.max(0, end - amount.count) : lastLinesStart(opened, amount.count, separator, limits.lineBytes, end);
  const pieces = from < end ? [{ file: opened, from, to: end }] : [];
  return {
    operand,
    pieces,
    unread: pieces.length === 0 ? [{ file: opened }] : [],
    next: identityOf(path, opened, end),
    failed: false,
    note: undefined,
  };
}

/** A line of the old file that has no end is ended, so that the new file begins a line. */
function* bytesOf({ pieces }: Look, separator: number): Generator<Uint8Array, void> {
  for (const [at, { file, from, to }] of pieces.entries()) {
    let left = to - from;
    let last = separator;
    for (const block of file.blocks(from)) {
      const taken = block.length > left ? block.subarray(0, left) : block;
      left -= taken.length;
      last = taken.at(-1) ?? last;
      yield taken;
      if (left === 0) break;
    }
    if (at < pieces.length - 1 && last !== separator) yield Uint8Array.of(separator);
  }
}
