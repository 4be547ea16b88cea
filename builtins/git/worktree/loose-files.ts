/** Files and directories that are compared without a repository (`git diff --no-index`): pairs of them in git's order. */
import { toWord } from "../objects/byte-text.ts";
import { storedBytes } from "../objects/contents.ts";
import { roughlySortedEntriesOf } from "../objects/disk.ts";
import { NO_ID, type FilePair, type Side } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { isTree, MODE } from "../objects/objects.ts";
import { normal } from "../objects/object-store.ts";
import type { Repository } from "../repository.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";

/** A file or directory by the name that git shows, or standard input. */
export interface LooseEntry {
  readonly name: string;
  /** Standard input; undefined for a file. */
  readonly input?: Buffer;
}

export const NO_FILE = "/dev/null";
export const STANDARD_INPUT = "-";

const NOTHING: Side = { path: NO_FILE, mode: 0, id: NO_ID };

export class LooseFiles {
  readonly #repository: Repository;
  readonly #reverses: boolean;
  readonly pairs: FilePair[] = [];

  constructor(repository: Repository, reverses: boolean) {
    this.#repository = repository;
    this.#reverses = reverses;
  }

  isDirectory(name: string): boolean {
    return name !== NO_FILE && this.#status(name, true)?.kind === "directory";
  }

  /** Adds what differs. Undefined: there is nothing on that side. Throws GitError where there is no such file. Yields after each. */
  *compare(old: LooseEntry | undefined, now: LooseEntry | undefined): Generator<void, void> {
    const [a, b] = [this.#sideOf(old), this.#sideOf(now)];
    const [isTreeA, isTreeB] = [isTree(a.mode), isTree(b.mode)];
    // A directory in the place of a file: the file goes or comes, whichever way round they were asked for.
    if (a.mode !== 0 && b.mode !== 0 && isTreeA !== isTreeB) this.#add(isTreeA ? NOTHING : a, isTreeB ? NOTHING : b);
    if (isTreeA || isTreeB) {
      yield* this.#compareLists(isTreeA ? a.path : undefined, isTreeB ? b.path : undefined);
      return;
    }
    if (this.#reverses) this.#add(b, a);
    else this.#add(a, b);
    yield;
  }

  *#compareLists(old: string | undefined, now: string | undefined): Generator<void, void> {
    const [olds, news] = [this.#namesIn(old), this.#namesIn(now)];
    const below = (directory: string | undefined, name: string): LooseEntry => ({
      name: directory?.endsWith("/") === true ? directory + name : `${directory ?? ""}/${name}`,
    });
    const inBoth = [...new Set([...olds, ...news])].sort((a, b) => (a < b ? -1 : 1));
    for (const name of inBoth)
      yield* this.compare(olds.has(name) ? below(old, name) : undefined, news.has(name) ? below(now, name) : undefined);
  }

  #namesIn(directory: string | undefined): ReadonlySet<string> {
    if (directory === undefined) return new Set();
    const open = this.#repository.disk.files.openDirectory(this.#place(directory));
    try {
      return new Set(roughlySortedEntriesOf(open).map(({ name }) => name));
    } finally {
      open.close();
    }
  }

  /** Files whose bytes and mode are the same do not differ. */
  #add(old: Side, now: Side): void {
    if (old.mode === now.mode) {
      const [a, b] = [old.read?.(), now.read?.()];
      if (a === undefined || b === undefined || a.equals(b)) return;
    }
    const status = old.mode === 0 ? "A" : now.mode === 0 ? "D" : (old.mode & 0o170000) !== (now.mode & 0o170000) ? "T" : "M";
    this.pairs.push({ status, old, now, score: 0 });
  }

  #sideOf(entry: LooseEntry | undefined): Side {
    if (entry === undefined || entry.name === NO_FILE) return NOTHING;
    const { name, input } = entry;
    if (input !== undefined) return { path: name, mode: MODE.file, id: NO_ID, read: () => input };
    const status = this.#status(name, false);
    // A root may lie there, on a file system in memory.
    if (status === undefined && name.startsWith("/dev/"))
      throw new GitError(`${name}: only files, directories and /dev/null are compared here`);
    if (status === undefined) throw new GitError(`Could not access '${name}'`, { prefix: "error: ", exit: 1 });
    const place = this.#place(name);
    const { disk } = this.#repository;
    switch (status.kind) {
      case "directory":
        return { path: name, mode: MODE.tree, id: NO_ID };
      case "symlink":
        return { path: name, mode: MODE.link, id: NO_ID, isWorking: true, read: () => Buffer.from(disk.files.readLink(place)) };
      case "file": {
        const attributesOf = lookedUp(name);
        let isRead = false;
        const read = (): Buffer => {
          const bytes = disk.readHeld(disk.files.open(place), name);
          // Each side says once what is wrong with its line ends.
          const stored = storedBytes(this.#repository, attributesOf, name, bytes, !isRead);
          isRead = true;
          return stored;
        };
        return {
          path: name,
          mode: (status.permissions & 0o100) === 0 ? MODE.file : MODE.executable,
          id: NO_ID,
          isWorking: true,
          attributesOf,
          read,
        };
      }
    }
    throw new GitError(`${name}: no file, no directory and no link`);
  }

  #status(name: string, follow: boolean): FileStatus | undefined {
    try {
      return this.#repository.disk.files.status(this.#place(name), { follow });
    } catch (thrown) {
      if (thrown instanceof FileError && ABSENT.has(thrown.code)) return undefined;
      throw thrown;
    }
  }

  /** Of a name, which begins with the current directory below the top of the worktree. */
  #place(name: string): string {
    const { disk, prefix, start } = this.#repository;
    return name.startsWith("/") ? toWord(name) : `${disk.absolute(start)}/${toWord(name.slice(prefix.length))}`;
  }
}

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

/** The name by which attributes are looked up, as good as git's where it leads outside. */
const lookedUp = (name: string): string => normal(name.replace(/^\/+|^(?:\.\.\/)+/, "")) ?? name;

/** The same side with the id of its content. */
export const withId = ({ format }: Repository, side: Side): Side =>
  side.isWorking !== true || side.read === undefined ? side : { ...side, id: format.idOf("blob", side.read()) };
