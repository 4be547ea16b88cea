/**
 * A directory held open in which files are made, replaced and removed. Every name is a single component, reached
 * through the held descriptor, so that nothing another process does to the path leads a write elsewhere. Symbolic
 * links are never followed. Every method throws FileError, which names the path relative to the root.
 */
import { constants, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from "node:fs";
import { isWindows } from "../../io/platform.ts";
import {
  accessHandle,
  changeEntryPermissions,
  changeEntryTimes,
  holdAny,
  holdDirectory,
  inDirectory,
  linkStatus,
  listHeld,
  readLinkIn,
  release,
  reopen,
  statusOfHandle,
} from "../walk/descriptor.ts";
import { entriesInKernelOrder } from "../walk/directory-reader.ts";
import { FileError, type FileErrorCode } from "../file-error.ts";
import { fileErrorFrom, isSystemError } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import { toBytes } from "../../io/text.ts";
import { patiently } from "./patient-call.ts";
import { WritableFile } from "./write-file.ts";

/** Linux's, which Node does not name; it sets it on every descriptor itself. */
const O_CLOEXEC = process.platform === "linux" ? 0o2000000 : 0;
/** Windows names neither, and has no links to refuse; what makes a write wait for the disk there is libuv's UV_FS_O_SYNC. */
const { O_NOFOLLOW = 0, O_SYNC = 0x08000000 } = constants as { O_NOFOLLOW?: number; O_SYNC?: number };
/** Errors of link(2) on file systems where a file has one name. */
const NO_SECOND_NAMES = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];
const CREATE = constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW | O_CLOEXEC;

export class WritableDirectory {
  /** Relative to the root; "" is the root. */
  readonly path: string;
  readonly #handle: number;
  #open = true;

  /** Takes over `handle`. */
  constructor(handle: number, path: string) {
    this.#handle = handle;
    this.path = path;
  }

  /** lstat(2) of `name`, or undefined where there is nothing. */
  status(name: string): FileStatus | undefined {
    return this.#unless("ENOENT", name, () => linkStatus(this.#handle, name));
  }

  /** The target of the symbolic link `name`; undefined if nothing has that name. EINVAL if it is not a link. */
  linkTarget(name: string): string | undefined {
    return this.#unless("ENOENT", name, () => readLinkIn(this.#handle, name));
  }

  /** The directory `name`; undefined if nothing has that name. ENOTDIR if it is anything else, a link included. */
  directory(name: string): WritableDirectory | undefined {
    return this.#unless("ENOENT", name, () => new WritableDirectory(holdDirectory(this.#handle, name), this.#pathOf(name)));
  }

  /** The names in it, in any order. */
  names(): readonly string[] {
    return this.#attempt("", () => listHeld(this.#handle, entriesInKernelOrder).map(({ name }) => name));
  }

  /** Makes the directory `name` (`permissions` less the umask). False where something of that name is there. */
  makeDirectory(name: string, permissions: number): boolean {
    return this.#done("EEXIST", name, () => mkdirSync(inDirectory(this.#handle, name), permissions));
  }

