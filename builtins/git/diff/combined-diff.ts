/**
 * A combined diff: one result against several parents (`git show MERGE`, `log -c`, `log --cc`, an unmerged file). Each
 * line says for each parent whether it came new (`+`) or went (`-`); dense output leaves out what agrees with a parent.
 */
import { notColoured } from "./colours.ts";
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import { quotedName, withoutTrailingSpace } from "../objects/byte-text.ts";
import { contentOf, skipsPair } from "../objects/contents.ts";
import type { DiffSettings } from "./diff-options.ts";
import { idText, NO_ID, type FilePair, type PairStatus, type Side } from "./file-pairs.ts";
import { lineChanges } from "./line-changes.ts";
import { modeText } from "../objects/objects.ts";
import type { Print } from "./patch.ts";
import { isBinary } from "./renames.ts";
import type { Repository } from "../repository.ts";
import { driverOf } from "./userdiff.ts";

export interface CombinedParent extends Side {
  readonly status: PairStatus;
}

/** A file that differs from all parents. */
export interface CombinedFile {
  readonly now: Side;
  readonly parents: readonly CombinedParent[];
}

/** The files that every parent's diff has. */
export function combinedFiles(diffs: readonly (readonly FilePair[])[]): CombinedFile[] {
  const [first = [], ...others] = diffs;
  const rest = others.map((pairs) => new Map(pairs.map((pair) => [pair.now.path, pair])));
  return first.flatMap((pair) => {
    const pairs = [pair, ...rest.map((byPath) => byPath.get(pair.now.path))];
    const parents = pairs.flatMap((of) => (of === undefined ? [] : [{ ...of.old, status: of.status }]));
    return parents.length === diffs.length ? [{ now: pair.now, parents }] : [];
  });
}

/** `::100644 100644 100644 ID ID ID MM  name`, or its part that --name-status or --name-only asks for. */
export function printCombinedRaw(repository: Repository, { now, parents }: CombinedFile, settings: DiffSettings, print: Print): void {
  const { formats, endsInNull } = settings;
  const isWhole = settings.fullIndex || settings.rawIsWhole === true;
  const short = (id: string): string => idText(repository, id, isWhole, settings.abbreviation);
  let line = "";
  if (formats.has("raw"))
    line += `${":".repeat(parents.length)}${parents.map(({ mode }) => `${modeText(mode)} `).join("")}${modeText(now.mode)}${parents.map(({ id }) => ` ${short(id)}`).join("")} ${short(now.id)} `;
  if (formats.has("raw") || formats.has("name-status")) line += parents.map(({ status }) => status).join("") + (endsInNull ? "\0" : "\t");
  print(`${line}${endsInNull ? `${now.path}\0` : `${quotedName(now.path, repository.quotesAll)}\n`}`);
}

interface Lost {
  readonly text: string;
  /** Bit for each parent that had it. */
  parents: number;
}

/** A line of the result with the lines that went in front of it. The last one stands for the end. */
interface ResultLine {
  readonly text: string;
  /** Bit for each parent that lacks it. */
  added: number;
  lost: Lost[];
  isShown: boolean;
  hidesLost: boolean;
  /** For each parent the number its line would have here. */
  readonly numbers: number[];
}

/**
 * Prints one file's patch. A file of the working tree is shown whatever it holds. `printBare`: for the line of the modes, which git
 * prints without the rails of a graph.
 */
export function printCombinedPatch(
  repository: Repository,
  file: CombinedFile,
  settings: DiffSettings,
  dense: boolean,
  print: Print,
  printBare: Print = print,
): void {
  if (settings.isColoured) throw notColoured("--color-words", "a combined diff is");
  const { parents } = file;
  const isWorking = file.now.isWorking === true;
  const modesDiffer = parents.some(({ mode }) => mode !== file.now.mode);
  if (skipsPair(repository, file.now, ...parents)) {
    printHeader(repository, file, settings, dense, modesDiffer, false, print);
    const [why] = [file.now, ...parents].flatMap(({ path }) => repository.denied.why(path) ?? []);
    print(`Not shown: ${why ?? ""}\n`);
    return;
  }
  const result = contentOf(repository, file.now);
  const olds = parents.map((parent) => contentOf(repository, parent));
  const binary = driverOf(repository, file.now.path).isBinary;
  if (!settings.text && (binary ?? [result, ...olds].some(isBinary))) {
    printHeader(repository, file, settings, dense, modesDiffer, false, print);
    print("Binary files differ\n");
    return;
  }
  // What a commit does not have any more went line by line; a file that is not in the working tree is only said to be gone.
  const isGone = file.now.mode === 0 && isWorking;
  const lines = resultLines(lineText(result), parents.length);
  const count = lines.length - 1;
  parents.forEach((parent, index) => {
    const twin = parents.findIndex(({ id }, other) => other < index && id === parent.id);
    if (twin >= 0 && parent.id !== NO_ID) takeOver(lines, index, twin);
    else if (!isGone) compare(lines, lineText(olds[index] as Buffer), lineText(result), index, settings);
  });
  const all = (1 << parents.length) - 1;
  for (const line of lines) line.isShown = line.added !== 0 || line.lost.length > 0;
  if (dense) hideSettled(lines, count, all, settings.context);
  const hasHunks = giveContext(lines, count, settings.context);
  if (!hasHunks && !modesDiffer && !isWorking) return;
  printHeader(repository, file, settings, dense, modesDiffer, true, print, printBare);
  if (!isGone) printHunks(lines, count, parents.length, settings.context, print);
}

