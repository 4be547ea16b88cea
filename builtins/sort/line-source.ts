/** One input of a merge, at one of its lines. */
import { endOfLine } from "../../src/io/lines.ts";
import type { Column } from "./columns.ts";

/** The line is `bytes[from..to)`, without its end. */
export class LineSource {
  readonly #blocks: AsyncIterator<Buffer>;
  readonly #lineEnd: number;
  bytes: Buffer = NO_BYTES;
  from = 0;
  to = -1;
  /** The line's number in the first column of the order; 0 for all where a comparison must tell. */
  value = 0;
  /** Past its last line; `value` is Infinity then. */
  atEnd = false;
  #column: Column = { kind: "compare" };
  /** Where the next lines of the block begin, and after the last of them where the one after begins. */
  readonly #starts = new Uint32Array(CHUNK_LINES + 1);
  readonly #values = new Float64Array(CHUNK_LINES);
  #chunkLines = 0;
  /** The line's place in the chunk. */
  #at = 0;

  /** `blocks` are whole lines, as `lineBlocks` gives them; a block may be overwritten once the next is asked for. */
  constructor(blocks: AsyncIterable<Buffer>, lineEnd: number) {
    this.#blocks = blocks[Symbol.asyncIterator]();
    this.#lineEnd = lineEnd;
  }

  /** Goes to the next line of the block; false where it has none, and `refill` must be called. */
  step(): boolean {
    if (this.#at + 1 < this.#chunkLines) this.#at++;
    else if (!this.#readChunk(this.#starts[this.#chunkLines] as number)) return false;
    this.#place();
    return true;
  }

  /** Goes to the first line of the next block; at the end of the input there is none. */
  async refill(): Promise<void> {
    const next = await this.#blocks.next();
    this.bytes = next.done === true ? NO_BYTES : next.value;
    this.atEnd = !this.#readChunk(0);
    if (this.atEnd) this.value = Infinity;
    else this.#place();
  }

  /** Takes `column` for the values of this line and those after it. */
  useColumn(column: Column): void {
    this.#column = column;
    if (this.atEnd) return;
    this.#fill(this.#at);
    this.value = this.#values[this.#at] as number;
  }

  /** Where the block's last line begins and ends. */
  get lastLine(): readonly [number, number] {
    const { bytes } = this;
    const to = bytes[bytes.length - 1] === this.#lineEnd ? bytes.length - 1 : bytes.length;
    return [to === 0 ? 0 : bytes.lastIndexOf(this.#lineEnd, to - 1) + 1, to];
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  #readChunk(from: number): boolean {
    const { bytes } = this;
    if (from >= bytes.length) return false;
    let count = 0;
    let start = from;
    while (count < CHUNK_LINES && start < bytes.length) {
      this.#starts[count++] = start;
      start = endOfLine(bytes, start, this.#lineEnd) + 1;
    }
    this.#starts[count] = start;
    this.#chunkLines = count;
    this.#at = 0;
    this.#fill(0);
    return true;
  }

  #fill(from: number): void {
    if (this.#column.kind === "compare") return;
    this.#column.fill({ text: this.bytes, starts: this.#starts }, IN_ORDER, this.#values, from, this.#chunkLines);
  }

  #place(): void {
    this.from = this.#starts[this.#at] as number;
    this.to = (this.#starts[this.#at + 1] as number) - 1;
    this.value = this.#values[this.#at] as number;
  }
}

const NO_BYTES = Buffer.alloc(0);
/** So many lines are given their values at once. */
const CHUNK_LINES = 512;
const IN_ORDER = Uint32Array.from({ length: CHUNK_LINES }, (_, at) => at);
