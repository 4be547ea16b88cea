/**
 * The system calls of WASI preview 1 that a guest may make, answered by the workspace and two streams: only standard output and
 * standard error are written, the environment is empty, the wall clock stands still at the call's instant and randomness is
 * the same every time.
 * https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */
import { toBytes, toText } from "../io/text.ts";
import type { FileKind, FileStatus } from "../workspace/file-status.ts";
import { errorOf, GuestError, type GuestFiles } from "./guest-files.ts";
import { ERRNO } from "./wasi-errno.ts";

export interface HostStreams {
  /** Reads what is there, waiting for at least one byte; 0 at the end. */
  readonly stdin: (into: Uint8Array) => number;
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

export interface HostOptions {
  /** The guest's arguments, its name first. */
  readonly args: readonly string[];
  readonly files: GuestFiles;
  readonly streams: HostStreams;
  readonly nowMs: number;
}

/** Thrown through the guest by proc_exit. */
export class GuestExit extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

const FILE_TYPE: Readonly<Record<FileKind, number>> = {
  "block-device": 1,
  "character-device": 2,
  directory: 3,
  file: 4,
  socket: 6,
  symlink: 7,
  fifo: 0,
};
const UNKNOWN_TYPE = 0;
/** Bytes of a directory entry before its name. */
const DIRENT_BYTES = 24;
const FILESTAT_BYTES = 64;
const RIGHTS_WRITE = 1n << 6n;
const OFLAGS_CREATE_EXCLUSIVE_TRUNCATE = 1 | 4 | 8;
const OFLAGS_DIRECTORY = 2;
const LOOKUP_FOLLOW = 1;

export class WasiHost {
  readonly #args: readonly Buffer[];
  readonly #files: GuestFiles;
  readonly #streams: HostStreams;
  readonly #nowMs: number;
  readonly #startedMs = performance.now();
  #memory: WebAssembly.Memory | undefined;
  #random = 0x9e3779b9;

  constructor(options: HostOptions) {
    this.#args = options.args.map((arg) => Buffer.concat([toBytes(arg), Buffer.of(0)]));
    this.#files = options.files;
    this.#streams = options.streams;
    this.#nowMs = options.nowMs;
  }

  /** The guest's memory, once there is an instance. */
  set memory(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** The imports of the module. A call that is not here fails with ENOSYS. */
  importsFor(module: WebAssembly.Module): WebAssembly.Imports {
    const calls = this.#calls();
    const imports: Record<string, (...args: never[]) => number> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (from !== "wasi_snapshot_preview1" || kind !== "function") throw new Error(`the module imports ${from}.${name}`);
      const call = calls[name];
      imports[name] = call === undefined ? () => ERRNO.ENOSYS : (...args: never[]) => errorOf(() => call(...args));
    }
    return { wasi_snapshot_preview1: imports };
  }

  #calls(): Record<string, (...args: never[]) => void> {
    return {
      args_sizes_get: (count: number, bytes: number) => this.#pair(count, this.#args.length, bytes, Buffer.concat(this.#args).length),
      args_get: (pointers: number, at: number) => this.#writeArgs(pointers, at),
      environ_sizes_get: (count: number, bytes: number) => this.#pair(count, 0, bytes, 0),
      environ_get: () => {},
      clock_time_get: (clock: number, _precision: bigint, at: number) => this.#clock(clock, at),
      random_get: (at: number, length: number) => this.#fillRandom(this.#bytes(at, length)),
      sched_yield: () => {},
      proc_exit: (status: number) => {
        throw new GuestExit(status);
      },
      fd_close: (fd: number) => {
        if (fd > 2) this.#files.close(fd);
      },
      fd_fdstat_get: (fd: number, at: number) => this.#descriptorStatus(fd, at),
      fd_fdstat_set_flags: () => {},
      fd_filestat_get: (fd: number, at: number) => this.#writeStatus(at, fd > 2 ? this.#files.statusOf(fd) : undefined, UNKNOWN_TYPE),
      fd_prestat_get: (fd: number, at: number) => this.#pair(at, 0, at + 4, this.#preopen(fd).length),
      fd_prestat_dir_name: (fd: number, at: number, length: number) =>
        void this.#bytes(at, length).set(this.#preopen(fd).subarray(0, length)),
      fd_read: (fd: number, vectors: number, count: number, at: number) => this.#read(fd, vectors, count, at),
      fd_write: (fd: number, vectors: number, count: number, at: number) => this.#write(fd, vectors, count, at),
      fd_seek: (fd: number, offset: bigint, whence: number, at: number) => {
        if (fd <= 2) throw new GuestError(ERRNO.ESPIPE);
        this.#view.setBigUint64(at, BigInt(this.#files.seek(fd, Number(offset), whence)), true);
      },
      fd_readdir: (fd: number, at: number, length: number, cookie: bigint, used: number) =>
        this.#list(fd, at, length, Number(cookie), used),
      path_filestat_get: (fd: number, flags: number, path: number, length: number, at: number) =>
        this.#writeStatus(at, this.#files.statusAt(fd, this.#text(path, length), (flags & LOOKUP_FOLLOW) !== 0), FILE_TYPE.directory),
      path_open: (
        fd: number,
        flags: number,
        path: number,
        length: number,
        how: number,
        rights: bigint,
        _inheriting: bigint,
        _flags: number,
        at: number,
      ) => {
        if ((how & OFLAGS_CREATE_EXCLUSIVE_TRUNCATE) !== 0 || ((rights & RIGHTS_WRITE) !== 0n && (how & OFLAGS_DIRECTORY) === 0)) {
          throw new GuestError(ERRNO.EROFS);
        }
        const opened = this.#files.open(fd, this.#text(path, length), (flags & LOOKUP_FOLLOW) !== 0, (how & OFLAGS_DIRECTORY) !== 0);
        this.#view.setUint32(at, opened, true);
      },
      path_readlink: (fd: number, path: number, length: number, into: number, room: number, used: number) => {
        const target = toBytes(this.#files.readLink(fd, this.#text(path, length))).subarray(0, room);
        this.#bytes(into, room).set(target);
        this.#view.setUint32(used, target.length, true);
      },
    };
  }

