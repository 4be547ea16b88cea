/**
 * The operations on files that a builtin may use, all of them. The implementation is `Workspace` in workspace.ts; this file
 * has no code, so that `builtins/` depends on types alone.
 *
 * Paths are strings in the encoding of src/io/text.ts. A relative path is taken from the view's current directory;
 * an absolute one at or under the root is that file, and one under a mount (the scratch at `/tmp`, the owner's `--mount`) that of the
 * mount; any other is PATH_ESCAPE. `/dev/null` is an empty file.
 * Everything is synchronous: plans run in a process of their own (src/exec). Everything throws FileError.
 */
import type { ByteInput } from "../io/input.ts";
import type { DirectoryEntry, FileStamp, FileStatus } from "./file-status.ts";

export interface Files {
  /** The current directory, relative to the root ("" is the root), or absolute in a mount. As it was navigated (logical). */
  readonly currentDirectory: string;
  /** The root as an absolute path, as it was given: what `pwd` prints at the root. */
  readonly rootPath: string;
  /**
   * The status of the directory above the root as it was when the workspace was opened: what `ls -la` prints beside
   * `..` there. The one thing that is known of the host outside the root; no path leads to it.
   */
  readonly aboveRoot: FileStatus;
  /** Our own record keeping directory's name at the root (".shelpa"), which listings and walks pass over. */
  readonly hiddenName: string;

  /** Opens a regular file for reading. EISDIR for a directory; NOT_REGULAR_FILE for FIFOs, sockets, devices. */
  open(path: string): OpenFile;
  /** What the stage's descriptor of this name (`/dev/fd/N`, N from 3) still gives; undefined for any other path. */
  descriptor(path: string): ByteInput | undefined;
  /**
   * Opens, as `open` does, a file that holds bytes of others (`isContentStore`), which `open` denies once the policy keeps any
   * file from being read: the caller asks `whyDenied` before bytes of it go anywhere. The file's own path may not be denied.
   */
  openStore(path: string): OpenFile;
  /** Opens a directory for listing. */
  openDirectory(path: string): OpenDirectory;
  /** stat(2), or lstat(2) where `follow` is false. */
  status(path: string, options?: { readonly follow?: boolean }): FileStatus;
  /** The text of a symbolic link, as stored. EINVAL where `path` is not one. */
  readLink(path: string): string;
  /** The canonical path, every symbolic link resolved: relative to the root ("" for the root), or absolute in a mount. */
  realPath(path: string): string;
  /** True if the policy keeps any file from being read. */
  readonly deniesReading: boolean;
  /**
   * The policy's reason to keep the bytes of the canonical path `canonical` from being read; undefined if it allows them.
   * The file need not exist: this is for bytes that are stored elsewhere under its name.
   */
  whyDenied(canonical: string): string | undefined;
  /**
   * The same of a file at the host path `path`, which is taken from the canonical directory `directory` and may lead out of its tree:
   * it is judged by the trees that it is in. For paths that a repository has of its own places.
   */
  whyDeniedFrom(directory: string, path: string): string | undefined;
  /** The same of a file whose place nobody knows: the reason to keep it from being read if it were `path` from the top of any tree. */
  whyDeniedBelowAnyTop(path: string): string | undefined;
  /** An absolute path at or under the root, as one relative to it, by its text; undefined for any other path. */
  fromRoot(path: string): string | undefined;
  /** The name of the mount that an absolute path is at or under, by its text; undefined for any other path. */
  mountOf(path: string): string | undefined;
  /**
   * The same files with the owner's mount that `path` (absolute) is in as the root; undefined for any other path. Paths in the answer
   * are relative to the mount, and the current directory is its top, unless this one's is below it. Throws FileError MOUNT_GONE.
   */
  inMount(path: string): Files | undefined;
  /** access(2): tells whether the server's own process may do it. `path` is followed. */
  access(path: string, wanted: "read" | "write" | "execute"): boolean;
  /** The name of a user or group; undefined if the host has none for that number. */
  userName(userId: number): string | undefined;
  groupName(groupId: number): string | undefined;
  /** The number of a user or group; undefined if the host has no account of that name. */
  userNumber(name: string): number | undefined;
  groupNumber(name: string): number | undefined;
  /** Ids of the server's own process, for `test -O`, `find -user` and the like. */
  readonly userId: number;
  readonly groupId: number;
  /**
   * Temporary space outside the root, up to `mostBytes` with all that is open. No path leads to it, and nothing of it
   * is left when the process ends. Throws FileError.
   */
  openSpill(mostBytes: number): Spill;
  /** Data from which another thread of this process can open the same files from the same current directory. */
  handOver(): HandedOver;
}

/** A view of a workspace as plain data, for `Workspace.takeOver` in a thread of the same process. */
export interface HandedOver {
  readonly rootPath: string;
  readonly aliases: readonly string[];
  /** See RootOptions. */
  readonly knownAs: string | undefined;
  readonly isCopy: boolean;
  readonly denyRead: readonly string[];
  /** Descriptors belong to the process, not to a thread. */
  readonly rootDescriptor: number;
  /** The root's host path, free of symbolic links. */
  readonly canonical: string;
  readonly aboveRoot: FileStatus;
  readonly currentDirectory: string;
  /** What descriptors of the stage gave, by file name. */
  readonly whole: ReadonlyMap<string, Uint8Array>;
  readonly scratch: HandedScratch | undefined;
  readonly mounts: readonly HandedMount[];
}

