/**
 * The only way to a file. `Workspace.open` is the one function that turns a host path into authority; everything
 * else takes paths that are relative to the root (or absolute and under it) and walks them by descriptor.
 *
 * Linux: confinement holds against other processes that change the tree meanwhile (see path-walk.ts).
 */
import { accessSync, constants, readSync, readlinkSync, type Dir } from "node:fs";
import { BLOCK_BYTES } from "../io/output.ts";
import { toText } from "../io/text.ts";
import { hostAccounts, type Accounts } from "./accounts.ts";
import type { Files, OpenDirectory, OpenFile } from "./contract.ts";
import {
  followedStatus,
  holdAny,
  holdDirectory,
  holdHostDirectory,
  linkStatus,
  ofHandle,
  openDirectoryStream,
  readLinkIn,
  release,
  reopen,
  statusOfHandle,
} from "./descriptor.ts";
import { FileError, fileErrorFrom } from "./file-error.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "./file-status.ts";
import { isSystemError, walkPath, type Place, type WalkOptions } from "./path-walk.ts";

/** The directory at the root that holds our mirror and journal. */
export const RECORD_DIRECTORY = ".shelpa";

const READ_BYTES = 4 * BLOCK_BYTES;

export interface WorkspaceOptions {
  /** Further absolute prefixes that mean the root (a container's mount point on the host). */
  readonly aliases?: readonly string[];
}

/** State that all views of one workspace share. */
interface Root {
  readonly handle: number;
  /** As given, without a trailing slash. */
  readonly path: string;
  /** Absolute prefixes that mean the root, longest first: as given, canonical, aliases. */
  readonly prefixes: readonly string[];
  readonly canonical: string;
  readonly accounts: Accounts;
}

export class Workspace implements Files {
  readonly currentDirectory: string;
  readonly hiddenName = RECORD_DIRECTORY;
  readonly #root: Root;

  private constructor(root: Root, currentDirectory: string) {
    this.#root = root;
    this.currentDirectory = currentDirectory;
  }

  /**
   * Opens the host directory `hostDirectory` (absolute) as a workspace.
   * Throws FileError ENOENT, ENOTDIR or EACCES.
   */
  static open(hostDirectory: string, options: WorkspaceOptions = {}): Workspace {
    const path = withoutTrailingSlash(hostDirectory);
    try {
      const handle = holdHostDirectory(hostDirectory);
      const canonical = readlinkSync(ofHandle(handle));
      const prefixes = [...new Set([path, canonical, ...(options.aliases ?? []).map(withoutTrailingSlash)])];
      prefixes.sort((a, b) => b.length - a.length);
      return new Workspace({ handle, path, prefixes, canonical, accounts: hostAccounts() }, "");
    } catch (thrown) {
      throw fileErrorFrom(thrown, hostDirectory);
    }
  }

  /** The same workspace seen from another current directory (relative to the root, as navigated). */
  at(currentDirectory: string): Workspace {
    return new Workspace(this.#root, currentDirectory);
  }

  close(): void {
    release(this.#root.handle);
  }

  get rootPath(): string {
    return this.#root.path;
  }

  get userId(): number {
    return process.getuid?.() ?? 0;
  }

  get groupId(): number {
    return process.getgid?.() ?? 0;
  }

  userName(userId: number): string | undefined {
    return this.#root.accounts.users.get(userId);
  }

  groupName(groupId: number): string | undefined {
    return this.#root.accounts.groups.get(groupId);
  }

  open(path: string): OpenFile {
    if (path === NULL_DEVICE) return new NullFile();
    return this.#use(path, { follow: true }, (place) => openRegular(place, path));
  }

  openDirectory(path: string): OpenDirectory {
    return this.#use(path, { follow: true }, (place) => {
      if (place.status?.kind !== "directory") throw new FileError("ENOTDIR", path);
      const isRoot = place.name === "";
      const held = isRoot ? reopenPath(this.#root.handle) : holdDirectory(place.parent as number, place.name);
      return new HeldDirectory(this.#root, held, place.canonical, path);
    });
  }

  status(path: string, options: { readonly follow?: boolean } = {}): FileStatus {
    if (path === NULL_DEVICE) return NULL_STATUS;
    return this.#use(path, { follow: options.follow ?? true }, (place) => place.status as FileStatus);
  }

  readLink(path: string): string {
    return this.#use(path, { follow: false }, (place) => {
      if (place.status?.kind !== "symlink") throw new FileError("EINVAL", path);
      return readLinkIn(place.parent as number, place.name);
    });
  }

