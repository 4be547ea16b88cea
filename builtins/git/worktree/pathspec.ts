/** Pathspecs (gitglossary(7)): names, directories, globs, and the magic `:(top,icase,literal,glob,exclude)`, `:/`, `:!`. */
import { compileByteGlob } from "../../../src/glob/byte-glob.ts";
import { compileGlob, type Glob } from "../../../src/glob/glob-match.ts";
import { toWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { pathKeys, type PathKey } from "../objects/changed-paths.ts";
import type { Repository } from "../repository.ts";

interface Item {
  readonly typed: string;
  /** Below the worktree, without a slash at the end. */
  readonly path: string;
  readonly mustBeDirectory: boolean;
  readonly glob: Pick<Glob, "matches"> | undefined;
  readonly foldsCase: boolean;
  readonly magic: ReadonlySet<string>;
}

export class Pathspec {
  readonly #items: readonly Item[];
  readonly #excluded: readonly Item[];
  /** The paths, below which all counts; undefined where there are patterns, or something else than paths decides. */
  readonly plainPaths: readonly string[] | undefined;
  #filterKeys: readonly (readonly PathKey[])[] | undefined;

  /** `staysHere`: paths that are only excluded are excluded from the current directory, not from the whole. Throws GitError where a path is outside. */
  constructor(repository: Repository, typed: readonly string[], staysHere = false) {
    const read = typed.map((text) => readItem(repository, text));
    if (staysHere && repository.prefix !== "" && read.every(({ excludes }) => excludes)) read.push(readItem(repository, "."));
    this.#items = read.filter(({ excludes }) => !excludes).map(({ item }) => item);
    this.#excluded = read.filter(({ excludes }) => excludes).map(({ item }) => item);
    const isPlain = read.every(
      ({ excludes, item: { path, glob, foldsCase } }) => !excludes && path !== "" && glob === undefined && !foldsCase,
    );
    this.plainPaths = isPlain && read.length > 0 ? this.#items.map(({ path }) => path) : undefined;
  }

  /** Keys of each of `plainPaths` for the filters of a commit-graph; undefined where one of them has none. */
  get filterKeys(): readonly (readonly PathKey[])[] | undefined {
    const { plainPaths = [] } = this;
    this.#filterKeys ??= plainPaths.map(pathKeys).filter((keys) => keys !== undefined);
    return plainPaths.length > 0 && this.#filterKeys.length === plainPaths.length ? this.#filterKeys : undefined;
  }

  /** The item, where there is one alone and nothing is excluded. */
  get only(): Pick<Item, "typed" | "path" | "mustBeDirectory" | "magic"> | undefined {
    return this.#items.length === 1 && this.#excluded.length === 0 ? this.#items[0] : undefined;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#excluded.length === 0;
  }

  matches(path: string, isDirectory = false): boolean {
    if (this.#excluded.some((item) => itemMatches(item, path, isDirectory))) return false;
    return this.#items.length === 0 || this.#items.some((item) => itemMatches(item, path, isDirectory));
  }

  /** True if another item than the very name `path` matches it. */
  matchesBeyond(path: string): boolean {
    return this.#items.length === 0 || this.#items.some((item) => item.path !== path && itemMatches(item, path, false));
  }

  /**
   * The directory that all paths are below, with a slash at its end; "" where there is none. Patterns count as far as they are plain,
   * and `prefix` of paths in which case does not count.
   */
  commonDirectory(prefix: string): string {
    const plain = this.#items.map(({ path, mustBeDirectory, glob, foldsCase }) =>
      foldsCase ? prefix : glob === undefined ? `${path}${mustBeDirectory ? "/" : ""}` : path.slice(0, path.search(/[*?[\\]/)),
    );
    const [first = "", ...others] = plain;
    let length = first.length;
    for (const other of others) for (let at = 0; at < length; at++) if (other[at] !== first[at]) length = at;
    return first.slice(0, first.lastIndexOf("/", length - 1) + 1);
  }

  /** True if something below the directory `path` may match. */
  mayHold(path: string): boolean {
    return (
      this.#items.length === 0 ||
      this.#items.some(
        (item) =>
          item.glob !== undefined ||
          item.foldsCase ||
          item.path === "" ||
          item.path === path ||
          item.path.startsWith(`${path}/`) ||
          path.startsWith(`${item.path}/`),
      )
    );
  }

  /**
   * True if git lists the directory `path` among the objects of a commit: a pattern is asked of its own name, and what leaves it out
   * has to be above it.
   */
  listsTree(path: string): boolean {
    const [folded, isBelow] = [path.toLowerCase(), (at: string, of: string): boolean => of === "" || at.startsWith(`${of}/`)];
    if (this.#excluded.some((item) => (item.foldsCase ? isBelow(folded, item.path.toLowerCase()) : isBelow(path, item.path)))) return false;
    return (
      this.#items.length === 0 ||
      this.#items.some(
        (item) => itemMatches(item, path, true) || (item.foldsCase ? isBelow(item.path.toLowerCase(), folded) : isBelow(item.path, path)),
      )
    );
  }

  /**
   * Part of the untracked directory `path` that counts, as git weighs it: "whole" if it matches itself, "below" if only something
   * in it may.
   */
  reach(path: string): "whole" | "below" | "none" {
    if (this.#excluded.some((item) => itemMatches(item, path, true) || item.glob?.matches(toWord(`${path}/`)) === true)) return "none";
    let mayReach = this.#items.length === 0;
    if (mayReach) return "whole";
    for (const item of this.#items) {
      const [wanted, given] = item.foldsCase ? [item.path.toLowerCase(), path.toLowerCase()] : [item.path, path];
      if (wanted === "" || given === wanted || given.startsWith(`${wanted}/`) || item.glob?.matches(toWord(`${path}/`)) === true)
        return "whole";
      const literal = item.glob === undefined ? wanted : wanted.slice(0, Math.max(0, wanted.search(/[*?[\\]/)));
      mayReach ||= wanted.startsWith(`${given}/`) || (item.glob !== undefined && `${given}/`.startsWith(literal));
    }
    return mayReach ? "below" : "none";
  }

  /** The items that none of `paths` matches, as typed. */
  unmatched(paths: readonly string[]): readonly string[] {
    return this.#items.filter((item) => !paths.some((path) => itemMatches(item, path, false))).map(({ typed }) => typed);
  }
}

/** The names with which other magic than `top` and `literal` is refused (ls-tree): as typed, and its letter. */
const LETTERS: ReadonlyMap<string, string> = new Map([["exclude", "!"]]);

/** A path below the worktree, typed in `from`, for a command without patterns; a slash at its end stays, and `.` is one. Throws GitError. */
export function plainPath(repository: Repository, typed: string, from = repository.prefix): string {
  const { magic, text } = magicOf(typed);
  for (const word of magic) {
    if (word === "top" || word === "literal") continue;
    const letter = LETTERS.get(word);
    const shown = letter === undefined ? `'${word}'` : `'${word}' (mnemonic: '${letter}')`;
    throw new GitError(`${typed}: pathspec magic not supported by this command: ${shown}`);
  }
  if (magic.has("top")) return text;
  const path = repository.fromHere(text === "" ? "." : text, from);
  return /(?:^|\/)\.{0,2}$/.test(text) && path !== "" && !path.endsWith("/") ? `${path}/` : path;
}

/** Splits a pathspec into its magic words and the path. Throws GitError. */
function magicOf(typed: string): { readonly magic: ReadonlySet<string>; readonly text: string } {
  let text = typed;
  const magic = new Set<string>();
  const [long, words] = /^:\(([^)]*)\)/.exec(text) ?? [];
  if (long !== undefined) {
    for (const word of (words ?? "").split(",")) if (word !== "") magic.add(word);
    text = text.slice(long.length);
  } else if (text.startsWith(":")) {
    let at = 1;
    for (; /^[!"#%&',\-/;<=>@_`~^]$/.test(text[at] ?? ""); at++) {
      if (!"!^/".includes(text[at] ?? "")) throw new GitError(`Unimplemented pathspec magic '${text[at]}' in '${typed}'`);
      magic.add(text[at] === "/" ? "top" : "exclude");
    }
    text = text.slice(text[at] === ":" ? at + 1 : at);
  }
  for (const word of magic)
    if (!["top", "exclude", "icase", "literal", "glob"].includes(word))
      throw new GitError(
        word.startsWith("attr")
          ? `pathspec magic 'attr' is not available here yet: '${typed}'`
          : `Invalid pathspec magic '${word}' in '${typed}'`,
      );
  if (text === "" && typed === "")
    throw new GitError("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
  return { magic, text };
}

function readItem(repository: Repository, typed: string): { item: Item; excludes: boolean } {
  const { magic, text } = magicOf(typed);
  const path = magic.has("top") ? text.replace(/\/+$/, "").replace(/^\/+/, "") : repository.fromHere(text === "" ? "." : text);
  const isGlob = !magic.has("literal") && /[*?[\\]/.test(path);
  return {
    item: {
      typed,
      path,
      mustBeDirectory: /(?:^|\/)(?:\.{0,2})$/.test(text) && path !== "",
      glob: isGlob ? globOf(path, magic) : undefined,
      foldsCase: magic.has("icase"),
      magic,
    },
    excludes: magic.has("exclude"),
  };
}

function globOf(path: string, magic: ReadonlySet<string>): Pick<Glob, "matches"> {
  if (magic.has("glob")) return compileByteGlob(toWord(path), { foldCase: magic.has("icase") });
  return compileGlob(toWord(path), { caseFold: magic.has("icase") });
}

function itemMatches({ path, glob, foldsCase, mustBeDirectory }: Item, name: string, isDirectory: boolean): boolean {
  if (path === "") return true;
  const [wanted, given] = foldsCase ? [path.toLowerCase(), name.toLowerCase()] : [path, name];
  if (given === wanted) return !mustBeDirectory || isDirectory;
  if (given.startsWith(`${wanted}/`)) return true;
  return glob?.matches(toWord(name)) === true;
}