  #writeArgs(pointers: number, at: number): void {
    let to = at;
    this.#args.forEach((arg, index) => {
      this.#view.setUint32(pointers + 4 * index, to, true);
      this.#bytes(to, arg.length).set(arg);
      to += arg.length;
    });
  }

  /** Clock 0 is the wall clock; the others measure, and begin with the stage. */
  #clock(clock: number, at: number): void {
    const elapsedNs = BigInt(Math.round((performance.now() - this.#startedMs) * 1e6));
    this.#view.setBigUint64(at, clock === 0 ? BigInt(this.#nowMs) * 1_000_000n : elapsedNs, true);
  }

  /** xorshift32: seeds hash tables, and no secret depends on it. */
  #fillRandom(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      this.#random ^= this.#random << 13;
      this.#random ^= this.#random >>> 17;
      this.#random ^= this.#random << 5;
      bytes[i] = this.#random & 0xff;
    }
  }

  /** The standard streams are of unknown type: pipes. Not terminals. */
  #descriptorStatus(fd: number, at: number): void {
    const type = fd <= 2 ? UNKNOWN_TYPE : FILE_TYPE[this.#files.kindOf(fd)];
    this.#bytes(at, 24).fill(0);
    this.#view.setUint8(at, type);
    this.#view.setBigUint64(at + 8, 0xffff_ffffn, true);
    this.#view.setBigUint64(at + 16, 0xffff_ffffn, true);
  }

  #preopen(fd: number): Buffer {
    const name = this.#files.preopenName(fd);
    if (name === undefined) throw new GuestError(ERRNO.EBADF);
    return name;
  }

  #read(fd: number, vectors: number, count: number, at: number): void {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const into = this.#vector(vectors, i);
      if (into.length === 0) continue;
      if (fd === 1 || fd === 2) throw new GuestError(ERRNO.EBADF);
      const got = fd === 0 ? this.#streams.stdin(into) : this.#files.read(fd, into);
      total += got;
      if (got < into.length) break;
    }
    this.#view.setUint32(at, total, true);
  }

  #write(fd: number, vectors: number, count: number, at: number): void {
    if (fd !== 1 && fd !== 2) throw new GuestError(ERRNO.EBADF);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const bytes = this.#vector(vectors, i);
      if (fd === 1) this.#streams.stdout(bytes);
      else this.#streams.stderr(bytes);
      total += bytes.length;
    }
    this.#view.setUint32(at, total, true);
  }

  #list(fd: number, at: number, length: number, cookie: number, usedAt: number): void {
    let used = 0;
    const header = Buffer.alloc(DIRENT_BYTES);
    this.#files.list(fd, cookie, ({ name, kind }, next) => {
      header.writeBigUInt64LE(BigInt(next), 0);
      // The guest's C library asks for the status of every entry whose inode is 0.
      header.writeBigUInt64LE(1n, 8);
      header.writeUInt32LE(name.length, 16);
      header.writeUInt8(kind === undefined ? UNKNOWN_TYPE : FILE_TYPE[kind], 20);
      // An entry that does not fit is cut; the guest sees its buffer full and asks again from that entry.
      for (const part of [header, name]) {
        const fits = part.subarray(0, length - used);
        this.#bytes(at + used, fits.length).set(fits);
        used += fits.length;
      }
      return used < length;
    });
    this.#view.setUint32(usedAt, used, true);
  }

  /** `status` undefined: nothing is known but the type. */
  #writeStatus(at: number, status: FileStatus | undefined, otherwise: number): void {
    this.#bytes(at, FILESTAT_BYTES).fill(0);
    const view = this.#view;
    view.setUint8(at + 16, status === undefined ? otherwise : FILE_TYPE[status.kind]);
    if (status === undefined) return;
    view.setBigUint64(at, status.device, true);
    view.setBigUint64(at + 8, status.inode, true);
    view.setBigUint64(at + 24, BigInt(status.links), true);
    view.setBigUint64(at + 32, BigInt(status.size), true);
    view.setBigUint64(at + 40, status.accessedNs, true);
    view.setBigUint64(at + 48, status.modifiedNs, true);
    view.setBigUint64(at + 56, status.changedNs, true);
  }

  #pair(at: number, value: number, otherAt: number, other: number): void {
    this.#view.setUint32(at, value, true);
    this.#view.setUint32(otherAt, other, true);
  }

  #vector(vectors: number, index: number): Uint8Array {
    const view = this.#view;
    return this.#bytes(view.getUint32(vectors + 8 * index, true), view.getUint32(vectors + 8 * index + 4, true));
  }

  #text(at: number, length: number): string {
    return toText(this.#bytes(at, length));
  }

  get #buffer(): ArrayBuffer {
    if (this.#memory === undefined) throw new Error("a system call before the instance is there");
    return this.#memory.buffer;
  }

  get #view(): DataView {
    return new DataView(this.#buffer);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer, at >>> 0, length);
  }
}
