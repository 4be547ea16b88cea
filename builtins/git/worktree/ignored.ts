/** The ignore rules of a worktree: .gitignore by directory, and info/exclude. */
import { parseIgnoreFile, type IgnoreRules } from "../../../src/glob/ignore-rules.ts";
import type { Repository } from "../repository.ts";

export interface IgnoreLine {
  /** Below the worktree. */
  readonly source: string;
  readonly line: number;
  readonly pattern: string;
}

export interface IgnoreSources {
  /** Name of the files of rules in each directory; undefined: there are none. */
  readonly perDirectory: string | undefined;
  /** True if info/exclude is one of them. */
  readonly exclude: boolean;
  /** Typed patterns, which come before the rules of directories. */
  readonly typed?: IgnoreRules | undefined;
  /** Rules of further files, which come after those. */
  readonly files?: readonly IgnoreRules[];
}

export const STANDARD_IGNORES: IgnoreSources = { perDirectory: ".gitignore", exclude: true };

/** The ignore rules of a worktree, directory by directory. */
export class Ignored {
  readonly #repository: Repository;
  readonly #sources: IgnoreSources;
  readonly #excludes: readonly IgnoreRules[];
  readonly #directories = new Map<string, IgnoreRules | undefined>();
  readonly #within = new Map<string, boolean>();

  constructor(repository: Repository, sources = STANDARD_IGNORES) {
    this.#repository = repository;
    this.#sources = sources;
    const exclude = sources.exclude ? this.#read(`${repository.commonDirectory}/info/exclude`) : undefined;
    this.#excludes = [...(sources.files ?? []), ...(exclude === undefined ? [] : [exclude])];
  }

  /** True if git ignores `path`, or a directory that it is in. */
  has(path: string, isDirectory: boolean): boolean {
    return this.hasWithin(path.slice(0, Math.max(0, path.lastIndexOf("/")))) || this.hasItself(path, isDirectory);
  }

  /** True if git ignores what it does not track in `directory`: itself or one that it is in. */
  hasWithin(directory: string): boolean {
    if (directory === "") return false;
    let within = this.#within.get(directory);
    if (within === undefined) {
      within = this.hasWithin(directory.slice(0, Math.max(0, directory.lastIndexOf("/")))) || this.hasItself(directory, true);
      this.#within.set(directory, within);
    }
    return within;
  }

  /** As `has`, where the directories above are known not to be ignored. */
  hasItself(path: string, isDirectory: boolean): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const typed = this.#sources.typed?.verdict(path, name, isDirectory);
    if (typed !== undefined) return typed === "ignore";
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const directory = end < 0 ? "" : path.slice(0, end);
      const verdict = this.#rulesOf(directory)?.verdict(path.slice(end + 1), name, isDirectory);
      if (verdict !== undefined) return verdict === "ignore";
      if (end < 0) break;
      if (end === 0) break;
    }
    for (const rules of this.#excludes) {
      const verdict = rules.verdict(path, name, isDirectory);
      if (verdict !== undefined) return verdict === "ignore";
    }
    return false;
  }

  /** The line that decides about `path` or a directory that it is in, and the file it stands in. */
  ruleOf(path: string, isDirectory: boolean): IgnoreLine | undefined {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const rule = this.#lineOf(parts.slice(0, count).join("/"), true);
      if (rule !== undefined && !rule.pattern.startsWith("!")) return rule;
    }
    return this.#lineOf(path, isDirectory);
  }

  #lineOf(path: string, isDirectory: boolean): IgnoreLine | undefined {
    const { disk, commonDirectory } = this.#repository;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const search = (source: string, place: string, below: string): IgnoreLine | undefined => {
      if (disk.status(place, false)?.kind !== "file") return undefined;
      const lines = (disk.text(place) ?? "").split("\n");
      for (let line = lines.length - 1; line >= 0; line--) {
        const pattern = (lines[line] ?? "").replace(/\r$/, "");
        if (parseIgnoreFile(Buffer.from(pattern, "latin1"))?.verdict(below, name, isDirectory) !== undefined)
          return { source, line: line + 1, pattern: pattern.replace(/(?<!\\) +$/, "") };
      }
      return undefined;
    };
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const source = end < 0 ? ".gitignore" : `${path.slice(0, end)}/.gitignore`;
      const found = search(source, this.#repository.inWorktree(source), path.slice(end + 1));
      if (found !== undefined) return found;
      if (end <= 0) break;
    }
    return search(".git/info/exclude", `${commonDirectory}/info/exclude`, path);
  }

  #rulesOf(directory: string): IgnoreRules | undefined {
    const { perDirectory } = this.#sources;
    if (perDirectory === undefined) return undefined;
    if (!this.#directories.has(directory))
      this.#directories.set(
        directory,
        this.#read(this.#repository.inWorktree(directory === "" ? perDirectory : `${directory}/${perDirectory}`)),
      );
    return this.#directories.get(directory);
  }

  #read(path: string): IgnoreRules | undefined {
    if (this.#repository.disk.status(path, false)?.kind !== "file") return undefined;
    const bytes = this.#repository.disk.read(path);
    return bytes === undefined ? undefined : parseIgnoreFile(bytes);
  }
}
