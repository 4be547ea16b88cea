/**
 * The system calls of a module that Emscripten linked, answered by the workspace and two streams: only standard output and
 * standard error are written, the environment is the line's own and the wall clock stands still at the call's instant. Written from
 * the declarations in Emscripten's libc (system/lib/libc, struct layouts of wasm32). Emscripten's own JavaScript is not used:
 * it would fetch, read the environment and keep a file system of its own.
 */
import { toBytes, toText } from "../io/text.ts";
import type { FileKind, FileStatus } from "../workspace/file-status.ts";
import type { BufferedStreams } from "./buffered-streams.ts";
import type { EmscriptenFiles } from "./emscripten-files.ts";
import { errorOf, GuestError } from "./guest-files.ts";
import { GuestCalendar } from "./guest-calendar.ts";
import { ERRNO, inGlibcWords, SUCCESS } from "./wasi-errno.ts";
import { GuestExit } from "./wasi-host.ts";

export interface EmscriptenHostOptions {
  readonly files: EmscriptenFiles;
  /** `NAME=value`. */
  readonly environment: readonly string[];
  readonly streams: BufferedStreams;
  readonly nowMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The most its memory may be, in bytes. */
  readonly memoryBytes: number;
}

/** Thrown through a guest that ended because it was given no more memory. */
export class GuestMemoryFull extends Error {
  override readonly name = "GuestMemoryFull";
}

const MODE: Readonly<Record<FileKind, number>> = {
  "block-device": 0o060000,
  "character-device": 0o020000,
  directory: 0o040000,
  file: 0o100000,
  socket: 0o140000,
  symlink: 0o120000,
  fifo: 0o010000,
};
/** Descriptor-relative calls from the current directory. */
const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
/** open(2): write-only, read-write, create, truncate, append. */
const O_WRITES = 1 | 2 | 64 | 512 | 1024;
const F_GETFL = 3;
const STAT_BYTES = 96;
const PAGE_BYTES = 65536;
/** Exit status that a shell reports for a program that abort(3) ended. */
const ABORTED = 134;

export class EmscriptenHost {
  readonly #files: EmscriptenFiles;
  readonly #streams: BufferedStreams;
  readonly #environment: readonly Uint8Array[];
  readonly #nowMs: number;
  readonly #memoryBytes: number;
  readonly #calendar: GuestCalendar;
  #memory: WebAssembly.Memory | undefined;
  /** Its memory, as bytes and as words. */
  #view: Buffer = Buffer.alloc(0);
  #words: Uint32Array = new Uint32Array(0);
  #memoryRefused = false;
  /** Error numbers of the file calls that failed so far. */
  readonly #failures = new Set<number>();

  constructor(options: EmscriptenHostOptions) {
    this.#files = options.files;
    this.#streams = options.streams;
    this.#environment = options.environment.map((each) => toBytes(`${each}\0`));
    this.#nowMs = options.nowMs;
    this.#memoryBytes = options.memoryBytes;
    this.#calendar = new GuestCalendar(options.timeZone);
  }

  /** The guest's memory, once there is an instance; `allocate` finds room in it for the life of the guest. */
  attach(memory: WebAssembly.Memory, allocate: (bytes: number) => number): void {
    this.#memory = memory;
    this.#lookAt(memory);
    const put = (text: string): number => {
      const bytes = Buffer.from(`${text}\0`, "latin1");
      const at = allocate(bytes.length);
      this.#view.set(bytes, at);
      return at;
    };
    this.#calendar.zoneNamesAt = { universal: put("GMT"), local: put(this.#calendar.zoneName(this.#nowMs)) };
  }

