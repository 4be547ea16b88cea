/** Reads a hunk of a context diff. */
import type { Hunk } from "./hunk.ts";
import { checkLines, malformed } from "./malformed.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchLines } from "./patch-lines.ts";

interface Part {
  readonly first: number;
  readonly count: number;
  /** Undefined where the diff left them out, because nothing is changed on this side. */
  readonly entries: readonly Entry[] | undefined;
}

interface Entry {
  readonly mark: string;
  readonly line: Buffer;
}

const OLD_RANGE = /^\*\*\* (\d+)(?:,(\d+))?(?: \*+)?\r?\n$/;
const NEW_RANGE = /^--- (\d+)(?:,(\d+))?(?: -+)?\r?\n$/;

/** The hunk at hand; undefined where none begins. Throws PatchError for a malformed one. */
export function contextHunk(lines: PatchLines): Hunk | undefined {
  const before = lines.place;
  const stars = lines.next();
  if (stars === undefined || !stars.subarray(0, 8).equals(STARS)) {
    lines.place = before;
    return undefined;
  }
  const old = readPart(lines, OLD_RANGE, "-!");
  const now = readPart(lines, NEW_RANGE, "+!");
  const oldEntries = old.entries ?? contextOf(now);
  const newEntries = now.entries ?? contextOf(old);
  if (oldEntries.length !== old.count || newEntries.length !== now.count)
    throw new PatchError(`context mangled in hunk at line ${before.lineNumber + 1}`);
  const changed = [...oldEntries, ...newEntries].some(({ mark }) => mark !== " ");
  if (!changed) throw malformed(lines, stars);
  const contexts = [oldEntries, newEntries].filter((entries) => entries.some(({ mark }) => mark !== " "));
  return {
    old: { first: old.first, marks: oldEntries.map(({ mark }) => mark).join(""), lines: oldEntries.map(({ line }) => line) },
    new: { first: now.first, marks: newEntries.map(({ mark }) => mark).join(""), lines: newEntries.map(({ line }) => line) },
    prefixContext: Math.min(...contexts.map((entries) => entries.findIndex(({ mark }) => mark !== " "))),
    suffixContext: Math.min(...contexts.map((entries) => entries.length - 1 - entries.findLastIndex(({ mark }) => mark !== " "))),
  };
}

function readPart(lines: PatchLines, range: RegExp, changes: string): Part {
  const head = lines.next();
  if (head === undefined) throw new PatchError(`unexpected end of file in patch at line ${lines.lineNumber}`);
  const found = range.exec(head.toString("latin1"));
  if (found === null) throw malformed(lines, head);
  const from = Number(found[1]);
  const to = found[2] === undefined ? from : Number(found[2]);
  // `*** 0` and `*** 5,4`: no lines.
  const count = found[2] === undefined ? (from === 0 ? 0 : 1) : to - from + 1;
  if (count < 0 || from > 2 ** 52) throw malformed(lines, head);
  checkLines(count);
  const entries: Entry[] = [];
  while (entries.length < count) {
    const place = lines.place;
    const line = lines.next();
    const mark = line === undefined ? "" : String.fromCharCode(line[0] as number);
    const isMarked = line !== undefined && (line[1] === 0x20 || line[1] === 0x09) && ` ${changes}`.includes(mark);
    const isEmpty = line !== undefined && line.length === 1;
    if (line === undefined || (!isMarked && !isEmpty)) {
      if (entries.length > 0 && line !== undefined) throw malformed(lines, line);
      lines.place = place;
      break;
    }
    // `--- 1,5 ----` behind a part that was left out.
    if (entries.length === 0 && changes === "-!" && NEW_RANGE.test(line.toString("latin1"))) {
      lines.place = place;
      break;
    }
    const text = isEmpty ? line : line.subarray(2);
    entries.push({
      mark: isEmpty ? " " : mark,
      line: entries.length + 1 === count && lines.skipsIncomplete() ? text.subarray(0, -1) : text,
    });
  }
  return { first: count === 0 ? from + 1 : from, count, entries: entries.length === 0 && count > 0 ? undefined : entries };
}

/** The lines that the other side has as well. */
const contextOf = ({ entries }: Part): readonly Entry[] => (entries ?? []).filter(({ mark }) => mark === " ");

const STARS = Buffer.from("********");
