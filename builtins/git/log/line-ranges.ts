/** `-L` of git blame and git log: `N,M`, `N,+COUNT`, `N,-COUNT`, `/RE/,/RE/`, `^/RE/`, `:FUNCTION`. */
import { strtol } from "../../../src/numbers/strtol.ts";
import { lineEnd, type LineText } from "../../../src/compare/line-text.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";
import { toWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import type { FunctionLine } from "../diff/userdiff.ts";

export interface LineRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The ranges in order, joined where they touch. Throws GitError. `malformed` is what a range that cannot be read is told. */
export function readRanges(
  typed: readonly string[],
  text: LineText,
  path: string,
  functionLine: FunctionLine,
  malformed: (range: string) => GitError,
): LineRange[] {
  const lines = text.lineCount;
  const ranges: LineRange[] = [];
  let anchor = 1;
  for (const word of typed) {
    const found = new RangeReader(text, functionLine, malformed(word)).read(word, Math.min(Math.max(anchor, 1), lines + 1));
    let [bottom, top] = found;
    if ((lines === 0 && (top > 0 || bottom > 0)) || lines < bottom)
      throw new GitError(`file ${path} has only ${lines} line${lines === 1 ? "" : "s"}`);
    bottom = Math.max(bottom, 1);
    if (top < 1 || lines < top) top = lines;
    ranges.push({ from: bottom - 1, to: top });
    anchor = top + 1;
  }
  ranges.sort((a, b) => a.from - b.from);
  const joined: LineRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

class RangeReader {
  readonly #text: LineText;
  readonly #functionLine: FunctionLine;
  readonly #malformed: GitError;

  constructor(text: LineText, functionLine: FunctionLine, malformed: GitError) {
    this.#text = text;
    this.#functionLine = functionLine;
    this.#malformed = malformed;
  }

  read(typed: string, anchor: number): [number, number] {
    if (/^\^?:/.test(typed)) return this.#function(typed, anchor);
    const [begin, rest] = this.#place(typed, -anchor);
    let end = 0;
    let left = rest;
    if (left.startsWith(",")) [end, left] = this.#place(left.slice(1), begin + 1);
    if (left !== "") throw this.#malformed;
    return begin > 0 && end > 0 && end < begin ? [end, begin] : [begin, end];
  }

  /** A place and what follows it. `begin`: where the first place is (from 1), or negative where searches begin. */
  #place(typed: string, begin: number): [number, string] {
    if (begin >= 1 && /^[+-][0-9]/.test(typed)) {
      const [all, sign, digits] = /^([+-])([0-9]+)/.exec(typed) ?? ["", "+", "0"];
      const count = Number(digits);
      if (count === 0) throw new GitError("-L invalid empty range");
      const place = sign === "+" ? begin + count - 2 : Math.max(1, begin - count);
      return [place, typed.slice(all.length)];
    }
    const number = strtol(typed, 10);
    if (number !== undefined) {
      if (number.value <= 0n) throw new GitError(`-L invalid line number: ${number.value}`);
      return [Number(number.value), number.rest];
    }
    let from = begin;
    let text = typed;
    if (from < 0) {
      if (text.startsWith("^")) {
        from = 1;
        text = text.slice(1);
      } else from = -from;
    }
    if (!text.startsWith("/")) return [0, text];
    let end = 1;
    while (end < text.length && text[end] !== "/") end += text[end] === "\\" && end + 1 < text.length ? 2 : 1;
    if (end >= text.length) return [0, text];
    const line = this.#find(text.slice(1, end), from, () => true);
    return [line, text.slice(end + 1)];
  }

  /** The first line from `from` on (from 1) that matches and that `suits`. Throws GitError. */
  #find(pattern: string, from: number, suits: (line: number) => boolean, none = "No match"): number {
    const matcher: LineMatcher = compilePosix([toWord(pattern)], { syntax: "basic" });
    const { bytes, starts, lineCount } = this.#text;
    for (let line = from - 1; line < lineCount; line++) {
      const [start, end] = [starts[line] as number, lineEnd(this.#text, line)];
      const length = bytes.subarray(start, end).indexOf(0);
      if (matcher.test(bytes, start, length < 0 ? end : start + length) && suits(line)) return line + 1;
      // What git searches is a string of C.
      if (length >= 0) break;
    }
    throw new GitError(`-L parameter '${pattern}' starting at line ${from}: ${none}`);
  }

  #function(typed: string, anchor: number): [number, number] {
    const from = typed.startsWith("^") ? 1 : anchor;
    const text = typed.replace(/^\^?:/, "");
    let end = 0;
    while (end < text.length && text[end] !== ":") end += text[end] === "\\" ? 2 : 1;
    if (end === 0 || end < text.length) throw this.#malformed;
    const isFunction = (line: number): boolean => this.#functionLine(this.#text, line) !== undefined;
    const begin = this.#find(text, from, isFunction, "no match");
    let last = begin;
    while (last < this.#text.lineCount && !isFunction(last)) last++;
    return [begin, last];
  }
}