/** A host directory that the owner mounts beside the root. */
export interface MountPlace {
  /** Its name: absolute, without a slash at the end. */
  readonly prefix: string;
  /** Host path, absolute. */
  readonly directory: string;
  readonly access: "read" | "write";
  /** Rules as of gitignore(5) for files that may not be read, about their whole names, from `/` on. */
  readonly denyRead: readonly string[];
}

/** A mount as plain data. */
export interface HandedMount {
  readonly place: MountPlace;
  /** Its host path alone where no directory is there. */
  readonly inherited:
    | { readonly descriptor: number; readonly canonical: string; readonly aboveRoot: FileStatus }
    | { readonly canonical: string };
}

/** A session's scratch as plain data. */
export interface HandedScratch extends ScratchLimits {
  readonly baseDescriptor: number;
  readonly name: string;
}

export interface ScratchLimits {
  /** Most bytes in all of its files. */
  readonly mostBytes: number;
  /** Most files and directories. */
  readonly mostFiles: number;
}

export interface OpenFile {
  readonly status: FileStatus;
  /** Bytes, as of `status`, which costs more to ask for. */
  readonly size: number;
  /** The file from `fromByte` (default 0) in blocks of up to 256 KiB; closes the file when done or left early. */
  blocks(fromByte?: number): Generator<Uint8Array, void>;
  /** Reads into `into` at byte `position`; returns how many bytes, 0 at the end. */
  readAt(into: Uint8Array, position: number): number;
  close(): void;
}

/** A test for one text in each file of a walk: false if the bytes cannot hold it. */
export type MayHold = (bytes: Buffer, from: number, to: number) => boolean;

/** Blocks put aside, to be read again in their order. */
export interface Spill {
  /** Throws LimitReached("spill"), FileError (ENOSPC, EDQUOT). */
  write(block: Uint8Array): void;
  /** The blocks as they were written. Each is good until the next is asked for: they share their memory. */
  blocks(): Generator<Buffer, void>;
  close(): void;
}

/** A directory held open: names in it are reached without walking the path again, and cannot be raced away. */
export interface OpenDirectory {
  readonly status: FileStatus;
  /**
   * True on a file system that gives a directory another time whenever an entry comes, goes or is renamed. A listing whose directory has
   * the times that it had before is then as it was, unless those are as new as the listing.
   */
  readonly stampsEntries: boolean;
  /** Entries in the kernel's order, without `.` and `..`, and without our own record directory at the root. */
  entries(): Generator<DirectoryEntry, void>;
  /** All of them at once, in less time. "name": by name, in byte order. */
  list(order: "kernel" | "name"): DirectoryEntry[];
  /**
   * Announces the files and directories asked for next, in order. They are read beforehand where there is time
   * (look-ahead.ts).
   */
  expect(expected: readonly Expected[], listing: ExpectedListing): void;
  /** Tells whether the content of `name` was expected and read, and `mayHold` is false of it: the file need not be opened. */
  passes(name: string, mayHold: MayHold): boolean;
  /** stat or lstat of `name` (a single component). */
  statusOf(name: string, options?: { readonly follow?: boolean }): FileStatus;
  /**
   * The part of lstat by which a file is known to be still the same, in less time than statusOf takes; undefined if `name`
   * (a single component) does not exist.
   */
  stampOf(name: string): FileStamp | undefined;
  /**
   * The stamps (stampOf) of many files below this directory, each in a directory that no symbolic link leads to. They are
   * read while something else is done, until this directory is closed. Undefined if each must be asked for by itself.
   */
  stampsBelow(paths: PathList): StampsBelow | undefined;
  readLinkOf(name: string): string;
  /** `isListed`: `entries` gave `name` as a regular file, and it is opened without a look at it before. */
  openFile(name: string, options?: { readonly isListed?: boolean }): OpenFile;
  /** A directory below; `follow` (default false) lets the last component be a symbolic link. */
  openDirectory(name: string, options?: { readonly follow?: boolean }): OpenDirectory;
  close(): void;
}

export interface StampsBelow {
  /** All that is left is read now: STAMP_WORDS of each file (file-status.ts), in order. */
  take(): Float64Array;
}

/** Paths of files among other bytes, in order: where each begins and ends. Those of one directory follow each other. */
export interface PathList {
  readonly bytes: Buffer;
  readonly bounds: Uint32Array;
}

/** A file or a directory that a walk will ask its directory for. */
export interface Expected {
  readonly name: string;
  readonly what: "content" | "entries";
}

/** Order and extent of the listings that a walk will ask for. */
export interface ExpectedListing {
  readonly order: "kernel" | "name";
  /** The status of the regular files too. */
  readonly withStatus: boolean;
  /**
   * Files that cannot hold the sought text are passed (OpenDirectory.passes), and none of these files can be one of the
   * kernel's.
   */
  readonly mayPass?: boolean;
}
