/**
 * Changes files of the scratch, as a view of the workspace names them. Nothing is recorded. What would be too much is ENOSPC,
 * as of a disk that is full; what was written until then stays.
 */
import { constants } from "node:fs";
import { holdAny, reopen } from "../walk/descriptor.ts";
import { FileError, fileErrorFrom } from "../file-error.ts";
import type { Place, WalkOptions } from "../walk/path-walk.ts";
import { WritableDirectory } from "../write/write-directory.ts";
import { WritableFile } from "../write/write-file.ts";
import type { ScratchFile, ScratchFiles } from "./scratch-files.ts";
import type { Scratch } from "./scratch.ts";

const FILE_MODE = 0o666;
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
