/** --word-diff: in each run of changed lines the words that went (`[-x-]`) and that came (`{+x+}`). */
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";
import { bytesOf, toWord } from "../objects/byte-text.ts";
import type { WordSettings } from "./diff-options.ts";
import { eachLine, hunkHeader, type Hunk } from "./hunks.ts";
import { lineChanges, USUAL } from "./line-changes.ts";
import type { Print } from "./patch.ts";

interface Style {
  readonly added: readonly [string, string];
  readonly removed: readonly [string, string];
  readonly same: readonly [string, string];
  readonly newline: string;
}

const PLAIN: Style = { added: ["{+", "+}"], removed: ["[-", "-]"], same: ["", ""], newline: "\n" };
const PORCELAIN: Style = { added: ["+", "\n"], removed: ["-", "\n"], same: [" ", "\n"], newline: "~\n" };

/** `pattern`: of a word; undefined: words are parted by white space. */
export function printWordHunks(
  old: LineText,
  now: LineText,
  hunks: readonly Hunk[],
  { style, pattern }: Pick<WordSettings, "style"> & { readonly pattern: string | undefined },
  print: Print,
): void {
  const shape = style === "porcelain" ? PORCELAIN : PLAIN;
  const matcher = pattern === undefined ? undefined : compilePosix([toWord(pattern)], { syntax: "extended" });
  const textOf = (text: LineText, line: number): string => text.bytes.toString("latin1", text.starts[line] as number, lineEnd(text, line));
  for (const hunk of hunks) {
    print(hunkHeader(hunk));
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
        print(style === "porcelain" ? ` ${textOf(now, line)}\n~\n` : `${textOf(now, line)}\n`);
      }
    });
    flush();
  }
}

function printWords(removed: string, added: string, style: Style, matcher: LineMatcher | undefined, print: Print): void {
  const write = (text: string, [before, after]: readonly [string, string]): void => {
    let out = "";
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      if (end > at) out += before + text.slice(at, end) + after;
      if (newline < 0) break;
      out += style.newline;
      at = newline + 1;
    }
    print(out);
  };
  if (added === "") return write(removed, style.removed);
  const [oldWords, newWords] = [wordsOf(removed, matcher), wordsOf(added, matcher)];
  const asLines = (text: string, words: readonly Word[]): LineText =>
    lineText(bytesOf(words.map(({ from, to }) => `${text.slice(from, to)}\n`).join("")));
  let shown = 0;
  const changes = lineChanges(asLines(removed, oldWords), asLines(added, newWords), { ...USUAL, indentHeuristic: false });
  for (const { oldFrom, removed: gone, newFrom, added: came } of changes) {
    const begin = came > 0 ? (newWords[newFrom] as Word).from : (newWords[newFrom - 1]?.to ?? 0);
    const end = came > 0 ? (newWords[newFrom + came - 1] as Word).to : begin;
    if (shown !== begin) write(added.slice(shown, begin), style.same);
    if (gone > 0) write(removed.slice((oldWords[oldFrom] as Word).from, (oldWords[oldFrom + gone - 1] as Word).to), style.removed);
    if (end > begin) write(added.slice(begin, end), style.added);
    shown = end;
  }
  if (shown < added.length) write(added.slice(shown), style.same);
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
