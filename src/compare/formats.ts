/**
 * The output formats of diff that show changes line by line: normal, -c, -u, -e, -f and -n. Each yields whenever a block is
 * full.
 */
import type { LineMatcher } from "../regex/posix-matcher.ts";
import type { Change } from "./changes.ts";
import { FunctionLines, functionText, hunksAround, type Hunk, type TextPair } from "./hunks.ts";
import { lineEnd, type LineText } from "./line-text.ts";
import type { LineWriter } from "./line-writer.ts";

/** The result of a comparison, as a format prints it. */
export interface Comparison {
  readonly texts: TextPair;
  readonly changes: readonly Change[];
  /** True if a change does not count (-B, -I). */
  readonly ignored: (change: Change) => boolean;
}

export interface ContextOptions {
  readonly context: number;
  readonly functionLine: LineMatcher | undefined;
}

type Printed = Generator<Uint8Array, void>;

export function* normalFormat({ texts, changes, ignored }: Comparison, writer: LineWriter): Printed {
  for (const change of changes) {
    if (ignored(change)) continue;
    const { oldFrom, removed, newFrom, added } = change;
    writer.text(`${numbers(oldFrom, removed, ",")}${letterOf(change)}${numbers(newFrom, added, ",")}\n`);
    yield* each(writer, oldFrom, removed, (line) => writer.flagged("<", texts.old, line));
    if (removed > 0 && added > 0) writer.text("---\n");
    yield* each(writer, newFrom, added, (line) => writer.flagged(">", texts.now, line));
  }
}

export function* unifiedFormat({ texts, changes, ignored }: Comparison, writer: LineWriter, options: ContextOptions): Printed {
  const functions = options.functionLine && new FunctionLines(options.functionLine);
  for (const hunk of hunksAround(changes, texts, options.context, ignored)) {
    const { oldFrom, oldTo, newFrom, newTo } = hunk;
    writer.text(`@@ -${unifiedRange(oldFrom, oldTo)} +${unifiedRange(newFrom, newTo)} @@`);
    functionAbove(writer, texts.old, hunk, functions);
    writer.text("\n");
    let at = oldFrom;
    for (const change of hunk.changes) {
      yield* each(writer, at, change.oldFrom - at, (line) => writer.marked(" ", texts.old, line));
      yield* each(writer, change.oldFrom, change.removed, (line) => writer.marked("-", texts.old, line));
      yield* each(writer, change.newFrom, change.added, (line) => writer.marked("+", texts.now, line));
      at = change.oldFrom + change.removed;
    }
    yield* each(writer, at, oldTo - at, (line) => writer.marked(" ", texts.old, line));
  }
}

export function* contextFormat({ texts, changes, ignored }: Comparison, writer: LineWriter, options: ContextOptions): Printed {
  const functions = options.functionLine && new FunctionLines(options.functionLine);
  for (const hunk of hunksAround(changes, texts, options.context, ignored)) {
    writer.text("***************");
    functionAbove(writer, texts.old, hunk, functions);
    writer.text(`\n*** ${numbers(hunk.oldFrom, hunk.oldTo - hunk.oldFrom, ",")} ****\n`);
    if (hunk.changes.some(({ removed }) => removed > 0)) yield* contextSide(writer, hunk, texts.old, "old");
    writer.text(`--- ${numbers(hunk.newFrom, hunk.newTo - hunk.newFrom, ",")} ----\n`);
    if (hunk.changes.some(({ added }) => added > 0)) yield* contextSide(writer, hunk, texts.now, "new");
  }
}

function* contextSide(writer: LineWriter, hunk: Hunk, text: LineText, side: "old" | "new"): Printed {
  const to = side === "old" ? hunk.oldTo : hunk.newTo;
  let at = side === "old" ? hunk.oldFrom : hunk.newFrom;
  for (const { oldFrom, removed, newFrom, added } of hunk.changes) {
    const [from, count] = side === "old" ? [oldFrom, removed] : [newFrom, added];
    const flag = removed > 0 && added > 0 ? "!" : side === "old" ? "-" : "+";
    yield* each(writer, at, from - at, (line) => writer.flagged(" ", text, line));
    yield* each(writer, from, count, (line) => writer.flagged(flag, text, line));
    at = from + count;
  }
  yield* each(writer, at, to - at, (line) => writer.flagged(" ", text, line));
}

/** -e: from the last change to the first, so that line numbers stay right. */
export function* edFormat({ texts, changes, ignored }: Comparison, writer: LineWriter): Printed {
  for (const change of changes.toReversed()) {
    if (ignored(change)) continue;
    writer.text(`${numbers(change.oldFrom, change.removed, ",")}${letterOf(change)}\n`);
    if (change.added === 0) continue;
    let isInserting = true;
    yield* each(writer, change.newFrom, change.added, (line) => {
      if (!isInserting) writer.text("a\n");
      // A lone dot would end the insertion: it goes in as two, of which one is taken away again.
      isInserting = !isDot(texts.now, line);
      if (isInserting) writer.bare(texts.now, line);
      else writer.text("..\n.\ns/.//\n");
    });
    if (isInserting) writer.text(".\n");
  }
}

/** -f: as -e from the first change to the last; for reading alone. */
export function* forwardEdFormat({ texts, changes, ignored }: Comparison, writer: LineWriter): Printed {
  for (const change of changes) {
    if (ignored(change)) continue;
    writer.text(`${letterOf(change)}${numbers(change.oldFrom, change.removed, " ")}\n`);
    if (change.added === 0) continue;
    yield* each(writer, change.newFrom, change.added, (line) => writer.bare(texts.now, line));
    writer.text(".\n");
  }
}

/** -n: the format of RCS. */
export function* rcsFormat({ texts, changes, ignored }: Comparison, writer: LineWriter): Printed {
  for (const change of changes) {
    if (ignored(change)) continue;
    const { oldFrom, removed, newFrom, added } = change;
    if (removed > 0) writer.text(`d${oldFrom + 1} ${removed}\n`);
    if (added > 0) writer.text(`a${oldFrom + removed} ${added}\n`);
    yield* each(writer, newFrom, added, (line) => writer.bare(texts.now, line));
  }
}

/** Prints `count` lines from line `from`, yielding full blocks in between. */
function* each(writer: LineWriter, from: number, count: number, print: (line: number) => void): Printed {
  for (let line = from; line < from + count; line++) {
    print(line);
    if (writer.out.full) yield writer.out.take();
  }
}

function functionAbove(writer: LineWriter, old: LineText, hunk: Hunk, functions: FunctionLines | undefined): void {
  const line = functions?.before(old, hunk.oldFrom) ?? -1;
  if (line < 0) return;
  writer.text(" ");
  writer.out.add(functionText(old, line));
}

/** Range of line numbers from 1; for an empty range, the number of the line before it. */
function numbers(from: number, count: number, separator: string): string {
  return count > 1 ? `${from + 1}${separator}${from + count}` : String(from + count);
}

function unifiedRange(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? String(to) : count === 0 ? `${to},0` : `${from + 1},${count}`;
}

const letterOf = ({ removed, added }: Change): string => (removed === 0 ? "a" : added === 0 ? "d" : "c");

const isDot = (text: LineText, line: number): boolean => {
  const start = text.starts[line] as number;
  return lineEnd(text, line) === start + 1 && text.bytes[start] === 0x2e;
};
