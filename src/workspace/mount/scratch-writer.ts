/**
 * Changes files of the scratch, as a view of the workspace names them. Nothing is recorded. What would be too much is ENOSPC,
 * as of a disk that is full; what was written until then stays.
 */
import { constants } from "node:fs";
import { holdAny, reopen } from "../walk/descriptor.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { Place, WalkOptions } from "../walk/path-walk.ts";
import { WritableDirectory } from "../write/write-directory.ts";
import { WritableFile } from "../write/write-file.ts";
import type { FileStatus } from "../file-status.ts";
import type { ScratchAttributes, ScratchFile, ScratchFiles } from "./scratch-files.ts";
import type { Scratch } from "./scratch.ts";

const FILE_MODE = 0o666;
/** No set-user-ID and no set-group-ID. */
const PERMISSION_BITS = 0o1777;
/** A name as it is: of any kind, and no link followed. */
const ENTRY = { anyKind: true, follow: false } as const;
/** Times that a name is looked at again which others make and remove meanwhile. */
const MOST_LOOKS = 10;

export class ScratchWriter implements ScratchFiles {
  readonly prefix: string;
  readonly #scratch: Scratch;
  readonly #leadsHere: (path: string) => boolean;
  readonly #walk: (path: string, options: WalkOptions) => Place;

  constructor(scratch: Scratch, leadsHere: (path: string) => boolean, walk: (path: string, options: WalkOptions) => Place) {
    this.prefix = scratch.prefix;
    this.#scratch = scratch;
    this.#leadsHere = leadsHere;
    this.#walk = walk;
  }

  holds(path: string): boolean {
    try {
      return path !== "" && this.#leadsHere(path);
    } catch (thrown) {
      if (thrown instanceof FileError) return false;
      throw thrown;
    }
  }

  check(path: string): void {
    this.#at(path, () => undefined);
  }