  /**
   * The imports of the module; `names` maps each of the module's short names to a call. Throws Error for an import that is
   * not here.
   */
  importsFor(module: WebAssembly.Module, names: Readonly<Record<string, string>>): WebAssembly.Imports {
    const calls = this.#calls();
    const imports: Record<string, Record<string, (...args: never[]) => unknown>> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      const call = calls[names[name] ?? ""];
      if (kind !== "function" || call === undefined) throw new Error(`the module imports ${from}.${name}`);
      imports[from] ??= {};
      (imports[from] as Record<string, (...args: never[]) => unknown>)[name] = call;
    }
    return imports;
  }

  #calls(): Record<string, (...args: never[]) => unknown> {
    return {
      ...this.#fileCalls(),
      ...this.#descriptorCalls(),
      ...this.#timeCalls(),
      environ_sizes_get: (count: number, bytes: number) =>
        this.#pair(
          count,
          this.#environment.length,
          bytes,
          this.#environment.reduce((sum, each) => sum + each.length, 0),
        ),
      environ_get: (pointers: number, at: number) => this.#putEnvironment(pointers >>> 0, at >>> 0),
      emscripten_date_now: () => this.#nowMs,
      emscripten_resize_heap: (bytes: number) => this.#grow(bytes >>> 0),
      emscripten_runtime_keepalive_clear: () => {},
      /** Seeds hash tables, and no secret depends on it. */
      random_get: (at: number, length: number) => {
        this.#view.fill(0x5b, at >>> 0, (at >>> 0) + length);
        return SUCCESS;
      },
      call_sighandler: () => {},
      exit: (status: number) => exit(status),
      abort: () => {
        if (this.#memoryRefused) throw new GuestMemoryFull();
        exit(ABORTED);
      },
      assert_fail: (condition: number, file: number, line: number, inFunction: number) => {
        const where = `${this.#text(file)}:${line}: ${this.#text(inFunction)}`;
        this.#streams.stderr(toBytes(`jq: ${where}: Assertion \`${this.#text(condition)}' failed.\n`));
        exit(ABORTED);
      },
    };
  }

  #putEnvironment(pointers: number, at: number): number {
    let place = at;
    for (const [index, each] of this.#environment.entries()) {
      this.#view.set(each, place);
      this.#view.writeUInt32LE(place, pointers + 4 * index);
      place += each.length;
    }
    return SUCCESS;
  }

  /** Calls that take a path. They answer a negative error number. */
  #fileCalls(): Record<string, (...args: never[]) => unknown> {
    const linuxCall =
      <Args extends readonly number[]>(call: (...args: Args) => number) =>
      (...args: Args): number => {
        const errno = errorOf(() => {
          result = call(...args);
        });
        if (errno === SUCCESS) return result;
        this.#failures.add(errno);
        return -errno;
      };
    let result = 0;
    return {
      openat: linuxCall((directory: number, path: number, flags: number) => {
        if ((flags & O_WRITES) !== 0) throw new GuestError(ERRNO.EROFS);
        return this.#files.open(this.#pathAt(directory, path));
      }),
      stat64: linuxCall((path: number, at: number) => this.#writeStatus(at, this.#files.statusAt(this.#text(path), true))),
      lstat64: linuxCall((path: number, at: number) => this.#writeStatus(at, this.#files.statusAt(this.#text(path), false))),
      newfstatat: linuxCall((directory: number, path: number, at: number, flags: number) =>
        this.#writeStatus(at, this.#files.statusAt(this.#pathAt(directory, path), (flags & AT_SYMLINK_NOFOLLOW) === 0)),
      ),
      fstat64: linuxCall((descriptor: number, at: number) =>
        this.#writeStatus(at, descriptor <= 2 ? undefined : this.#files.statusOf(descriptor), MODE.fifo),
      ),
      readlinkat: linuxCall((directory: number, path: number, into: number, room: number) => {
        const target = toBytes(this.#files.readLink(this.#pathAt(directory, path))).subarray(0, room);
        this.#view.set(target, into >>> 0);
        return target.length;
      }),
      getcwd: linuxCall((into: number, room: number) => {
        const path = Buffer.concat([toBytes(this.#files.currentDirectory), Buffer.of(0)]);
        if (room < path.length) throw new GuestError(ERRNO.ERANGE);
        this.#view.set(path, into >>> 0);
        return path.length;
      }),
      fcntl64: linuxCall((_descriptor: number, command: number) => (command === F_GETFL ? 0 : SUCCESS)),
      /** No descriptor is a terminal. */
      ioctl: () => -ERRNO.ENOTTY,
    };
  }

  /** Calls of WASI, which Emscripten's libc uses for descriptors. They answer an error number. */
  #descriptorCalls(): Record<string, (...args: never[]) => unknown> {
    return {
      fd_close: (descriptor: number) => (descriptor <= 2 ? SUCCESS : errorOf(() => this.#files.close(descriptor))),
      fd_fdstat_get: (_descriptor: number, at: number) => {
        this.#view.fill(0, at >>> 0, (at >>> 0) + 24);
        return SUCCESS;
      },
      fd_seek: (descriptor: number, offset: bigint, whence: number, at: number) =>
        errorOf(() => {
          this.#view.writeBigInt64LE(BigInt(this.#files.seek(descriptor, Number(offset), whence)), at >>> 0);
        }),
      fd_read: (descriptor: number, vectors: number, count: number, at: number) =>
        errorOf(() => this.#read(descriptor, vectors >>> 2, count, at >>> 2)),
      fd_write: (descriptor: number, vectors: number, count: number, at: number) =>
        descriptor === 1 || descriptor === 2 ? this.#write(descriptor, vectors >>> 2, count, at >>> 2) : ERRNO.EBADF,
    };
  }

  #timeCalls(): Record<string, (...args: never[]) => unknown> {
    const calendar = this.#calendar;
    return {
      gmtime: (seconds: bigint, at: number) => calendar.writeUniversal(this.#view, at >>> 0, seconds),
      localtime: (seconds: bigint, at: number) => calendar.writeLocal(this.#view, at >>> 0, seconds),
      timegm: (at: number) => calendar.universalSeconds(this.#view, at >>> 0),
      mktime: (at: number) => calendar.localSeconds(this.#view, at >>> 0),
      tzset: (zone: number, daylight: number, standardName: number, daylightName: number) => {
        this.#pair(zone, 0, daylight, 0);
        for (const at of [standardName, daylightName]) {
          this.#view.set(Buffer.from(`${calendar.zoneName(this.#nowMs).slice(0, 16)}\0`, "latin1"), at >>> 0);
        }
      },
      strptime: (text: number, format: number, at: number) => {
        const [bytes, pattern] = [this.#string(text), this.#string(format)];
        const read = calendar.parse(this.#view, at >>> 0, bytes.toString("latin1"), pattern.toString("latin1"));
        return read === undefined ? 0 : text + read;
      },
    };
  }

  /** Fills `count` vectors in turn. Addresses of vectors and result are in words. */
  #read(descriptor: number, vectors: number, count: number, at: number): void {
    const words = this.#words;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const from = words[vectors + 2 * i] as number;
      const length = words[vectors + 2 * i + 1] as number;
      if (length === 0) continue;
      const done = this.#files.read(descriptor, this.#view.subarray(from, from + length));
      total += done;
      if (done < length) break;
    }
    words[at] = total;
  }

  /** Standard output is written by the line, so this is called as often as there are lines. */
  #write(descriptor: 1 | 2, vectors: number, count: number, at: number): number {
    const words = this.#words;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const from = words[vectors + 2 * i] as number;
      const length = words[vectors + 2 * i + 1] as number;
      if (descriptor === 1) this.#streams.stdout(this.#view, from, from + length);
      else if (length > 0) this.#streams.stderr(inGlibcWords(this.#view.subarray(from, from + length), this.#failures));
      total += length;
    }
    words[at] = total;
    return SUCCESS;
  }

  /** 1 where the memory now is at least `bytes`. Grows by a fifth or more, as every growth copies. */
  #grow(bytes: number): number {
    const memory = this.#memory as WebAssembly.Memory;
    const now = memory.buffer.byteLength;
    const wanted = Math.min(Math.max(bytes, Math.ceil(now * 1.2)), this.#memoryBytes);
    try {
      if (bytes > this.#memoryBytes) throw new RangeError("past the limit");
      memory.grow(Math.ceil((wanted - now) / PAGE_BYTES));
      this.#lookAt(memory);
      return 1;
    } catch {
      this.#memoryRefused = true;
      return 0;
    }
  }

  #pathAt(directory: number, path: number): string {
    const text = this.#text(path);
    if (directory !== AT_FDCWD && !text.startsWith("/")) throw new GuestError(ERRNO.EBADF);
    return text;
  }

  /** Layout of wasm32's struct stat. `status` undefined: nothing is known but the type, `otherwise`. */
  #writeStatus(at: number, status: FileStatus | undefined, otherwise = MODE.directory): number {
    const view = this.#view;
    view.fill(0, at, at + STAT_BYTES);
    view.writeUInt32LE(status === undefined ? otherwise : MODE[status.kind], at + 4);
    view.writeUInt32LE(1, at + 8);
    if (status === undefined) return SUCCESS;
    view.writeBigUInt64LE(BigInt(status.size), at + 24);
    view.writeUInt32LE(PAGE_BYTES, at + 32);
    view.writeBigUInt64LE(status.inode, at + 88);
    return SUCCESS;
  }

  #pair(at: number, value: number, otherAt: number, other: number): number {
    this.#view.writeUInt32LE(value, at >>> 0);
    this.#view.writeUInt32LE(other, otherAt >>> 0);
    return SUCCESS;
  }

  #text(at: number): string {
    return toText(this.#string(at));
  }

  /** A C string; empty at null. */
  #string(at: number): Buffer {
    const from = at >>> 0;
    return from === 0 ? Buffer.alloc(0) : this.#view.subarray(from, this.#view.indexOf(0, from));
  }

  /** Growing makes a new buffer. Only `#grow` does it: the guest has no other way that it uses. */
  #lookAt({ buffer }: WebAssembly.Memory): void {
    this.#view = Buffer.from(buffer);
    this.#words = new Uint32Array(buffer);
  }
}

function exit(status: number): never {
  throw new GuestExit(status);
}
