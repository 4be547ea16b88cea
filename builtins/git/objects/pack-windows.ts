/** A pack file read in pieces that are kept: objects that are asked for together mostly lie together. */
import type { OpenFile } from "../../../src/workspace/contract.ts";
import { readRange, type Disk } from "./disk.ts";
import { stampText } from "./kept-objects.ts";
import type { ObjectFormat } from "./object-format.ts";

/** Windows begin at multiples of this, and reach into the next one, so that few objects lie across an edge. */
const STEP = 64 << 10;
const OVERLAP = 8 << 10;
const MOST_WINDOWS = 96;

export class PackWindows {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #checksumBytes: number;
  readonly #windows = new Map<number, Buffer>();
  #file: OpenFile | undefined;
  #end = 0;

  constructor(disk: Disk, path: string, { idBytes }: ObjectFormat) {
    this.#disk = disk;
    this.#path = path;
    this.#checksumBytes = idBytes;
  }

  /** End of the objects: before the checksum of the file. 0 if the file does not exist. */
  get end(): number {
    if (this.#file === undefined) {
      this.#file = this.#disk.openStore(this.#path);
      this.#end = Math.max(0, (this.#file?.size ?? 0) - this.#checksumBytes);
    }
    return this.#end;
  }

  /** Stamp of the file that is read; "" if it does not exist. */
  get stamp(): string {
    return this.end === 0 || this.#file === undefined ? "" : stampText(this.#file.status);
  }

  /** At least `count` bytes from `offset` on, or all there are. They are good until the next are asked for. */
  read(offset: number, count: number): Buffer {
    const end = this.end;
    const file = this.#file;
    if (file === undefined || offset >= end) return Buffer.alloc(0);
    const start = offset - (offset % STEP);
    const wanted = Math.min(end, offset + count);
    if (wanted > start + STEP + OVERLAP) return readRange(file, offset, wanted);
    let window = this.#windows.get(start);
    if (window === undefined) {
      window = readRange(file, start, Math.min(end, start + STEP + OVERLAP), this.#space());
      this.#windows.set(start, window);
    }
    return window.subarray(offset - start);
  }

  /** A buffer for a window: that of the oldest once the limit is reached, because a long walk reads thousands. */
  #space(): Buffer {
    const [oldest] = this.#windows.size < MOST_WINDOWS ? [] : this.#windows;
    if (oldest === undefined) return Buffer.allocUnsafeSlow(STEP + OVERLAP);
    const [start, window] = oldest;
    this.#windows.delete(start);
    return Buffer.from(window.buffer, 0, STEP + OVERLAP);
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#windows.clear();
  }
}
