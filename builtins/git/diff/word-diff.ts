/** --word-diff: in each run of changed lines the words that went (`[-x-]`) and that came (`{+x+}`). */
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";
import { bytesOf, toWord } from "../objects/byte-text.ts";
import { painted, paintedFunction, plainLine } from "./colours.ts";
import type { WordSettings } from "./word-settings.ts";
import { GitError } from "../git-error.ts";
import type { DiffSettings } from "./diff-options.ts";
import { eachLine, hunkHeader, type Hunk } from "./hunks.ts";
import { lineChanges, USUAL } from "./line-changes.ts";
import type { Print } from "./patch.ts";

interface Style {
  readonly isColoured: boolean;
  readonly isPrefixed: boolean;
  readonly added: readonly [string, string];
  readonly removed: readonly [string, string];
  readonly same: readonly [string, string];
  readonly newline: string;
}

const PLAIN = { added: ["{+", "+}"], removed: ["[-", "-]"], same: ["", ""], newline: "\n" } as const;
const PORCELAIN = { added: ["+", "\n"], removed: ["-", "\n"], same: [" ", "\n"], newline: "~\n" } as const;
const COLOR = { added: ["", ""], removed: ["", ""], same: ["", ""], newline: "\n" } as const;

interface WordOptions extends Pick<WordSettings, "style">, Pick<DiffSettings, "isColoured" | "isPrefixed"> {
  readonly pattern: string | undefined;
}

/** `pattern`: of a word; undefined: words are parted by white space. */
export function printWordHunks(
  old: LineText,
  now: LineText,
  hunks: readonly Hunk[],
  { style, pattern, isColoured, isPrefixed }: WordOptions,
  print: Print,
): void {
  if (isPrefixed && style === "porcelain") throw lackingPrefix();
  const shape: Style = { ...(style === "porcelain" ? PORCELAIN : style === "plain" ? PLAIN : COLOR), isColoured, isPrefixed };
  const matcher = pattern === undefined ? undefined : compilePosix([toWord(pattern)], { syntax: "extended" });
  const textOf = (text: LineText, line: number): string => text.bytes.toString("latin1", text.starts[line] as number, lineEnd(text, line));
  for (const hunk of hunks) {
    print(isColoured ? colouredHeader(hunk) : hunkHeader(hunk));
    let removed = "";
    let added = "";
    const flush = (): void => {
      if (removed !== "" || added !== "") printWords(removed, added, shape, matcher, print);
      removed = "";
      added = "";
    };
    eachLine(hunk, (kind, line) => {
      if (kind === "removed") removed += `${textOf(old, line)}\n`;
      else if (kind === "added") added += `${textOf(now, line)}\n`;
      else {
        flush();
        const text = `${style === "porcelain" ? " " : ""}${textOf(now, line)}\n`;
        print(`${isColoured ? plainLine(text) : text}${style === "porcelain" ? "~\n" : ""}`);
      }
    });
    flush();
  }
}

const lackingPrefix = (): GitError =>
  new GitError("words beside --line-prefix or --graph: lines that git prints without their prefix are not done here");

function colouredHeader(hunk: Hunk): string {
  const place = painted(hunkHeader({ ...hunk, functionText: "" }).trimEnd(), "place");
  return `${place}${hunk.functionText === "" ? "" : paintedFunction(hunk.functionText)}\n`;
}

function printWords(removed: string, added: string, style: Style, matcher: LineMatcher | undefined, print: Print): void {
  let isAtStart = true;
  const write = (text: string, part: "added" | "removed" | "same"): void => {
    const [before, after] = style[part];
    let out = "";
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      const word = before + text.slice(at, end) + after;
      if (end > at) out += style.isColoured && part !== "same" ? painted(word, part) : word;
      if (newline < 0) break;
      out += style.newline;
      at = newline + 1;
    }
    print(out);
    isAtStart = text.endsWith("\n");
  };
  if (added === "") return write(removed, "removed");
  const [oldWords, newWords] = [wordsOf(removed, matcher), wordsOf(added, matcher)];
  const asLines = (text: string, words: readonly Word[]): LineText =>
    lineText(bytesOf(words.map(({ from, to }) => `${text.slice(from, to)}\n`).join("")));
  let shown = 0;
  let lastRemoved = 0;
  // Git puts a prefix before what it takes for the start of a line, and that is not always one.
  const checkStart = (hasPrefix: boolean): void => {
    if (style.isPrefixed && hasPrefix !== isAtStart) throw lackingPrefix();
  };
  const startsLine = (): boolean => (shown === 0 ? lastRemoved === 0 : added[shown - 1] === "\n");
  const changes = lineChanges(asLines(removed, oldWords), asLines(added, newWords), { ...USUAL, indentHeuristic: false });
  for (const { oldFrom, removed: gone, newFrom, added: came } of changes) {
    const begin = came > 0 ? (newWords[newFrom] as Word).from : (newWords[newFrom - 1]?.to ?? 0);
    const end = came > 0 ? (newWords[newFrom + came - 1] as Word).to : begin;
    checkStart(startsLine());
    const isFirst = shown === begin;
    if (!isFirst) write(added.slice(shown, begin), "same");
    if (!isFirst) checkStart(false);
    if (gone > 0) write(removed.slice((oldWords[oldFrom] as Word).from, (oldWords[oldFrom + gone - 1] as Word).to), "removed");
    if (gone > 0 && end > begin) checkStart(false);
    if (end > begin) write(added.slice(begin, end), "added");
    lastRemoved = gone > 0 ? oldFrom + 1 : oldFrom;
    shown = end;
  }
  if (shown >= added.length) return;
  checkStart(startsLine());
  write(added.slice(shown), "same");
}

interface Word {
  readonly from: number;
  readonly to: number;
}

function wordsOf(text: string, matcher: LineMatcher | undefined): Word[] {
  const words: Word[] = [];
  if (matcher === undefined) {
    for (const { 0: word, index } of text.matchAll(/[^ \t-\r]+/g)) words.push({ from: index, to: index + word.length });
    return words;
  }
  const bytes = bytesOf(text);
  // A word ends with its line.
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline;
    const matches = matcher.matchesIn(bytes, from, end);
    for (let at = from; at < end && matches.find(at); ) {
      if (matches.end > matches.start) words.push({ from: matches.start, to: matches.end });
      at = Math.max(matches.end, matches.start + 1);
    }
    from = end + 1;
  }
  return words;
}
