/** The open files of an Emscripten guest: its descriptor numbers and its paths, answered by the workspace. */
import { isStandardInput } from "../builtin/inputs.ts";
import type { Files, OpenFile } from "../workspace/contract.ts";
import { absolutePath } from "../walk/canonical-path.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import { GuestError } from "./guest-files.ts";
import { ERRNO } from "./wasi-errno.ts";

/** Descriptors a guest may hold at once. */
const MAX_DESCRIPTORS = 256;
const FIRST_DESCRIPTOR = 3;
/** Bytes of a file read at once: the guest asks for a kilobyte at a time. */
const READ_AHEAD_BYTES = 1 << 18;

/** A directory can be opened and not read. `/dev/stdin` is the stage's input. */
type Opened = OpenedFile | { readonly kind: "directory"; readonly status: FileStatus } | { readonly kind: "stdin" };

interface OpenedFile {
  readonly kind: "file";
  readonly file: OpenFile;
  /** Position of the next byte to be handed out. */
  position: number;
  /** Bytes read ahead, from `position` on. */
  ahead: Uint8Array;
  readonly buffer: Uint8Array;
}

export class EmscriptenFiles {
  readonly #files: Files;
  readonly #stdin: (into: Uint8Array) => number;
  readonly #open = new Map<number, Opened>();

  /** `stdin` reads what is there, waiting for at least one byte; 0 at the end. */
  constructor(files: Files, stdin: (into: Uint8Array) => number) {
    this.#files = files;
    this.#stdin = stdin;
  }

  /** Absolute, as the guest sees it. */
  get currentDirectory(): string {
    return absolutePath(this.#files, this.#files.currentDirectory);
  }

  /** Opens for reading. Throws FileError or GuestError. */
  open(path: string): number {
    if (path === "") throw new GuestError(ERRNO.ENOENT);
    if (this.#open.size >= MAX_DESCRIPTORS) throw new GuestError(ERRNO.EMFILE);
    let number = FIRST_DESCRIPTOR;
    while (this.#open.has(number)) number++;
    this.#open.set(number, this.#opened(path));
    return number;
  }

  close(descriptor: number): void {
    const opened = this.#at(descriptor);
    this.#open.delete(descriptor);
    if (opened.kind === "file") opened.file.close();
  }

  closeAll(): void {
    for (const descriptor of [...this.#open.keys()]) this.close(descriptor);
  }

  /** Returns how many bytes, 0 at the end. */
  read(descriptor: number, into: Uint8Array): number {
    if (descriptor === 0) return this.#stdin(into);
    const opened = this.#at(descriptor);
    if (opened.kind === "directory") throw new GuestError(ERRNO.EISDIR);
    if (opened.kind === "stdin") return this.#stdin(into);
    if (opened.ahead.length === 0) {
      const count = opened.file.readAt(opened.buffer, opened.position);
      opened.ahead = opened.buffer.subarray(0, count);
    }
    const bytes = opened.ahead.subarray(0, into.length);
    into.set(bytes);
    opened.ahead = opened.ahead.subarray(bytes.length);
    opened.position += bytes.length;
    return bytes.length;
  }

  /** lseek(2): `whence` 0 from the start, 1 from here, 2 from the end. Returns the new position. */
  seek(descriptor: number, offset: number, whence: number): number {
    const opened = descriptor <= 2 ? undefined : this.#at(descriptor);
    if (opened?.kind !== "file") throw new GuestError(ERRNO.ESPIPE);
    const base = whence === 0 ? 0 : whence === 1 ? opened.position : opened.file.status.size;
    if (base + offset < 0) throw new GuestError(ERRNO.EINVAL);
    opened.position = base + offset;
    opened.ahead = NOTHING;
    return opened.position;
  }

  /** undefined: standard input. */
  statusOf(descriptor: number): FileStatus | undefined {
    const opened = this.#at(descriptor);
    return opened.kind === "stdin" ? undefined : opened.kind === "file" ? opened.file.status : opened.status;
  }

  /** undefined: a directory above the root, of which no more is known. Throws FileError. */
  statusAt(path: string, follow: boolean): FileStatus | undefined {
    return this.#isAboveRoot(path) ? undefined : this.#files.status(path, { follow });
  }

  readLink(path: string): string {
    if (this.#isAboveRoot(path)) throw new GuestError(ERRNO.EINVAL);
    return this.#files.readLink(path);
  }

  #opened(path: string): Opened {
    if (path !== "-" && isStandardInput(path)) return { kind: "stdin" };
    try {
      const file = this.#files.open(path);
      return { kind: "file", file, position: 0, ahead: NOTHING, buffer: new Uint8Array(READ_AHEAD_BYTES) };
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "EISDIR") throw thrown;
      return { kind: "directory", status: this.#files.status(path) };
    }
  }

  #at(descriptor: number): Opened {
    const opened = this.#open.get(descriptor);
    if (opened === undefined) throw new GuestError(ERRNO.EBADF);
    return opened;
  }

  /** Tells whether `path` is a directory on the way to the root: realpath(3) asks for the status of each. */
  #isAboveRoot(path: string): boolean {
    const { rootPath } = this.#files;
    const bare = path.replace(/\/+$/, "");
    return path.startsWith("/") && bare !== rootPath && (bare === "" || rootPath.startsWith(`${bare}/`));
  }
}

const NOTHING = new Uint8Array(0);