  /**
   * A new file for reading and writing (`permissions` less the umask); undefined where something of that name is
   * there. With `durable` each write waits until it is on disk (O_SYNC).
   */
  create(
    name: string,
    permissions: number,
    options: { readonly durable?: boolean; readonly appends?: boolean } = {},
  ): WritableFile | undefined {
    return this.#unless("EEXIST", name, () =>
      this.#held(
        openSync(
          inDirectory(this.#handle, name),
          CREATE | constants.O_RDWR | (options.durable === true ? O_SYNC : 0) | (options.appends === true ? constants.O_APPEND : 0),
          permissions,
        ),
        name,
      ),
    );
  }

  /** The regular file `name` for reading; undefined where there is nothing. NOT_REGULAR_FILE for anything else. */
  open(name: string): WritableFile | undefined {
    return this.#reopened(name, constants.O_RDONLY);
  }

  /**
   * The regular file `name` for appending (durable unless that is declined) and reading back, created where it is
   * missing. A file with a second name is refused like one that is no file: what is appended to it would appear
   * elsewhere too.
   */
  openLog(
    name: string,
    permissions: number,
    options: { readonly durable?: boolean } = {},
  ): { readonly file: WritableFile; readonly created: boolean } {
    const flags = constants.O_APPEND | constants.O_RDWR | (options.durable === false ? 0 : O_SYNC);
    for (;;) {
      const there = this.#reopened(name, flags);
      if (there !== undefined) {
        if (there.status.links === 1) return { file: there, created: false };
        there.close();
        throw new FileError("NOT_REGULAR_FILE", this.#pathOf(name), "Has more than one name");
      }
      const made = this.#unless("EEXIST", name, () => openSync(inDirectory(this.#handle, name), CREATE | flags, permissions));
      if (made !== undefined) return { file: this.#held(made, name), created: true };
    }
  }

  /** rename(2), to a name of this directory or of `directory`: what `to` was is gone, and never was there half of anything. */
  rename(from: string, to: string, directory: WritableDirectory = this): void {
    if (isWindows) directory.#unmark(to);
    this.#attempt(to, () => patiently(() => renameSync(inDirectory(this.#handle, from), inDirectory(directory.#handle, to))));
  }

  /** Takes the mark against writing from `name`, with which Windows lets no other file have its name. */
  #unmark(name: string): void {
    const status = this.status(name);
    if (status?.kind === "file" && (status.permissions & 0o200) === 0) this.changePermissions(name, status.permissions | 0o200);
  }

  /** Gives the file `from` the further name `to`, here or in `directory`. False where that name is taken. */
  link(from: string, to: string, directory: WritableDirectory = this): boolean {
    return this.#done("EEXIST", to, () => linkSync(inDirectory(this.#handle, from), inDirectory(directory.#handle, to)));
  }

  /**
   * Makes the symbolic link `name` with this text. EEXIST where something of that name is there; EPERM under Node's
   * permission model, which forbids it.
   */
  makeLink(name: string, text: string): void {
    if (process.permission !== undefined) throw new FileError("EPERM", this.#pathOf(name));
    this.#attempt(name, () => symlinkSync(toBytes(text), inDirectory(this.#handle, name)));
  }

  /** Sets the permission bits of `name`, which is no symbolic link: ELOOP. */
  changePermissions(name: string, permissions: number): void {
    this.#attempt(name, () => changeEntryPermissions(this.#handle, name, permissions));
  }

  /** Sets the times of `name`, a symbolic link's own if it is one; to the microsecond. */
  changeTimes(name: string, accessedNs: bigint, modifiedNs: bigint): void {
    this.#attempt(name, () => changeEntryTimes(this.#handle, name, accessedNs, modifiedNs));
  }

  /**
   * Gives the file `from` the name `to`, if nothing of that name is there; false where there is, however late it came. Its
   * own name may stay, for the caller to remove. A file system without second names gets an empty file there first, which
   * is then replaced.
   */
  giveFreeName(from: string, to: string): boolean {
    try {
      linkSync(inDirectory(this.#handle, from), inDirectory(this.#handle, to));
      if (isWindows) this.#removeBeside(from, to);
      return true;
    } catch (thrown) {
      if (isSystemError(thrown, "EEXIST")) return false;
      if (!NO_SECOND_NAMES.some((code) => isSystemError(thrown, code))) throw fileErrorFrom(thrown, this.#pathOf(to));
      const placeholder = this.create(to, 0o600);
      if (placeholder === undefined) return false;
      placeholder.close();
      this.rename(from, to);
      return true;
    }
  }

  /** Removes the name `from` of the file that is `to`, too: to do so Windows takes its mark against writing away, by either name. */
  #removeBeside(from: string, to: string): void {
    const permissions = this.status(to)?.permissions ?? 0o200;
    if ((permissions & 0o200) !== 0) return;
    this.remove(from);
    this.changePermissions(to, permissions);
  }

  /** Removes the name of a file. False where it is not there. */
  remove(name: string): boolean {
    return this.#done("ENOENT", name, () => patiently(() => unlinkSync(inDirectory(this.#handle, name))));
  }

  /** Removes the directory `name` if it is there and empty. */
  removeEmptyDirectory(name: string): void {
    try {
      this.#attempt(name, () => rmdirSync(inDirectory(this.#handle, name)));
    } catch (thrown) {
      if (!(thrown instanceof FileError) || !["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(thrown.code)) throw thrown;
    }
  }

  /** rmdir(2). Throws FileError ENOTEMPTY, ENOENT, …. */
  removeDirectory(name: string): void {
    this.#attempt(name, () => rmdirSync(inDirectory(this.#handle, name)));
  }

  /** Throws FileError EACCES, EPERM or EROFS, which names `path`, where this process may not make and remove names here. */
  checkWritable(path: string): void {
    checkChange(this.#handle, path);
  }

  /**
   * Makes the names in this directory survive a loss of power (fsync(2)), where Node lets us: not under its permission
   * model. There a name is as durable as the file system makes it with the next O_SYNC write: on ext4 and XFS, whose
   * log is in order, fully. Nothing depends on it but that a write that was done is still there after a loss of power.
   */
  sync(): void {
    if (process.permission !== undefined || isWindows) return;
    this.#attempt("", () => {
      const descriptor = reopen(this.#handle, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        fsyncSync(descriptor);
      } finally {
        release(descriptor);
      }
    });
  }

  /** Harmless when repeated. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    release(this.#handle);
  }

  /** Looks at what `name` is before it is opened, so that a FIFO or a device never is. */
  #reopened(name: string, flags: number): WritableFile | undefined {
    return this.#unless("ENOENT", name, () => {
      const place = holdAny(this.#handle, name);
      try {
        if (statusOfHandle(place).kind !== "file") throw new FileError("NOT_REGULAR_FILE", this.#pathOf(name));
        return this.#held(reopen(place, flags), name);
      } finally {
        release(place);
      }
    });
  }

  #held(descriptor: number, name: string): WritableFile {
    return new WritableFile(descriptor, this.#pathOf(name), { parent: this.#handle, name });
  }

  #pathOf(name: string): string {
    return this.path === "" || name === "" ? this.path + name : `${this.path}/${name}`;
  }

  /** False where `action` fails with `code`. */
  #done(code: FileErrorCode, name: string, action: () => void): boolean {
    const done = this.#unless(code, name, () => {
      action();
      return true;
    });
    return done ?? false;
  }

  /** The result of `action`, or undefined if it fails with `code`. */
  #unless<T>(code: FileErrorCode, name: string, action: () => T): T | undefined {
    try {
      return this.#attempt(name, action);
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === code) return undefined;
      throw thrown;
    }
  }

  #attempt<T>(name: string, action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      if (thrown instanceof FileError) throw thrown;
      throw fileErrorFrom(thrown, this.#pathOf(name));
    }
  }
}

/**
 * Throws FileError EACCES, EPERM or EROFS, which names `path`, where names may not be made and removed in the directory that
 * `handle` holds, as far as access(2) knows.
 */
export function checkChange(handle: number, path: string): void {
  try {
    accessHandle(handle, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}
