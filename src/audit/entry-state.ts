/** State of one name in a directory: its kind, its status, and the digest of a file's bytes or of a symbolic link's text. */
import { createHash } from "node:crypto";
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { fileDigest } from "./file-digest.ts";
import type { Digest, EntryState } from "./journal-lines.ts";
import { directoryOf, nameOf } from "./paths.ts";

export interface FoundEntry {
  readonly kind: EntryState["kind"];
  readonly status: FileStatus;
  /** Undefined for a directory. */
  readonly digest: Digest | undefined;
  readonly endsInNewline: boolean;
}

/** State of `name`; undefined where there is nothing. NOT_REGULAR_FILE for a device, a FIFO or a socket. Throws FileError. */
export function entryIn(directory: WritableDirectory, name: string): FoundEntry | undefined {
  const status = directory.status(name);
  switch (status?.kind) {
    case undefined:
      return undefined;
    case "directory":
      return { kind: "directory", status: status as FileStatus, digest: undefined, endsInNewline: false };
    case "symlink": {
      const text = linkText(directory, name);
      return { kind: "symlink", status: status as FileStatus, digest: digestOf(text), endsInNewline: text.at(-1) === NEWLINE };
    }
    case "file": {
      const file = directory.open(name);
      if (file === undefined) return undefined;
      try {
        const opened = file.status;
        const digest = fileDigest(file, opened.size);
        const endsInNewline = digest.bytes > 0 && file.bytes(digest.bytes - 1, digest.bytes)[0] === NEWLINE;
        return { kind: "file", status: opened, digest, endsInNewline };
      } finally {
        file.close();
      }
    }
    default:
      throw new FileError("NOT_REGULAR_FILE", name);
  }
}

/** As `entryIn`, of the canonical path `path`; undefined also where one of its directories is missing. */
export function entryAt(writer: WorkspaceWriter, path: string): FoundEntry | undefined {
  return inDirectoryOf(writer, path, entryIn);
}

/** Calls `action` with the directory of the canonical path `path`, held open; undefined where that is missing. */
export function inDirectoryOf<T>(
  writer: WorkspaceWriter,
  path: string,
  action: (directory: WritableDirectory, name: string) => T,
): T | undefined {
  let isHeld = false;
  try {
    return inHeldDirectoryOf(writer, path, (directory, name) => {
      isHeld = true;
      return action(directory, name);
    });
  } catch (thrown) {
    if (!isHeld && thrown instanceof FileError && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return undefined;
    throw thrown;
  }
}

/** As `inDirectoryOf`; throws FileError where the directory is missing. */
export function inHeldDirectoryOf<T>(writer: WorkspaceWriter, path: string, action: (directory: WritableDirectory, name: string) => T): T {
  const directory = writer.directory(directoryOf(path));
  try {
    return action(directory, nameOf(path));
  } finally {
    directory.close();
  }
}

/** Bytes of a file, or the text of a symbolic link, in blocks. ENOENT where there is neither. */
export function* leafBytes(directory: WritableDirectory, name: string, kind: "file" | "symlink"): Generator<Uint8Array, void> {
  if (kind === "symlink") {
    yield linkText(directory, name);
    return;
  }
  const file = directory.open(name);
  if (file === undefined) throw new FileError("ENOENT", name);
  try {
    yield* file.blocks(0, file.size);
  } finally {
    file.close();
  }
}

/** Bytes of the file at the canonical path `path`. ENOENT where there is none. */
export function* fileBytes(writer: WorkspaceWriter, path: string): Generator<Uint8Array, void> {
  const directory = writer.directory(directoryOf(path));
  try {
    yield* leafBytes(directory, nameOf(path), "file");
  } finally {
    directory.close();
  }
}

/** True for a file whose attributes are those of other names too: it is replaced, so that only the name that was given changes. */
export const hasOtherNames = ({ kind, links }: FileStatus): boolean => kind === "file" && links > 1;

/** What the journal records of `found`. */
export const stateOf = ({ kind, status }: FoundEntry): EntryState => ({
  kind,
  permissions: status.permissions,
  modified_ns: status.modifiedNs.toString(),
});

export const digestOf = (bytes: Uint8Array): Digest => ({
  bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});

export const isSameDigest = (a: Digest | undefined | null, b: Digest | undefined | null): boolean =>
  a?.sha256 === b?.sha256 && a?.bytes === b?.bytes;

/** True if both are one file. */
export const isSameFile = (now: FileStatus | undefined, then: FileStatus | undefined): boolean =>
  now !== undefined && then !== undefined && now.inode === then.inode && now.device === then.device;

function linkText(directory: WritableDirectory, name: string): Uint8Array {
  const text = directory.linkTarget(name);
  if (text === undefined) throw new FileError("ENOENT", name);
  return toBytes(text);
}

const NEWLINE = 0x0a;
