/** Changes gathered to hunks, with the lines around them, as git's unified diff has them. */
import type { Change } from "../../../src/compare/changes.ts";
import { lineEnd, type LineText } from "../../../src/compare/line-text.ts";
import { compilePosix } from "../../../src/regex/posix-matcher.ts";
import { toWord } from "../objects/byte-text.ts";
import type { DiffSettings } from "./diff-options.ts";
import { lineChanges } from "./line-changes.ts";
import type { Print } from "./patch.ts";
import type { FunctionLine } from "./userdiff.ts";

/** A change that may not count: of blank lines alone, or of lines that -I names. */
export interface MarkedChange extends Change {
  readonly isIgnored: boolean;
}

export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** Text behind the second `@@`; "" for nothing. */
  readonly functionText: string;
  readonly changes: readonly Change[];
}

export function markedChanges(
  old: LineText,
  now: LineText,
  { changes, ignoresBlank, ignoredLines }: DiffSettings,
): readonly MarkedChange[] {
  const found = lineChanges(old, now, changes);
  if (!ignoresBlank && ignoredLines.length === 0) return found.map((change) => ({ ...change, isIgnored: false }));
  const matchers = ignoredLines.map((pattern) => compilePosix([toWord(pattern)], { syntax: "extended" }));
  // Git's pattern sees the newline too, and the empty text behind it.
  const matchesNothing = matchers.some((matcher) => matcher.test(Buffer.alloc(0), 0, 0));
  // A line is blank where the rule for white space leaves nothing of it; without one, where it is empty.
  const isLoose = changes.rule.whiteSpace.kind !== "exact";
  const isBlank = (text: LineText, line: number): boolean => {
    for (let at = text.starts[line] as number; at < lineEnd(text, line); at++) {
      const byte = text.bytes[at] as number;
      if (!isLoose || !(byte === 32 || (byte >= 9 && byte <= 13))) return false;
    }
    return true;
  };
  const isMatched = (text: LineText, line: number): boolean =>
    matchers.some((matcher) => matcher.test(text.bytes, text.starts[line] as number, lineEnd(text, line))) ||
    (matchesNothing && text.bytes[lineEnd(text, line)] === 10);
  const all = (test: (text: LineText, line: number) => boolean, { oldFrom, removed, newFrom, added }: Change): boolean => {
    for (let line = oldFrom; line < oldFrom + removed; line++) if (!test(old, line)) return false;
    for (let line = newFrom; line < newFrom + added; line++) if (!test(now, line)) return false;
    return true;
  };
  return found.map((change) => ({
    ...change,
    isIgnored: (ignoresBlank && all(isBlank, change)) || (matchers.length > 0 && all(isMatched, change)),
  }));
}

interface HunkOptions {
  readonly context: number;
  readonly interHunk: number;
  readonly functionContext: boolean;
  readonly functionLine: FunctionLine;
}

