/** `/dev/fd/N` from 3 on as a stage sees it: what a redirection (`3< FILE`) or a process substitution gives. */
import type { ByteInput } from "../../io/input.ts";
import type { OpenFile } from "../contract.ts";
import { type FileStatus, statusOfNone } from "../file-status.ts";

/** The descriptors of one stage. */
export interface StageDescriptors {
  /** What is still to be read from it; undefined where it is not open. */
  input(number: number): ByteInput | undefined;
  /** All that it gave, by file name, where it was read before the stage began. */
  readonly whole: ReadonlyMap<string, Uint8Array>;
}

/** The number of a descriptor from 3 on that `path` names. */
export function descriptorNumber(path: string): number | undefined {
  if (!path.startsWith("/dev/fd/") && !path.startsWith("/proc/self/fd/")) return undefined;
  const [, digits] = /fd\/([1-9]\d?)$/.exec(path) ?? [];
  return digits === undefined || Number(digits) < 3 ? undefined : Number(digits);
}

/** Of a pipe: it has no size that could be asked for, and is no other file. */
export const descriptorStatus = (number: number): FileStatus => ({ ...statusOfNone("fifo", 0o600), inode: BigInt(number) });

/** Bytes in memory as an open file. */
export class HeldFile implements OpenFile {
  readonly status: FileStatus;
  readonly size = 0;
  readonly #bytes: Uint8Array;

  constructor(number: number, bytes: Uint8Array) {
    this.status = descriptorStatus(number);
    this.#bytes = bytes;
  }

  *blocks(fromByte = 0): Generator<Uint8Array, void> {
    // Copies: a reader may change a block that it was given.
    for (let at = fromByte; at < this.#bytes.length; at += BLOCK_BYTES) yield Buffer.from(this.#bytes.subarray(at, at + BLOCK_BYTES));
  }

  readAt(into: Uint8Array, position: number): number {
    const bytes = this.#bytes.subarray(position, position + into.length);
    into.set(bytes);
    return bytes.length;
  }

  close(): void {}
}

const BLOCK_BYTES = 1 << 16;