function printHeader(
  repository: Repository,
  { now, parents }: CombinedFile,
  settings: DiffSettings,
  dense: boolean,
  modesDiffer: boolean,
  hasFiles: boolean,
  print: Print,
  printBare: Print = print,
): void {
  const quote = (name: string): string => quotedName(name, repository.quotesAll);
  const short = (id: string): string => idText(repository, id, settings.fullIndex, undefined);
  print(`diff --${dense ? "cc" : "combined"} ${quote(now.path)}\n`);
  print(`index ${parents.map(({ id }) => short(id)).join(",")}..${short(now.isWorking === true ? NO_ID : now.id)}\n`);
  const isDeleted = now.mode === 0;
  const isAdded = modesDiffer && !isDeleted && parents.every(({ status }) => status === "A");
  if (isAdded) print(`new file mode ${modeText(now.mode)}\n`);
  else if (modesDiffer) {
    const modes = parents.map(({ mode }) => modeText(mode)).join(",");
    if (isDeleted) print(`deleted file mode ${modes}\n`);
    else printBare(`mode ${modes}..${modeText(now.mode)}\n`);
  }
  if (!hasFiles) return;
  print(`--- ${isAdded ? "/dev/null" : quote(settings.oldPrefix + now.path)}\n`);
  print(`+++ ${isDeleted ? "/dev/null" : quote(settings.newPrefix + now.path)}\n`);
}

function resultLines(text: LineText, parents: number): ResultLine[] {
  const made = (line: string): ResultLine => ({
    text: line,
    added: 0,
    lost: [],
    isShown: false,
    hidesLost: false,
    numbers: new Array<number>(parents).fill(0),
  });
  const lines: ResultLine[] = [];
  for (let at = 0; at < text.lineCount; at++) lines.push(made(textOf(text, at)));
  // One for what went at the end, one for the numbers after it.
  return [...lines, made("")];
}

const textOf = (text: LineText, line: number): string => text.bytes.toString("latin1", text.starts[line] as number, lineEnd(text, line));

function takeOver(lines: readonly ResultLine[], index: number, twin: number): void {
  for (const line of lines) {
    line.numbers[index] = line.numbers[twin] as number;
    for (const lost of line.lost) if ((lost.parents & (1 << twin)) !== 0) lost.parents |= 1 << index;
    if ((line.added & (1 << twin)) !== 0) line.added |= 1 << index;
  }
}

function compare(lines: ResultLine[], old: LineText, now: LineText, index: number, settings: DiffSettings): void {
  const bit = 1 << index;
  const gone = new Map<number, Lost[]>();
  for (const { oldFrom, removed, newFrom, added } of lineChanges(old, now, settings.changes)) {
    const lost: Lost[] = [];
    for (let at = oldFrom; at < oldFrom + removed; at++) lost.push({ text: textOf(old, at), parents: bit });
    if (lost.length > 0) gone.set(newFrom, lost);
    for (let at = newFrom; at < newFrom + added; at++) (lines[at] as ResultLine).added |= bit;
  }
  let number = 1;
  lines.forEach((line, at) => {
    line.numbers[index] = number;
    const lost = gone.get(at);
    if (lost !== undefined) line.lost = line.lost.length === 0 ? lost : merged(line.lost, lost, bit);
    for (const { parents } of line.lost) if ((parents & bit) !== 0) number++;
    if (at < lines.length - 1 && (line.added & bit) === 0) number++;
  });
}

/** Lines that went from several parents, with those in common (the longest such sequence) said once. */
function merged(base: Lost[], lost: readonly Lost[], bit: number): Lost[] {
  const width = lost.length + 1;
  const lengths = new Int32Array((base.length + 1) * width);
  for (let i = 1; i <= base.length; i++)
    for (let j = 1; j <= lost.length; j++)
      lengths[i * width + j] =
        base[i - 1]?.text === lost[j - 1]?.text
          ? (lengths[(i - 1) * width + j - 1] as number) + 1
          : Math.max(lengths[i * width + j - 1] as number, lengths[(i - 1) * width + j] as number);
  const out: Lost[] = [];
  for (let i = base.length, j = lost.length; i > 0 || j > 0; ) {
    const [x, y] = [base[i - 1], lost[j - 1]];
    if (x !== undefined && y !== undefined && x.text === y.text) {
      x.parents |= bit;
      out.push(x);
      i--;
      j--;
    } else if (y !== undefined && (x === undefined || (lengths[i * width + j - 1] as number) >= (lengths[(i - 1) * width + j] as number))) {
      out.push(y);
      j--;
    } else if (x !== undefined) {
      out.push(x);
      i--;
    }
  }
  return out.reverse();
}