/** The hunks in order. Changes that do not count are in them only where they stand near others. */
export function hunksOf(old: LineText, now: LineText, changes: readonly MarkedChange[], options: HunkOptions): Hunk[] {
  const { context, functionContext, functionLine } = options;
  const hunks: Hunk[] = [];
  let functionText = "";
  let searched = 0;
  for (let next = 0; next < changes.length; ) {
    const run = nextRun(changes, next, options);
    if (run === undefined) break;
    let [first, last] = run;
    let oldFrom = 0;
    let newFrom = 0;
    for (let again = true; again; ) {
      again = false;
      const begin = changes[first] as MarkedChange;
      oldFrom = Math.max(0, begin.oldFrom - context);
      newFrom = Math.max(0, begin.newFrom - context);
      if (!functionContext || isNewFunction(old, now, begin, functionLine)) continue;
      const from = functionStart(old, Math.min(begin.oldFrom, old.lineCount - 1), functionLine);
      if (from >= oldFrom) continue;
      newFrom = Math.max(0, newFrom - (oldFrom - from));
      oldFrom = from;
      // It may reach up into a change that does not count; that is then shown.
      let shown = next;
      while (shown < first) {
        const change = changes[shown] as MarkedChange;
        if (change.oldFrom + change.removed > oldFrom || change.newFrom + change.added > newFrom) break;
        shown++;
      }
      if (shown === first) continue;
      first = shown;
      again = true;
    }
    let oldTo = 0;
    let newTo = 0;
    for (let again = true; again; ) {
      again = false;
      const end = changes[last] as MarkedChange;
      const oldEnd = end.oldFrom + end.removed;
      const newEnd = end.newFrom + end.added;
      const after = Math.min(context, old.lineCount - oldEnd, now.lineCount - newEnd);
      oldTo = oldEnd + after;
      newTo = newEnd + after;
      if (!functionContext) continue;
      const to = functionEnd(old, oldEnd, functionLine);
      if (to > oldTo) {
        newTo = Math.min(newTo + (to - oldTo), now.lineCount);
        oldTo = to;
      }
      const following = changes[last + 1];
      if (following === undefined) continue;
      const line = Math.min(following.oldFrom, old.lineCount - 1);
      if (line - context <= oldTo || !hasFunctionBetween(old, line, oldTo, functionLine)) {
        last++;
        again = true;
      }
    }
    for (let line = oldFrom - 1; line >= searched; line--) {
      const found = functionLine(old, line);
      if (found === undefined) continue;
      functionText = found;
      break;
    }
    searched = Math.max(searched, oldFrom);
    hunks.push({ oldFrom, oldTo, newFrom, newTo, functionText, changes: changes.slice(first, last + 1) });
    next = last + 1;
  }
  return hunks;
}

/** The changes, from `from` on, that one hunk shows: the indices of the first and the last. */
function nextRun(changes: readonly MarkedChange[], from: number, { context, interHunk }: HunkOptions): [number, number] | undefined {
  const mostCommon = 2 * context + interHunk;
  const gap = (at: number): number => {
    const [change, next] = [changes[at] as MarkedChange, changes[at + 1] as MarkedChange];
    return next.oldFrom - (change.oldFrom + change.removed);
  };
  let first = from;
  for (let at = from; at < changes.length && changes[at]?.isIgnored === true; at++) {
    if (at + 1 >= changes.length) return undefined;
    if (gap(at) >= context) first = at + 1;
  }
  let last = first;
  let ignored = 0;
  for (let at = first; at + 1 < changes.length; at++) {
    const next = changes[at + 1] as MarkedChange;
    const distance = gap(at);
    if (distance > mostCommon) break;
    if (distance < context && (!next.isIgnored || last === at)) {
      last = at + 1;
      ignored = 0;
    } else if (distance < context && next.isIgnored) ignored += next.added;
    else if (last !== at) {
      const { oldFrom, removed } = changes[last] as MarkedChange;
      if (next.oldFrom + ignored - (oldFrom + removed) > mostCommon) break;
      if (next.isIgnored) ignored += next.added;
      else {
        last = at + 1;
        ignored = 0;
      }
    } else if (!next.isIgnored) {
      last = at + 1;
      ignored = 0;
    } else ignored += next.added;
  }
  return [first, last];
}

/** Lines added at the end that hold a function of their own need none of the lines before them. */
function isNewFunction(old: LineText, now: LineText, { oldFrom, newFrom }: Change, functionLine: FunctionLine): boolean {
  if (oldFrom < old.lineCount) return false;
  for (let line = newFrom; line < now.lineCount; line++) if (functionLine(now, line) !== undefined) return true;
  return false;
}

const isEmptyLine = (text: LineText, line: number): boolean =>
  /^[ \t-\r]*$/.test(text.bytes.toString("latin1", text.starts[line] as number, lineEnd(text, line)));