  open(path: string, mode: "overwrite" | "append"): ScratchFile {
    return this.#at(path, (place) => {
      if (place.status === undefined) return this.#created(place, path, FILE_MODE, mode);
      const handle = place.handle as number;
      const held = new WritableFile(reopen(handle, constants.O_WRONLY | (mode === "append" ? constants.O_APPEND : 0)), path);
      if (mode === "append") return this.#bounded(held, path);
      this.#scratch.note({ bytes: -held.size });
      held.close();
      return this.#bounded(new WritableFile(reopen(handle, constants.O_WRONLY | constants.O_TRUNC), path), path);
    });
  }

  create(path: string, permissions: number): boolean {
    return this.#at(
      path,
      (place) => {
        if (place.status !== undefined) return false;
        this.#created(place, path, permissions, "overwrite").close();
        return true;
      },
      { anyKind: true },
    );
  }

  makeDirectory(path: string, permissions: number): boolean {
    return this.#at(
      path,
      (place) => {
        if (place.status !== undefined) return false;
        this.#scratch.checkRoomForFile(path, place.canonical);
        const made = this.#in(place, (directory) => directory.makeDirectory(place.name, permissions));
        if (made) this.#scratch.note({ files: 1 });
        return made;
      },
      { anyKind: true },
    );
  }

  remove(path: string): boolean {
    return this.#at(
      path,
      (place) => {
        if (place.status === undefined) return false;
        if (place.status.kind === "directory") throw new FileError("EISDIR", path);
        const removed = this.#in(place, (directory) => directory.remove(place.name));
        if (removed) this.#scratch.note({ files: -1, bytes: -place.status.size });
        return removed;
      },
      { anyKind: true, follow: false },
    );
  }

  entry(path: string): { readonly canonical: string; readonly kind: FileStatus["kind"] } | undefined {
    try {
      return this.#at(path, ({ canonical, status }) => status && { canonical, kind: status.kind }, ENTRY);
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "ENOENT") return undefined;
      throw thrown;
    }
  }

  names(path: string): readonly string[] {
    return this.#at(path, (place) => this.#inside(place, path, (directory) => directory.names()), ENTRY);
  }

  removeDirectory(path: string): void {
    this.#at(
      path,
      (place) => {
        if (place.name === "") throw new FileError("EBUSY", path);
        this.#in(place, (directory) => directory.removeDirectory(place.name));
        this.#scratch.note({ files: -1 });
      },
      ENTRY,
    );
  }

  setAttributes(path: string, { mode, modifiedNs, accessedNs }: ScratchAttributes): void {
    if (mode === undefined && modifiedNs === undefined && accessedNs === undefined) return;
    this.#at(
      path,
      (place) => {
        const { status, name } = place;
        if (status === undefined || name === "") throw new FileError(status === undefined ? "ENOENT" : "EPERM", path);
        if (status.kind === "symlink") throw new FileError("NOT_REGULAR_FILE", path);
        const nowNs = BigInt(Date.now()) * 1_000_000n;
        const time = (given: bigint | "now" | undefined, old: bigint): bigint => (given === "now" ? nowNs : (given ?? old));
        this.#in(place, (directory) => {
          if (mode !== undefined) directory.changePermissions(name, mode & PERMISSION_BITS);
          if (modifiedNs === undefined && accessedNs === undefined) return;
          directory.changeTimes(name, time(accessedNs, status.accessedNs), time(modifiedNs, status.modifiedNs));
        });
      },
      ENTRY,
    );
  }

  /** Gives `use` the place that `path` names, which need not exist. Throws FileError, of a file that may not be written too. */
  #at<T>(path: string, use: (place: Place) => T, { anyKind = false, follow = true } = {}): T {
    if (!this.holds(path)) throw new FileError("PATH_ESCAPE", path);
    for (let looks = 0; ; looks++) {
      const place = this.#walk(path, { follow, mayBeMissing: true });
      try {
        const { status, name } = place;
        if (!anyKind && (status?.kind === "directory" || name === "")) throw new FileError("EISDIR", path);
        if (!anyKind && status !== undefined && status.kind !== "file") throw new FileError("NOT_REGULAR_FILE", path);
        if (!anyKind && status !== undefined && status.links !== 1) throw new FileError("NOT_REGULAR_FILE", path, "Has more than one name");
        return use(place);
      } catch (thrown) {
        const error = fileErrorFrom(thrown, path);
        // open(2): with O_CREAT a name that can only be a directory's is EISDIR.
        if (!anyKind && error.code === "ENOENT" && path.endsWith("/")) throw new FileError("EISDIR", path);
        if (error.code !== "EEXIST" || looks >= MOST_LOOKS) throw new FileError(error.code, path, error.message);
      } finally {
        place.release();
      }
    }
  }

  #created(place: Place, path: string, permissions: number, mode: "overwrite" | "append"): ScratchFile {
    this.#scratch.checkRoomForFile(path, place.canonical);
    const file = this.#in(place, (directory) => directory.create(place.name, permissions, { appends: mode === "append" }));
    // Somebody else was first: the place is looked at again.
    if (file === undefined) throw new FileError("EEXIST", path);
    this.#scratch.note({ files: 1 });
    return this.#bounded(file, path);
  }

  #in<T>({ parent }: Place, use: (directory: WritableDirectory) => T): T {
    const directory = new WritableDirectory(holdAny(parent as number, "."), "");
    try {
      return use(directory);
    } finally {
      directory.close();
    }
  }

  /** Gives `use` the directory that `place` is. */
  #inside<T>({ handle, status }: Place, path: string, use: (directory: WritableDirectory) => T): T {
    if (status?.kind !== "directory") throw new FileError(status === undefined ? "ENOENT" : "ENOTDIR", path);
    const directory = new WritableDirectory(holdAny(handle as number, "."), "");
    try {
      return use(directory);
    } finally {
      directory.close();
    }
  }

  #bounded(file: WritableFile, path: string): ScratchFile {
    const scratch = this.#scratch;
    return {
      path,
      write(bytes) {
        const room = Math.min(bytes.length, scratch.roomBytes);
        file.write(bytes.subarray(0, room));
        scratch.note({ bytes: room });
        if (room < bytes.length) throw new FileError("ENOSPC", path);
      },
      close: () => file.close(),
    };
  }
}
