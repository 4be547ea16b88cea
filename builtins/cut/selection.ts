/** The inner loops of cut. Each works through a block of whole lines; only the last line may lack its end. */
import type { BlockBuilder } from "../../src/io/output.ts";
import { endOfLine } from "../../src/io/lines.ts";
import type { Range } from "./list.ts";

export interface Selection {
  readonly ranges: readonly Range[];
  readonly lineEnd: number;
  /** Put between ranges (bytes) or fields; undefined for bytes without --output-delimiter. */
  readonly outputDelimiter: Buffer | undefined;
}

export interface FieldSelection extends Selection {
  readonly delimiter: number;
  readonly outputDelimiter: Buffer;
  /** -s: lines without the delimiter are not printed. */
  readonly onlyDelimited: boolean;
}

export function cutPositions(block: Buffer, { ranges, lineEnd, outputDelimiter }: Selection, output: BlockBuilder): void {
  for (let start = 0; start < block.length; ) {
    const end = endOfLine(block, start, lineEnd);
    let isFirst = true;
    for (const { low, high } of ranges) {
      const from = start + low - 1;
      if (from >= end) break;
      if (!isFirst && outputDelimiter !== undefined) output.add(outputDelimiter);
      isFirst = false;
      output.add(block, from, Math.min(end, start + high));
    }
    output.addByte(lineEnd);
    start = end + 1;
  }
}

/** Where delimiter and line end differ. */
export function cutFields(block: Buffer, selection: FieldSelection, output: BlockBuilder): void {
  const { ranges, lineEnd, delimiter, outputDelimiter, onlyDelimited } = selection;
  const keepsDelimiter = outputDelimiter.length === 1 && outputDelimiter[0] === delimiter;
  const readsAhead = readsFirstFieldAhead(selection);
  const { length } = block;
  for (let start = 0; start < length; ) {
    let at = start;
    while (at < length && block[at] !== delimiter && block[at] !== lineEnd) at++;
    if (at === length || block[at] === lineEnd) {
      if (!onlyDelimited) {
        output.add(block, start, at);
        output.addByte(lineEnd);
      }
      start = at + 1;
      continue;
    }
    // With -z GNU cut leaves out the end of a last line that breaks off right after a first field it read ahead.
    const lacksEnd = lineEnd === 0 && readsAhead && at === length - 1;
    // `at` is the end of field number `field`, which begins at `from`.
    let field = 1;
    let from = start;
    let isFirst = true;
    let lineGoesOn = true;
    for (const { low, high } of ranges) {
      while (field < low && lineGoesOn) {
        from = ++at;
        field++;
        while (at < length && block[at] !== delimiter && block[at] !== lineEnd) at++;
        lineGoesOn = at < length && block[at] !== lineEnd;
      }
      if (field < low) break;
      if (keepsDelimiter) {
        if (high === Infinity) {
          at = endOfLine(block, at, lineEnd);
          lineGoesOn = false;
        }
        while (field < high && lineGoesOn) {
          field++;
          at++;
          while (at < length && block[at] !== delimiter && block[at] !== lineEnd) at++;
          lineGoesOn = at < length && block[at] !== lineEnd;
        }
        if (!isFirst) output.addByte(delimiter);
        output.add(block, from, at);
        isFirst = false;
      } else {
        for (;;) {
          if (!isFirst) output.add(outputDelimiter);
          output.add(block, from, at);
          isFirst = false;
          if (field >= high || !lineGoesOn) break;
          field++;
          from = ++at;
          while (at < length && block[at] !== delimiter && block[at] !== lineEnd) at++;
          lineGoesOn = at < length && block[at] !== lineEnd;
        }
      }
      if (!lineGoesOn) break;
    }
    if (!lacksEnd) output.addByte(lineEnd);
    start = (lineGoesOn ? endOfLine(block, at, lineEnd) : at) + 1;
  }
}

/**
 * Fields where the delimiter is the line end itself (`-d $'\n'`): the input is one record and each line a field. The
 * line end that closes the input delimits nothing, except that GNU cut takes a lone first field for delimited when it
 * had to read it ahead.
 */
export class LineFields {
  readonly #selection: FieldSelection;
  readonly #readsAhead: boolean;
  #field = 0;
  #anySelected = false;
  #first: { readonly text: Buffer; readonly ended: boolean } | undefined;

  constructor(selection: FieldSelection) {
    this.#selection = selection;
    this.#readsAhead = readsFirstFieldAhead(selection);
  }

  add(block: Buffer, output: BlockBuilder): void {
    const { lineEnd } = this.#selection;
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start, lineEnd);
      this.#field++;
      if (this.#field === 1) {
        this.#first = { text: Buffer.from(block.subarray(start, end)), ended: end < block.length };
      } else {
        if (this.#field === 2 && this.#first !== undefined) this.#select(1, this.#first.text, output);
        this.#select(this.#field, block.subarray(start, end), output);
      }
      start = end + 1;
    }
  }

  finish(output: BlockBuilder): void {
    const { onlyDelimited, lineEnd } = this.#selection;
    const first = this.#first;
    if (first === undefined) return;
    if (this.#field === 1) {
      const isDelimited = this.#readsAhead && first.ended;
      if (!isDelimited && onlyDelimited) return;
      if (!isDelimited || this.#selects(1)) output.add(first.text);
    }
    output.addByte(lineEnd);
  }

  #select(field: number, text: Buffer, output: BlockBuilder): void {
    if (!this.#selects(field)) return;
    if (this.#anySelected) output.add(this.#selection.outputDelimiter);
    this.#anySelected = true;
    output.add(text);
  }

  #selects(field: number): boolean {
    return selects(this.#selection, field);
  }
}

/** GNU cut reads the first field whole where it must know of the delimiter before it can print. */
function readsFirstFieldAhead(selection: FieldSelection): boolean {
  return selection.onlyDelimited === selects(selection, 1);
}

function selects({ ranges }: Selection, field: number): boolean {
  return ranges.some(({ low, high }) => low <= field && field <= high);
}
