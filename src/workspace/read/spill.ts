/**
 * Temporary space outside the root, for a stage that must hold more than memory: one file without a name, made in the
 * host's temporary directory. It is gone with the last descriptor on it, however the process ends.
 */
import { constants, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { LimitReached } from "../../io/limit-reached.ts";
import type { Spill } from "../contract.ts";
import { release } from "../walk/descriptor.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom, isSystemError } from "../system-error.ts";

/** Linux's O_TMPFILE, which node:fs does not name: a file that has no name from the start. */
const O_TMPFILE = 0o20200000;
const OWN_MODE = 0o600;

/** A descriptor on a new file without a name. Throws what node:fs throws. */
export function openNamelessFile(): number {
  const directory = tmpdir();
  try {
    if (process.platform === "linux") return openSync(directory, O_TMPFILE | constants.O_RDWR | constants.O_EXCL, OWN_MODE);
  } catch (thrown) {
    // The file system has no such files. Linux has one number for EOPNOTSUPP and ENOTSUP, and Node the second name.
    if (!["ENOTSUP", "EOPNOTSUPP", "EISDIR"].some((code) => isSystemError(thrown, code))) throw thrown;
  }
  const path = `${directory}/shelpa-spill-${randomBytes(12).toString("hex")}`;
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), OWN_MODE);
  unlinkSync(path);
  return descriptor;
}

/** The space that all stages of a process share. Once none uses it, it is empty again. */
export class SpillSpace {
  #descriptor: number | undefined;
  #endByte = 0;
  #users = 0;

  /** `inherited`: a descriptor as openNamelessFile gives it, for a process that may open no host path. */
  constructor(inherited?: number) {
    this.#descriptor = inherited;
  }

  /** Throws LimitReached("spill") where the space holds more than `mostBytes`; FileError (ENOSPC, EDQUOT …). */
  open(mostBytes: number): Spill {
    this.#descriptor ??= this.#failing(openNamelessFile);
    this.#users++;
    const extents: { readonly from: number; readonly bytes: number }[] = [];
    let isOpen = true;
    const descriptor = this.#descriptor;
    const failing = <T>(call: () => T): T => this.#failing(call);
    return {
      write: (block) => {
        if (this.#endByte + block.length > mostBytes) throw new LimitReached("spill", mostBytes, "bytes");
        const from = this.#endByte;
        this.#endByte += block.length;
        for (let done = 0; done < block.length; ) {
          done += failing(() => writeSync(descriptor, block, done, block.length - done, from + done));
        }
        extents.push({ from, bytes: block.length });
      },
      *blocks() {
        let memory = Buffer.alloc(0);
        for (const { from, bytes } of extents) {
          if (memory.length < bytes) memory = Buffer.allocUnsafe(bytes);
          const block = memory.subarray(0, bytes);
          for (let done = 0; done < bytes; ) {
            done += failing(() => readSync(descriptor, block, done, bytes - done, from + done));
          }
          yield block;
        }
      },
      close: () => {
        if (isOpen) this.#release();
        isOpen = false;
      },
    };
  }

  close(): void {
    if (this.#descriptor !== undefined) release(this.#descriptor);
    this.#descriptor = undefined;
  }

  #release(): void {
    this.#users--;
    if (this.#users > 0 || this.#descriptor === undefined) return;
    this.#endByte = 0;
    ftruncateSync(this.#descriptor, 0);
  }

  #failing<T>(call: () => T): T {
    try {
      return call();
    } catch (thrown) {
      // The executor was given none, and may make none.
      if (isSystemError(thrown, "ERR_ACCESS_DENIED")) throw new FileError("EACCES", "temporary space", "The host has no temporary space");
      throw fileErrorFrom(thrown, "temporary space");
    }
  }
}
