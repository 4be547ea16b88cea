/** Marks by which a file is the one that the index is about, beside its size and time: others may have been put in its place. */
import type { FileStamp } from "../../../src/workspace/file-status.ts";
import type { Config } from "../config.ts";
import type { Repository } from "../repository.ts";

export class FileMarks {
  readonly #comparesInode: boolean;
  readonly #comparesChange: boolean;

  constructor(config: Config) {
    this.#comparesInode = config.get("core.checkstat")?.toLowerCase() !== "minimal";
    this.#comparesChange = this.#comparesInode && config.boolean("core.trustctime", true);
  }

  /** `inode` and `changedSeconds`: the index's. Git on Windows, and other programs, write no inode, and none of both says anything then. */
  areSame(inode: number, changedSeconds: number, file: Pick<FileStamp, "inode" | "changedMs">): boolean {
    if (inode === 0) return true;
    return (
      (!this.#comparesInode || file.inode % 2 ** 32 === inode) &&
      (!this.#comparesChange || Math.floor(file.changedMs / 1000) % 2 ** 32 === changedSeconds)
    );
  }
}

/** As the repository's configuration has it, which is read once. */
export const fileMarksOf = (repository: Repository): FileMarks => repository.once(FileMarks, () => new FileMarks(repository.config));