/** First line of the function that contains `from`, with the lines that stand directly above it. */
function functionStart(text: LineText, from: number, functionLine: FunctionLine): number {
  let line = from;
  while (line >= 0 && functionLine(text, line) === undefined) line--;
  while (line > 0 && !isEmptyLine(text, line - 1) && functionLine(text, line - 1) === undefined) line--;
  return Math.max(0, line);
}

function functionEnd(text: LineText, from: number, functionLine: FunctionLine): number {
  let line = from;
  while (line < text.lineCount && functionLine(text, line) === undefined) line++;
  if (line >= text.lineCount) return text.lineCount;
  while (line > 0 && isEmptyLine(text, line - 1)) line--;
  return line;
}

function hasFunctionBetween(text: LineText, from: number, limit: number, functionLine: FunctionLine): boolean {
  const step = from > limit ? -1 : 1;
  for (let line = from; line !== limit && line >= 0 && line < text.lineCount; line += step)
    if (functionLine(text, line) !== undefined) return true;
  return false;
}

export function hunkHeader({ oldFrom, oldTo, newFrom, newTo, functionText }: Hunk): string {
  const [shown = ""] = WHOLE_CHARACTERS.exec(functionText) ?? [];
  return `@@ -${span(oldFrom, oldTo)} +${span(newFrom, newTo)} @@${functionText === "" ? "" : ` ${shown}`}\n`;
}

/** The beginning of a byte string that is well-formed UTF-8: git ends a header before a character that is cut off, or is none. */
const WHOLE_CHARACTERS =
  /^(?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xef(?!\xbf[\xbe\xbf])[\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*/;

function span(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? String(from + 1) : `${count === 0 ? from : from + 1},${count}`;
}

/**
 * The lines of a hunk in order: what both have, what went, what came. `line` is that of the new text, or of the old
 * where it went: what counts as the same is shown as it is now.
 */
export function eachLine(hunk: Hunk, see: (kind: "same" | "removed" | "added", line: number) => void): void {
  let at = hunk.newFrom;
  for (const { oldFrom, removed, newFrom, added } of hunk.changes) {
    for (; at < newFrom; at++) see("same", at);
    for (let line = oldFrom; line < oldFrom + removed; line++) see("removed", line);
    for (; at < newFrom + added; at++) see("added", at);
  }
  for (; at < hunk.newTo; at++) see("same", at);
}

/** A line of the text with its newline, or with git's note that it has none. */
export function lineOf(text: LineText, line: number): string {
  const end = text.starts[line + 1] as number;
  const content = text.bytes.toString("latin1", text.starts[line] as number, end);
  return text.bytes[end - 1] === 10 ? content : `${content}\n\\ No newline at end of file\n`;
}

/** All that was, and all that is: of a file that was written anew. */
export function printRewrite(old: LineText, now: LineText, { marks, hidesDeleted }: DiffSettings, print: Print): void {
  const count = ({ lineCount }: LineText): string => (lineCount === 0 ? "0,0" : lineCount === 1 ? "1" : `1,${lineCount}`);
  const lines = (text: LineText, mark: string): string =>
    Array.from({ length: text.lineCount }, (_, line) => mark + lineOf(text, line)).join("");
  print(`@@ -${hidesDeleted ? "?,?" : count(old)} +${count(now)} @@\n`);
  if (!hidesDeleted) print(lines(old, marks.removed));
  print(lines(now, marks.added));
}

export function printHunks(old: LineText, now: LineText, hunks: readonly Hunk[], marks: DiffSettings["marks"], print: Print): void {
  for (const hunk of hunks) {
    let out = hunkHeader(hunk);
    eachLine(hunk, (kind, line) => {
      out += kind === "removed" ? marks.removed + lineOf(old, line) : (kind === "same" ? marks.context : marks.added) + lineOf(now, line);
      if (out.length > 65_536) {
        print(out);
        out = "";
      }
    });
    print(out);
  }
}
