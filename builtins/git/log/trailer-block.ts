/** The block of trailers in a message or a mail, with what stands before and behind it (git-interpret-trailers(1)). */
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import { withoutOuterSpace } from "../objects/byte-text.ts";

/** A trailer; without a key: another line of the block. */
export interface Line {
  readonly key: string | undefined;
  /** Folded lines with their newlines. */
  readonly value: string;
}

export interface BlockLine extends Line {
  /** With its newlines. */
  readonly text: string;
}

export interface TrailerBlock {
  readonly start: number;
  readonly end: number;
  /** An empty line is before it. */
  readonly hasGap: boolean;
  /** Comments too. */
  readonly lines: readonly BlockLine[];
}

/** The character that begins a comment in a message. Throws GitError. */
export function commentMark(config: Config): string {
  const mark = config.get("core.commentchar") ?? "#";
  if (mark.toLowerCase() === "auto") return "#";
  if (mark.length !== 1) throw new GitError("core.commentChar should only be one ASCII character", { prefix: "error: " });
  return mark;
}

/** `mark`: of comments. `hasDivider`: a patch follows after `---`. */
export function readBlock(text: string, mark: string, hasDivider: boolean): TrailerBlock {
  const lines = linesOf(text);
  const divider = hasDivider ? lines.findIndex(({ line }) => /^---[\t-\r ]/.test(line)) : -1;
  const before = divider < 0 ? lines : lines.slice(0, divider);
  const message = before.slice(0, countWithoutTail(before, mark));
  const first = message[firstTrailer(message, mark)];
  const end = endOf(message.at(-1));
  const start = first?.at ?? end;
  const above = before.findLast(({ at }) => at < start);
  return {
    start,
    end,
    hasGap: above !== undefined && isBlank(above.line),
    lines: taken(message.filter(({ at }) => at >= start)),
  };
}

interface PlacedLine {
  readonly at: number;
  /** With its newline. */
  readonly line: string;
}

const endOf = (line: PlacedLine | undefined): number => (line === undefined ? 0 : line.at + line.line.length);

function linesOf(text: string): PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push({ at, line: text.slice(at, end) });
    at = end;
  }
  return lines;
}

const isBlank = (line: string): boolean => /^[\t-\r ]*$/.test(line);

/** Lines of the message without comments, empty lines and a list of conflicts at its end. */
function countWithoutTail(lines: readonly PlacedLine[], mark: string): number {
  const cut = lines.findIndex(({ line }) => line === `${mark} ------------------------ >8 ------------------------\n`);
  const most = cut < 0 ? lines.length : cut;
  let tail: number | undefined;
  let isInConflicts = false;
  for (let at = 0; at < most; at++) {
    const { line } = lines[at] as PlacedLine;
    // The first line begins no tail.
    if (line.startsWith(mark) || line === "\n") tail ??= at || undefined;
    else if (line === "Conflicts:\n") {
      isInConflicts = true;
      tail ??= at || undefined;
    } else if (!(isInConflicts && line.startsWith("\t"))) {
      tail = undefined;
      isInConflicts = false;
    }
  }
  return tail ?? most;
}

const TRAILER = /^([A-Za-z0-9-]+[ \t]*):([^]*)$/;
const OF_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;

/** Index of the block's first line; the number of lines where there is none. */
function firstTrailer(lines: readonly PlacedLine[], mark: string): number {
  let title = lines.findIndex(({ line }) => !line.startsWith(mark) && isBlank(line));
  if (title < 0) title = lines.length;
  let onlyBlank = true;
  let isOfGit = false;
  let trailers = 0;
  let others = 0;
  let folded = 0;
  for (let at = lines.length - 1; at >= title; at--) {
    const { line } = lines[at] as PlacedLine;
    if (line.startsWith(mark)) {
      others += folded;
      folded = 0;
    } else if (isBlank(line)) {
      if (onlyBlank) continue;
      others += folded;
      return (isOfGit && trailers * 3 >= others) || (trailers > 0 && others === 0) ? at + 1 : lines.length;
    } else {
      onlyBlank = false;
      if (OF_GIT.test(line) || TRAILER.test(line)) {
        isOfGit ||= OF_GIT.test(line);
        trailers++;
        folded = 0;
      } else if (/^[\t-\r ]/.test(line)) folded++;
      else {
        others += 1 + folded;
        folded = 0;
      }
    }
  }
  return lines.length;
}

function taken(lines: readonly PlacedLine[]): BlockLine[] {
  const whole: string[] = [];
  let goesOn = false;
  for (const { line } of lines) {
    if (goesOn && /^[\t-\r ]/.test(line)) whole.push((whole.pop() ?? "") + line);
    else {
      whole.push(line);
      goesOn = TRAILER.test(line);
    }
  }
  return whole.map((text) => {
    const [, key, value = ""] = TRAILER.exec(text) ?? [];
    return key === undefined
      ? { key, value: text.replace(/\n$/, ""), text }
      : { key: withoutOuterSpace(key), value: withoutOuterSpace(value), text };
  });
}

/** The same with its value on one line. */
export const unfolded = (line: Line): Line =>
  line.key === undefined ? line : { ...line, value: withoutOuterSpace(line.value.replace(/\n[\t-\r ]*/g, " ")) };
