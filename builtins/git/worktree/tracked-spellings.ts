/**
 * Names that are listed in the working tree, as the index has them: in another case where git is told that the file system finds names
 * so (core.ignorecase), composed where it is told that it lists them decomposed (core.precomposeunicode; git-config(1)).
 */
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";
import type { IndexFile } from "./index-file.ts";

/** By folded paths. */
interface Tracked {
  readonly files: ReadonlyMap<string, string>;
  readonly directories: ReadonlyMap<string, string>;
}

export class TrackedSpellings {
  readonly #index: IndexFile;
  readonly #ignoresCase: boolean;
  readonly #composes: boolean;
  #byFolded: Tracked | undefined;

  constructor({ config }: Repository, index: IndexFile) {
    this.#index = index;
    this.#ignoresCase = config.boolean("core.ignorecase", false);
    this.#composes = config.boolean("core.precomposeunicode", false);
  }

  /** True if each name is the index's as it is listed. */
  get isExact(): boolean {
    return !this.#ignoresCase && !this.#composes;
  }

  /** The listed name as git on a Mac reads it. */
  composed(name: string): string {
    return this.#composes && /[^\0-\x7f]/.test(name) ? fromWord(toWord(name).normalize("NFC")) : name;
  }

  /** The tracked file that `path` is another spelling of; undefined if there is none. */
  file(path: string): string | undefined {
    return this.#ignoresCase ? this.#tracked.files.get(folded(path)) : undefined;
  }

  /** The same of a directory with tracked files. */
  directory(path: string): string | undefined {
    return this.#ignoresCase ? this.#tracked.directories.get(folded(path)) : undefined;
  }

  get #tracked(): Tracked {
    if (this.#byFolded !== undefined) return this.#byFolded;
    const files = new Map<string, string>();
    const directories = new Map<string, string>();
    for (let number = 0; number < this.#index.count; number++) {
      const path = this.#index.nameAt(number);
      files.set(folded(path), path);
      for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
        const above = path.slice(0, slash);
        if (directories.has(folded(above))) break;
        directories.set(folded(above), above);
      }
    }
    this.#byFolded = { files, directories };
    return this.#byFolded;
  }
}

/** As git's name-hash.c folds a path: the letters of ASCII alone. */
const folded = (path: string): string => path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
