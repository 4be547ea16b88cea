/** A gzipped tar archive, written as it grows: regular files and symbolic links, names of any length (GNU's form). */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { showName } from "../display/visible.ts";
import { toBytes } from "../io/text.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import type { Digest } from "./journal-lines.ts";

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
/** Largest number of twelve bytes that is written in octal digits. */
const MOST_OCTAL = 0o77777777777;
/** Bytes that are compressed at a time, each piece as a member of its own: gzip reads them as one file. */
const PIECE_BYTES = 1 << 20;
const PERMISSIONS = 0o600;

export class TarArchive {
  readonly #file: WritableFile;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #pieces: Uint8Array[] = [];
  #held = 0;

  /** Writes to `file`, which the caller closes. */
  constructor(file: WritableFile) {
    this.#file = file;
  }

  /** Adds a file; `blocks` hold `size` bytes. */
  add(name: string, size: number, modifiedMs: number, blocks: Iterable<Uint8Array>): void {
    this.#header("0", toBytes(name), size, modifiedMs, new Uint8Array());
    let given = 0;
    for (const block of blocks) {
      given += block.length;
      this.#push(block);
    }
    if (given !== size) throw new Error(`${showName(name)}: ${given} bytes, not ${size}`);
    this.#fill(size);
  }

  addLink(name: string, text: string, modifiedMs: number): void {
    this.#header("2", toBytes(name), 0, modifiedMs, toBytes(text));
  }

  /** Writes the end, and gives the digest of the archive. */
  end(): Digest {
    this.#push(Buffer.alloc(2 * BLOCK_BYTES));
    this.#flush();
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  #header(type: "0" | "2" | "L" | "K", name: Uint8Array, size: number, modifiedMs: number, target: Uint8Array): void {
    if (target.length >= NAME_BYTES) this.#long("K", target);
    if (name.length >= NAME_BYTES) this.#long("L", name);
    const block = Buffer.alloc(BLOCK_BYTES);
    block.set(name.subarray(0, NAME_BYTES - 1), 0);
    block.write(octal(PERMISSIONS, 8), 100, "latin1");
    block.write(octal(0, 8), 108, "latin1");
    block.write(octal(0, 8), 116, "latin1");
    if (size <= MOST_OCTAL) block.write(octal(size, 12), 124, "latin1");
    else {
      block.writeUInt8(0x80, 124);
      block.writeBigUInt64BE(BigInt(size), 128);
    }
    block.write(octal(Math.max(0, Math.floor(modifiedMs / 1000)), 12), 136, "latin1");
    block.write(" ".repeat(8), 148, "latin1");
    block.write(type, 156, "latin1");
    block.set(target.subarray(0, NAME_BYTES - 1), 157);
    block.write("ustar  \0", 257, "latin1");
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    this.#push(block);
  }

  /** A name or a link's text that has no room in the header of the next file. */
  #long(type: "L" | "K", text: Uint8Array): void {
    const ended = Buffer.concat([text, Buffer.alloc(1)]);
    this.#header(type, Buffer.from("././@LongLink"), ended.length, 0, new Uint8Array());
    this.#push(ended);
    this.#fill(ended.length);
  }

  #fill(size: number): void {
    const over = size % BLOCK_BYTES;
    if (over > 0) this.#push(Buffer.alloc(BLOCK_BYTES - over));
  }

  #push(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    if (this.#held >= PIECE_BYTES) this.#flush();
  }

  #flush(): void {
    const packed = gzipSync(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#held = 0;
    this.#file.write(packed);
    this.#hash.update(packed);
    this.#bytes += packed.length;
  }
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;