  realPath(path: string): string {
    return this.#use(path, { follow: true }, (place) => place.canonical);
  }

  access(path: string, wanted: "read" | "write" | "execute"): boolean {
    if (path === NULL_DEVICE) return wanted !== "execute";
    return this.#use(path, { follow: true }, (place) => {
      const mode = { read: constants.R_OK, write: constants.W_OK, execute: constants.X_OK }[wanted];
      try {
        accessSync(ofHandle(place.handle as number), mode);
        return true;
      } catch (thrown) {
        if (isSystemError(thrown, "EACCES") || isSystemError(thrown, "EROFS") || isSystemError(thrown, "EPERM")) return false;
        throw thrown;
      }
    });
  }

  /** Walks `path` and gives the place to `use`; every descriptor is closed afterwards. */
  #use<T>(path: string, options: WalkOptions, use: (place: Place) => T): T {
    const place = this.#walk(path, options);
    try {
      return use(place);
    } catch (thrown) {
      if (thrown instanceof FileError) throw thrown;
      throw fileErrorFrom(thrown, path);
    } finally {
      place.release();
    }
  }

  #walk(path: string, options: WalkOptions): Place {
    if (path === "") throw new FileError("ENOENT", path);
    const absolute = path.startsWith("/");
    const components = absolute ? componentsUnder(this.#root.prefixes, path) : path.split("/");
    if (components === undefined) throw new FileError("PATH_ESCAPE", path);
    const all = absolute ? components : [...this.currentDirectory.split("/"), ...components];
    const place = walkPath(this.#root.handle, withDirectoryMark(all), path, (target) => componentsUnder([this.#root.canonical], target), options);
    return place;
  }
}

/** `a/` names a directory: the walk must enter it, so the mark becomes a `.` component. */
function withDirectoryMark(components: readonly string[]): readonly string[] {
  return components.at(-1) === "" && components.length > 1 ? [...components.slice(0, -1), "."] : components;
}

/** The components of `absolute` below whichever prefix it is at or under; undefined where it is under none. */
function componentsUnder(prefixes: readonly string[], absolute: string): readonly string[] | undefined {
  const squeezed = absolute.replace(/\/{2,}/g, "/");
  for (const prefix of prefixes) {
    if (squeezed === prefix || prefix === "/") return squeezed.slice(prefix === "/" ? 1 : prefix.length).split("/");
    if (squeezed.startsWith(`${prefix}/`)) return squeezed.slice(prefix.length + 1).split("/");
  }
  return undefined;
}

function withoutTrailingSlash(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? "/" : trimmed;
}

function reopenPath(handle: number): number {
  return holdAny(handle, ".");
}

/** Opens what `place` holds if it is a regular file; nothing else is ever opened. */
function openRegular(place: Place, path: string): OpenFile {
  const kind = place.status?.kind;
  if (kind === "directory") throw new FileError("EISDIR", path);
  if (kind === "symlink") throw new FileError("ELOOP", path);
  if (kind !== "file") throw new FileError("NOT_REGULAR_FILE", path);
  const descriptor = reopen(place.handle as number, constants.O_RDONLY);
  return new HeldFile(descriptor, statusOfHandle(descriptor), path);
}

class HeldFile implements OpenFile {
  readonly status: FileStatus;
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(descriptor: number, status: FileStatus, path: string) {
    this.#descriptor = descriptor;
    this.status = status;
    this.#path = path;
  }

  *blocks(fromByte = 0): Generator<Uint8Array, void> {
    try {
      let position = fromByte;
      for (;;) {
        const block = Buffer.allocUnsafe(READ_BYTES);
        const count = this.readAt(block, position);
        if (count === 0) return;
        position += count;
        yield block.subarray(0, count);
      }
    } finally {
      this.close();
    }
  }

