/** Finds the place of hunks in a file, with offsets and fuzz, and makes the new file (patch.c of GNU patch 2.7.6). */
import { BlockBuilder } from "../../src/io/output.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import type { Hunk, HunkSide } from "./hunk.ts";

/** The file as it is: its bytes, and where each line begins. */
class FileLines {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly count: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    let starts = new Uint32Array(64);
    let count = 0;
    for (let at = 0; at < bytes.length; count++) {
      if (count + 1 >= starts.length) {
        const grown = new Uint32Array(starts.length * 2);
        grown.set(starts);
        starts = grown;
      }
      starts[count] = at;
      const end = bytes.indexOf(NEWLINE, at);
      at = end < 0 ? bytes.length : end + 1;
    }
    starts[count] = bytes.length;
    this.starts = starts;
    this.count = count;
  }

  /** Bounds of line `line`, from 1; an empty one where there is none. */
  startOf(line: number): number {
    return line < 1 || line > this.count ? 0 : (this.starts[line - 1] as number);
  }

  endOf(line: number): number {
    return line < 1 || line > this.count ? 0 : (this.starts[line] as number);
  }
}

export class Placing {
  readonly #lines: FileLines;
  readonly #ignoresBlanks: boolean;
  readonly #output = new BlockBuilder();
  readonly #blocks: Buffer[] = [];
  /** Lines of the old file that are written or dropped: a hunk begins behind them. */
  #frozen = 0;
  #inOffset = 0;
  #outOffset = 0;
  #afterNewline = true;
  #isEmpty = true;
  #isMisordered = false;

  constructor(bytes: Buffer, ignoresBlanks: boolean) {
    this.#lines = new FileLines(bytes);
    this.#ignoresBlanks = ignoresBlanks;
  }

  get offset(): number {
    return this.#inOffset;
  }

  /** Line number in the new file of line `line` of the old one. */
  newLine(line: number): number {
    return line + this.#outOffset;
  }

