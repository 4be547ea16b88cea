/** sub and gsub on a whole record, from bytes to bytes: no text is made of it. */
import type { AwkRegex } from "./regex.ts";
import type { AwkRecord } from "./record.ts";
import type { Replacement } from "../library/substitution.ts";

/** Shorter pieces are copied faster here than by a call. */
const SHORT = 64;

export class ByteSubstitution {
  readonly #checkLength: (length: number) => void;
  #replacement: Replacement = [];
  #parts: readonly (Buffer | number)[] = [];
  #room: Buffer = Buffer.alloc(0);
  #length = 0;

  /** `checkLength` throws where a record is too long to be held. */
  constructor(checkLength: (length: number) => void) {
    this.#checkLength = checkLength;
  }

  /** Replaces the matches of `search` in $0 and returns their number; undefined if nothing was done because a match is empty. */
  replace(record: AwkRecord, search: AwkRegex, replacement: Replacement, isGlobal: boolean): number | undefined {
    if (replacement !== this.#replacement) {
      this.#replacement = replacement;
      this.#parts = replacement.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part));
    }
    const { bytes, from, to } = record;
    const { offsets } = search;
    search.loadBytes(bytes, from, to);
    let count = 0;
    let copied = from;
    while (search.find(copied)) {
      const [start, end] = [offsets[0] as number, offsets[1] as number];
      if (start === end) return undefined;
      if (count === 0) {
        this.#room = record.roomFor(2 * (to - from));
        this.#length = 0;
      }
      count++;
      this.#copy(bytes, copied, start);
      for (const part of this.#parts) {
        if (typeof part !== "number") this.#copy(part, 0, part.length);
        else if (part === 0) this.#copy(bytes, start, end);
      }
      copied = end;
      if (!isGlobal) break;
    }
    if (count === 0) return 0;
    this.#copy(bytes, copied, to);
    record.setWritten(this.#room, this.#length);
    return count;
  }

  #copy(bytes: Buffer, from: number, to: number): void {
    const end = this.#length + to - from;
    if (end > this.#room.length) this.#grow(end);
    const room = this.#room;
    let at = this.#length;
    if (to - from < SHORT) for (let here = from; here < to; here++) room[at++] = bytes[here] as number;
    else bytes.copy(room, at, from, to);
    this.#length = end;
  }

  #grow(length: number): void {
    this.#checkLength(length);
    const room = Buffer.allocUnsafe(2 * length);
    this.#room.copy(room, 0, 0, this.#length);
    this.#room = room;
  }
}
