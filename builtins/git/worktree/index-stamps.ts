/** Results of lstat(2) for the files of the index, asked for all of them together. */
import type { OpenDirectory, StampsBelow } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { millisecondsOf, NO_FILE, NOT_TOLD, STAMP_WORDS, type FileStamp } from "../../../src/workspace/file-status.ts";
import { absentIsUndefined, type Disk } from "../objects/disk.ts";
import { fileMarksOf, type FileMarks } from "./file-marks.ts";
import type { IndexFile } from "./index-file.ts";
import { isLink, isSubmodule, MODE } from "../objects/objects.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "../repository.ts";

/** Fewer are asked for one by one. */
const FEW = 64;
const KIND_BITS = 0o170000;
const REGULAR = 0o100000;
const SYMBOLIC_LINK = 0o120000;

export class IndexStamps {
  readonly #index: IndexFile;
  readonly #trustsMode: boolean;
  readonly #marks: FileMarks;
  /** A file as new as that may have changed since. */
  readonly #writtenMs: number;
  /** The entries that are asked for. */
  readonly numbers: Uint32Array;
  readonly #top: OpenDirectory | undefined;
  readonly #below: StampsBelow | undefined;
  /** Undefined where each is asked for by itself. */
  #stamps: Float64Array | undefined;

  /** Of the entries that `paths` match. They are read from now on, until `close`. */
  constructor(repository: Repository, index: IndexFile, paths: Pathspec | undefined) {
    this.#index = index;
    this.#trustsMode = repository.config.boolean("core.filemode", true);
    this.#marks = fileMarksOf(repository);
    this.#writtenMs = millisecondsOf(index.writtenNs);
    this.numbers = numbersOf(index, paths);
    if (this.numbers.length < FEW) return;
    this.#top = openedTop(repository.disk, repository.worktree);
    this.#below = this.#top?.stampsBelow(index.pathsOf(this.numbers));
  }

  /** Reads the stamps that are still outstanding. */
  finish(): void {
    this.#stamps ??= this.#below?.take();
  }

  close(): void {
    this.#top?.close();
  }

  /** True if the file at `place` of those asked for is an ordinary one, and unchanged. */
  isUnchanged(place: number): boolean {
    const number = this.numbers[place] as number;
    const stamps = this.#stamps;
    const index = this.#index;
    if (stamps === undefined || !index.isUsual(number)) return false;
    const at = place * STAMP_WORDS;
    const found = stamps[at] as number;
    if ((found & KIND_BITS) !== REGULAR) return false;
    const mode = index.wordAt(number, 24);
    if (this.#trustsMode ? mode !== ((found & 0o100) !== 0 ? MODE.executable : MODE.file) : isLink(mode) || isSubmodule(mode)) return false;
    const modifiedMs = stamps[at + 2] as number;
    const nanoseconds = index.wordAt(number, 12);
    return (
      nanoseconds !== 0 &&
      index.wordAt(number, 8) * 1000 + nanoseconds / 1e6 === modifiedMs &&
      modifiedMs < this.#writtenMs &&
      (stamps[at + 1] as number) % 2 ** 32 === index.wordAt(number, 36) &&
      this.#marks.areSame(index.wordAt(number, 20), index.wordAt(number, 0), {
        inode: stamps[at + 4] as number,
        changedMs: stamps[at + 3] as number,
      })
    );
  }

  /** Undefined where there is no such file; "untold" where it must be asked for by itself. */
  stampAt(place: number): FileStamp | "untold" | undefined {
    const stamps = this.#stamps;
    const at = place * STAMP_WORDS;
    const mode = stamps?.[at] ?? NOT_TOLD;
    if (stamps === undefined || mode === NOT_TOLD) return "untold";
    if (mode === NO_FILE) return undefined;
    const bits = mode & KIND_BITS;
    if (bits !== REGULAR && bits !== SYMBOLIC_LINK) return "untold";
    return {
      kind: bits === REGULAR ? "file" : "symlink",
      permissions: mode & 0o7777,
      size: stamps[at + 1] as number,
      modifiedMs: stamps[at + 2] as number,
      changedMs: stamps[at + 3] as number,
      inode: stamps[at + 4] as number,
    };
  }
}

function numbersOf(index: IndexFile, paths: Pathspec | undefined): Uint32Array {
  const numbers = new Uint32Array(index.count);
  let count = 0;
  for (let at = 0; at < index.count; at++) if (paths === undefined || paths.matches(index.nameAt(at))) numbers[count++] = at;
  return numbers.subarray(0, count);
}

/** Undefined where it is not there, or is none: then each file is asked for by itself, and that is met once more. */
function openedTop(disk: Disk, worktree: string): OpenDirectory | undefined {
  try {
    return absentIsUndefined(() => disk.files.openDirectory(disk.absolute(worktree)));
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return undefined;
  }
}