/** End of a hunk for the context after it: a last line that was only removed does not count. */
const tailOf = (lines: readonly ResultLine[], begin: number, end: number): number =>
  begin + 1 <= end && lines[end - 1]?.added === 0 ? end - 1 : end;

/** Hides the hunks in which the result is one of two versions. */
function hideSettled(lines: readonly ResultLine[], count: number, all: number, context: number): void {
  for (let at = 0; at <= count; ) {
    while (at <= count && lines[at]?.isShown === false) at++;
    if (at > count) return;
    const begin = at;
    let end = begin + 1;
    for (; end <= count; end++) {
      if (lines[end]?.isShown === true) continue;
      let ahead = Math.min(tailOf(lines, begin, end) + context, count + 1);
      let goesOn = false;
      while (ahead > 0 && end <= --ahead)
        if (lines[ahead]?.isShown === true) {
          goesOn = true;
          break;
        }
      if (!goesOn) break;
      end = ahead;
    }
    let same = 0;
    let isMixed = false;
    const look = (parents: number): void => {
      if (same === 0) same = parents;
      else if (same !== parents) isMixed = true;
    };
    for (let line = begin; line < Math.min(end, count + 1) && !isMixed; line++) {
      const { added, lost } = lines[line] as ResultLine;
      if (added !== 0) look(added);
      for (const { parents } of lost) look(parents);
    }
    if (!isMixed && same !== all)
      for (let line = begin; line < Math.min(end, count + 1); line++) (lines[line] as ResultLine).isShown = false;
    at = end;
  }
}

/** Shows the lines around what is shown, and what lies between two near hunks. Returns whether there is any. */
function giveContext(lines: readonly ResultLine[], count: number, context: number): boolean {
  const find = (from: number, isShown: boolean): number => {
    let at = from;
    while (at <= count && lines[at]?.isShown !== isShown) at++;
    return at;
  };
  let at = find(0, true);
  if (at > count) return false;
  while (at <= count) {
    for (let before = Math.max(0, at - context); before < at; before++) {
      const line = lines[before] as ResultLine;
      if (!line.isShown) line.hidesLost = true;
      line.isShown = true;
    }
    for (;;) {
      let end = find(at, false);
      if (end > count) return true;
      const next = find(end, true);
      end = tailOf(lines, at, end);
      if (next >= end + context) {
        at = next;
        for (const to = Math.min(end + context, count + 1); end < to; end++) (lines[end] as ResultLine).isShown = true;
        break;
      }
      for (; end < next; end++) (lines[end] as ResultLine).isShown = true;
      at = next;
    }
  }
  return true;
}

function printHunks(lines: readonly ResultLine[], count: number, parents: number, context: number, print: Print): void {
  const marker = "@".repeat(parents + 1);
  for (let at = 0; ; ) {
    let comment = "";
    for (; at <= count && lines[at]?.isShown === false; at++) {
      const text = at < count ? (lines[at] as ResultLine).text : "";
      if (/^[A-Za-z_$]/.test(text)) comment = text;
    }
    if (at > count) return;
    let end = at + 1;
    while (end <= count && lines[end]?.isShown === true) end++;
    let length = end - at - (end > count ? 1 : 0);
    let empty = 0;
    if (context === 0) {
      for (let line = at; line < end; line++) if (lines[line]?.added === 0) empty++;
      length -= empty;
    }
    const spans = Array.from({ length: parents }, (_, parent) => {
      const from = (lines[at] as ResultLine).numbers[parent] as number;
      return ` -${from},${numberAfter(lines, end, parent) - from - empty}`;
    });
    // The last letter is lost in git's own output too.
    const shown = withoutTrailingSpace(comment.slice(0, 40));
    const said = shown.length > 1 ? ` ${shown.slice(0, -1)}` : "";
    print(`${marker}${spans.join("")} +${at + 1},${length} ${marker}${said}\n`);
    for (; at < end; at++) {
      const line = lines[at] as ResultLine;
      if (!line.hidesLost) for (const lost of line.lost) print(`${marks(lost.parents, parents, "-")}${lost.text}\n`);
      if (at >= count) {
        at++;
        break;
      }
      if (line.added === 0 && context === 0) continue;
      print(`${marks(line.added, parents, "+")}${line.text}\n`);
    }
  }
}

/** The number of a parent's line at `at`, which may be past the end. */
function numberAfter(lines: readonly ResultLine[], at: number, parent: number): number {
  const line = lines[at];
  if (line !== undefined) return line.numbers[parent] as number;
  const last = lines[lines.length - 1] as ResultLine;
  return (last.numbers[parent] as number) + last.lost.filter(({ parents }) => (parents & (1 << parent)) !== 0).length;
}

function marks(bits: number, parents: number, mark: string): string {
  let text = "";
  for (let parent = 0; parent < parents; parent++) text += (bits & (1 << parent)) !== 0 ? mark : " ";
  return text;
}