  /** Line at which the old lines of `hunk` are, with `fuzz` lines of context left out; 0: nowhere. Moves the offset. */
  locate(hunk: Hunk, fuzz: number): number {
    const { old, prefixContext, suffixContext } = hunk;
    const guess = old.first + this.#inOffset;
    const count = old.lines.length;
    const context = Math.max(prefixContext, suffixContext);
    const prefixFuzz = fuzz + prefixContext - context;
    const suffixFuzz = fuzz + suffixContext - context;
    const most = this.#lines.count - (count - suffixFuzz) + 1;
    const least = this.#frozen + 1;
    const forward = most - guess;
    let back = guess - least;
    const farthest = Math.max(forward, back);
    if (count === 0) return guess;
    // No lines before the first.
    if (guess <= back) back = guess - 1;
    if (prefixFuzz < 0 && old.first <= 1) {
      // Only at the beginning of the file; without context behind it, only all of the file.
      if (suffixFuzz < 0 && (count !== this.#lines.count || prefixContext < this.#frozen)) return 0;
      const offset = 1 - guess;
      if (this.#frozen <= prefixContext && offset <= forward && this.#matches(old, guess + offset, 0, suffixFuzz))
        return this.#found(guess, offset);
      return 0;
    }
    const prefix = Math.max(0, prefixFuzz);
    if (suffixFuzz < 0) {
      // Only at the end of the file.
      const offset = guess - (this.#lines.count - count + 1);
      if (offset <= back && this.#matches(old, guess - offset, prefix, 0)) return this.#found(guess, -offset);
      return 0;
    }
    const nearest = forward < 0 ? guess - most : back < 0 ? guess - least : 0;
    for (let offset = nearest; offset <= farthest; offset++) {
      if (offset <= forward && this.#matches(old, guess + offset, prefix, suffixFuzz)) return this.#found(guess, offset);
      if (offset > 0 && offset <= back && this.#matches(old, guess - offset, prefix, suffixFuzz)) return this.#found(guess, -offset);
    }
    return 0;
  }

  /** Puts the new lines of `hunk` at line `where`; false where what precedes it is written already. */
  apply({ old, new: now }: Hunk, where: number): boolean {
    let [oldAt, newAt] = [0, 0];
    const from = where - 1;
    while (oldAt < old.lines.length) {
      const oldMark = old.marks[oldAt];
      const newMark = now.marks[newAt];
      if (oldMark === "-") {
        if (!this.#copyTill(from + oldAt)) return false;
        this.#frozen++;
        oldAt++;
      } else if (newMark === undefined) {
        break;
      } else if (newMark === "+") {
        if (!this.#copyTill(from + oldAt)) return false;
        this.#add(now.lines[newAt++] as Buffer);
      } else if (newMark === "!") {
        if (!this.#copyTill(from + oldAt)) return false;
        for (; old.marks[oldAt] === "!"; oldAt++) this.#frozen++;
        while (now.marks[newAt] === "!") this.#add(now.lines[newAt++] as Buffer);
      } else {
        oldAt++;
        newAt++;
      }
    }
    if (now.marks[newAt] === "+") {
      if (!this.#copyTill(from + oldAt)) return false;
      while (now.marks[newAt] === "+") this.#add(now.lines[newAt++] as Buffer);
    }
    this.#outOffset += now.lines.length - old.lines.length;
    return true;
  }

  /** True once if a hunk lay before what was written. */
  takesMisorder(): boolean {
    const wasMisordered = this.#isMisordered;
    this.#isMisordered = false;
    return wasMisordered;
  }

  /** True if lines of the hunk would be found if line ends were counted as blanks. */
  hasOtherEnds({ old }: Hunk, where: number): boolean {
    const { bytes } = this.#lines;
    const line = Math.min(where, this.#lines.count);
    if (line < 1 || old.lines.length === 0) return false;
    const isCrlf = (of: Buffer, end: number): boolean => end >= 2 && of[end - 1] === NEWLINE && of[end - 2] === 0x0d;
    const first = old.lines[0] as Buffer;
    return isCrlf(bytes, this.#lines.endOf(line)) !== isCrlf(first, first.length);
  }

  /** The new file. */
  finish(): { readonly blocks: readonly Buffer[]; readonly isEmpty: boolean } {
    this.#copyTill(this.#lines.count);
    this.#keep();
    return { blocks: this.#blocks, isEmpty: this.#isEmpty };
  }

  #found(guess: number, offset: number): number {
    this.#inOffset += offset;
    return guess + offset;
  }

  #matches({ lines }: HunkSide, at: number, prefixFuzz: number, suffixFuzz: number): boolean {
    const end = lines.length - suffixFuzz;
    for (let index = prefixFuzz; index < end; index++) {
      if (!this.#isSame(at + index, lines[index] as Buffer)) return false;
    }
    return true;
  }

  #isSame(line: number, wanted: Buffer): boolean {
    const start = this.#lines.startOf(line);
    const end = this.#lines.endOf(line);
    const { bytes } = this.#lines;
    if (this.#ignoresBlanks) return isSimilar(bytes.subarray(start, end), wanted);
    return end - start === wanted.length && wanted.compare(bytes, start, end) === 0;
  }

  #copyTill(line: number): boolean {
    if (this.#frozen > line) {
      this.#isMisordered = true;
      return false;
    }
    const { bytes, count, starts } = this.#lines;
    if (this.#frozen < count) this.#write(bytes, starts[this.#frozen] as number, starts[Math.min(line, count)] as number);
    this.#frozen = line;
    return true;
  }

  #add(line: Buffer): void {
    this.#write(line, 0, line.length);
  }

  #write(bytes: Buffer, start: number, end: number): void {
    if (start === end) return;
    if (!this.#afterNewline) this.#output.addByte(NEWLINE);
    this.#output.add(bytes, start, end);
    this.#afterNewline = bytes[end - 1] === NEWLINE;
    this.#isEmpty = false;
    if (this.#output.full) this.#keep();
  }

  #keep(): void {
    if (!this.#output.empty) this.#blocks.push(Buffer.from(this.#output.take()));
  }
}

/** True if the two are the same but for the amount of white space (-l). */
function isSimilar(a: Uint8Array, b: Uint8Array): boolean {
  const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;
  const aEnd = a.at(-1) === NEWLINE ? a.length - 1 : a.length;
  const bEnd = b.at(-1) === NEWLINE ? b.length - 1 : b.length;
  let [i, j] = [0, 0];
  for (;;) {
    if (j === bEnd || isBlank(b[j])) {
      while (j < bEnd && isBlank(b[j])) j++;
      if (i < aEnd) {
        if (!isBlank(a[i])) return false;
        do i++;
        while (i < aEnd && isBlank(a[i]));
      }
      if (i === aEnd || j === bEnd) return i === aEnd && j === bEnd;
    } else if (i === aEnd || a[i++] !== b[j++]) return false;
  }
}
