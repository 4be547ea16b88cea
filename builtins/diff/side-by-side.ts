/** -y: both texts beside each other, each line cut at its half of the width. */
import { characterWidth } from "../../src/display/character-width.ts";
import { sequenceLength } from "../../src/io/text.ts";
import type { Comparison } from "../../src/compare/formats.ts";
import { isCutLine, type LineText } from "../../src/compare/line-text.ts";
import type { LineWriter } from "../../src/compare/line-writer.ts";

export interface ColumnOptions {
  /** Columns of the whole line. */
  readonly width: number;
  readonly leftColumn: boolean;
  readonly suppressCommonLines: boolean;
}

/** The least room between the halves: a space, the mark, a space. */
const GUTTER_COLUMNS = 3;

export function* sideBySide(
  { texts, changes, ignored }: Comparison,
  writer: LineWriter,
  options: ColumnOptions,
): Generator<Uint8Array, void> {
  const { old, now } = texts;
  const page = new Page(writer, old, now, options.width);
  let [oldAt, newAt] = [0, 0];
  const full = (): boolean => writer.out.full;
  function* common(oldTo: number, newTo: number): Generator<Uint8Array, void> {
    if (!options.suppressCommonLines) {
      for (; !options.leftColumn && oldAt < oldTo && newAt < newTo; oldAt++, newAt++) {
        page.line(oldAt, " ", newAt);
        if (full()) yield writer.out.take();
      }
      // Changes that do not count can leave one side longer.
      for (; !options.leftColumn && newAt < newTo; newAt++) page.line(undefined, ")", newAt);
      for (; oldAt < oldTo; oldAt++) {
        page.line(oldAt, "(", undefined);
        if (full()) yield writer.out.take();
      }
    }
    [oldAt, newAt] = [oldTo, newTo];
  }
  for (const change of changes) {
    if (ignored(change)) continue;
    yield* common(change.oldFrom, change.newFrom);
    const oldTo = change.oldFrom + change.removed;
    const newTo = change.newFrom + change.added;
    for (; oldAt < oldTo && newAt < newTo; oldAt++, newAt++) {
      page.line(oldAt, "|", newAt);
      if (full()) yield writer.out.take();
    }
    for (; newAt < newTo; newAt++) {
      page.line(undefined, ">", newAt);
      if (full()) yield writer.out.take();
    }
    for (; oldAt < oldTo; oldAt++) {
      page.line(oldAt, "<", undefined);
      if (full()) yield writer.out.take();
    }
  }
  yield* common(old.lineCount, now.lineCount);
}

class Page {
  readonly #writer: LineWriter;
  readonly #old: LineText;
  readonly #now: LineText;
  readonly #half: number;
  readonly #right: number;

  constructor(writer: LineWriter, old: LineText, now: LineText, width: number) {
    this.#writer = writer;
    this.#old = old;
    this.#now = now;
    const step = writer.style.expandTabs ? 1 : writer.style.tabColumns;
    const right = Math.floor((width + step + GUTTER_COLUMNS) / (2 * step)) * step;
    this.#half = Math.max(0, Math.min(right - GUTTER_COLUMNS, width - right));
    this.#right = this.#half > 0 ? right : width;
  }

  /** One row: lines of the old and the new text, where there are, with `mark` between them. */
  line(oldLine: number | undefined, mark: " " | "|" | "<" | ">" | "(" | ")", newLine: number | undefined): void {
    const { out } = this.#writer;
    let column = 0;
    let ends = false;
    if (oldLine !== undefined) {
      ends = !isCutLine(this.#old, oldLine);
      column = this.#halfLine(this.#old, oldLine, 0);
    }
    if (mark !== " ") {
      column = this.#moveTo(column, Math.floor((this.#half + this.#right - 1) / 2)) + 1;
      const newEnds = newLine !== undefined && !isCutLine(this.#now, newLine);
      // Where only one of two differing lines has its newline, the mark says which.
      out.addText(mark === "|" && ends !== newEnds ? (ends ? "/" : "\\") : mark);
    }
    if (newLine !== undefined) {
      ends ||= !isCutLine(this.#now, newLine);
      if (this.#now.bytes[this.#now.starts[newLine] as number] !== 10) {
        column = this.#moveTo(column, this.#right);
        this.#halfLine(this.#now, newLine, column);
      }
    }
    if (ends) out.addByte(10);
  }

  /** Tabs as far as they reach, then spaces. Returns `to`. */
  #moveTo(from: number, to: number): number {
    const { expandTabs, tabColumns } = this.#writer.style;
    let at = from;
    if (!expandTabs) {
      for (let stop = at + tabColumns - (at % tabColumns); stop <= to; stop += tabColumns) {
        this.#writer.out.addByte(9);
        at = stop;
      }
    }
    if (at < to) this.#writer.out.addText(" ".repeat(to - at));
    return to;
  }

  /** Prints what of a line fits into half the page, which begins at column `indent`; returns the columns it took. */
  #halfLine(text: LineText, line: number, indent: number): number {
    const { out, style } = this.#writer;
    const { bytes } = text;
    const end = text.starts[line + 1] as number;
    const half = this.#half;
    let wanted = 0;
    let printed = 0;
    for (let at = text.starts[line] as number; at < end; ) {
      const byte = bytes[at] as number;
      if (byte === 10) break;
      if (byte === 9) {
        const width = style.tabColumns - (wanted % style.tabColumns);
        if (wanted === printed) {
          const stop = printed + width;
          if (style.expandTabs) {
            for (; printed < Math.min(half, stop); printed++) out.addByte(32);
          } else if (stop < half) {
            printed = stop;
            out.addByte(9);
          }
        }
        wanted += width;
        at++;
      } else if (byte === 13) {
        out.addByte(13);
        this.#moveTo(0, indent);
        wanted = 0;
        printed = 0;
        at++;
      } else if (byte === 8) {
        if (wanted !== 0 && --wanted < half) {
          if (printed <= wanted) {
            for (; printed < wanted; printed++) out.addByte(32);
          } else {
            printed = wanted;
            out.addByte(8);
          }
        }
        at++;
      } else if (byte >= 0x20 && byte < 0x7f) {
        if (wanted++ < half) {
          printed = wanted;
          out.addByte(byte);
        }
        at++;
      } else {
        const length = Math.min(sequenceLength(bytes, at), end - at);
        if (length > 0 && byte !== 0) {
          const columns = characterWidth(bytes.toString("utf8", at, at + length).codePointAt(0) as number);
          if (columns > 0) wanted += columns;
          if (wanted <= half) {
            printed = wanted;
            out.add(bytes, at, at + length);
          }
          at += length;
        } else {
          if (wanted < half) out.addByte(byte);
          at++;
        }
      }
    }
    return printed;
  }
}