  readAt(into: Uint8Array, position: number): number {
    if (this.#descriptor === undefined) throw new Error("read after close");
    try {
      return readSync(this.#descriptor, into, 0, into.length, position);
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#path);
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    release(this.#descriptor);
    this.#descriptor = undefined;
  }
}

class HeldDirectory implements OpenDirectory {
  readonly #root: Root;
  readonly #typed: string;
  readonly #canonical: string;
  #handle: number | undefined;

  constructor(root: Root, handle: number, canonical: string, typed: string) {
    this.#root = root;
    this.#handle = handle;
    this.#canonical = canonical;
    this.#typed = typed;
  }

  get status(): FileStatus {
    return statusOfHandle(this.#held);
  }

  *entries(): Generator<DirectoryEntry, void> {
    let stream: Dir;
    try {
      stream = openDirectoryStream(this.#held);
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#typed);
    }
    try {
      for (let entry = stream.readSync(); entry !== null; entry = stream.readSync()) {
        const name = toText(entry.name as unknown as Buffer);
        if (this.#canonical === "" && name === RECORD_DIRECTORY) continue;
        yield { name, kind: entryKind(entry) };
      }
    } finally {
      stream.closeSync();
    }
  }

  statusOf(name: string, options: { readonly follow?: boolean } = {}): FileStatus {
    if (options.follow !== true) return this.#attempt(name, () => linkStatus(this.#held, name));
    return this.#usePlace(name, (place) => place.status ?? followedStatus(place.handle as number));
  }

  readLinkOf(name: string): string {
    return this.#attempt(name, () => readLinkIn(this.#held, name));
  }

  openFile(name: string): OpenFile {
    return this.#usePlace(name, (place) => openRegular(place, name));
  }

  openDirectory(name: string, options: { readonly follow?: boolean } = {}): OpenDirectory {
    const canonical = this.#canonical === "" ? name : `${this.#canonical}/${name}`;
    if (options.follow !== true) {
      return this.#attempt(name, () => new HeldDirectory(this.#root, holdDirectory(this.#held, name), canonical, name));
    }
    return this.#usePlace(name, (place) => {
      if (place.status?.kind !== "directory") throw new FileError("ENOTDIR", name);
      const held = place.parent === undefined ? reopenPath(this.#root.handle) : holdDirectory(place.parent, place.name);
      return new HeldDirectory(this.#root, held, place.canonical, name);
    });
  }

  close(): void {
    if (this.#handle === undefined) return;
    release(this.#handle);
    this.#handle = undefined;
  }

  get #held(): number {
    if (this.#handle === undefined) throw new Error("use after close");
    return this.#handle;
  }

  /**
   * `name` with symbolic links followed. What is no link is reached from here; a link is walked from the root by
   * this directory's canonical path, because its `..` may lead above this directory.
   */
  #usePlace<T>(name: string, use: (place: Place) => T): T {
    return this.#attempt(name, () => {
      const handle = holdAny(this.#held, name);
      try {
        const status = statusOfHandle(handle);
        if (status.kind !== "symlink") {
          return use({ handle, status, parent: this.#held, name, canonical: `${this.#canonical}/${name}`, release: () => {} });
        }
      } finally {
        release(handle);
      }
      const components = [...this.#canonical.split("/"), name];
      const place = walkPath(this.#root.handle, components, name, (target) => componentsUnder([this.#root.canonical], target), { follow: true });
      try {
        return use(place);
      } finally {
        place.release();
      }
    });
  }

  #attempt<T>(name: string, action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      if (thrown instanceof FileError) throw thrown;
      throw fileErrorFrom(thrown, name);
    }
  }
}

function entryKind(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean; isFIFO(): boolean; isSocket(): boolean; isCharacterDevice(): boolean; isBlockDevice(): boolean }): FileKind | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isCharacterDevice()) return "character-device";
  if (entry.isBlockDevice()) return "block-device";
  return undefined;
}

const NULL_DEVICE = "/dev/null";

/** /dev/null as builtins see it: a character device (1,3) that is always empty. No host file is touched. */
const NULL_STATUS: FileStatus = {
  kind: "character-device",
  permissions: 0o666,
  size: 0,
  modifiedNs: 0n,
  accessedNs: 0n,
  changedNs: 0n,
  bornNs: 0n,
  inode: 0n,
  device: 0n,
  specialDevice: 0x103n,
  links: 1,
  userId: 0,
  groupId: 0,
  blocks: 0,
  ioBytes: 4096,
};

class NullFile implements OpenFile {
  readonly status = NULL_STATUS;
  *blocks(): Generator<Uint8Array, void> {}
  readAt(): number {
    return 0;
  }
  close(): void {}
}
