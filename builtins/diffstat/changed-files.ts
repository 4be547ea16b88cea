/** The files that differences name, in diffstat's order, and the one name that two headers of a file come to. Text is Latin-1. */

/** "only", "binary" and the like, in place of lines that can be counted; "either": by what else there is. */
export type Comment = "normal" | "only" | "only-left" | "only-right" | "binary" | "differs" | "either";

/** Lines inserted, deleted and modified. */
export type Counts = [number, number, number];
export const INSERTED = 0;
export const DELETED = 1;
export const MODIFIED = 2;

export class ChangedFile {
  name: string;
  /** Where the part of the name begins that -p leaves. */
  readonly base: number;
  comment: Comment = "normal";
  counts: Counts = [0, 0, 0];
  /** Those of the present chunk, where they are merged. */
  #chunk: Counts = [0, 0, 0];
  #isPending = false;

  constructor(name: string, base: number) {
    this.name = name;
    this.base = base;
  }

  get total(): number {
    return this.counts[0] + this.counts[1] + this.counts[2];
  }

  get hasDifferences(): boolean {
    return this.total !== 0 || this.comment !== "normal";
  }

  get key(): string {
    return this.name.slice(this.base);
  }

  count(change: number, merges: boolean): void {
    if (merges) this.#isPending = true;
    const counts = merges ? this.#chunk : this.counts;
    counts[change] = (counts[change] as number) + 1;
  }

  /** What was inserted for something deleted counts as modified. */
  finishChunk(merges: boolean): void {
    if (!this.#isPending) return;
    const [inserted, deleted, modified] = this.#chunk;
    const both = merges ? Math.min(inserted, deleted) : 0;
    const [a, b, c] = this.counts;
    this.counts = [a + inserted - both, b + deleted - both, c + modified + both];
    this.#chunk = [0, 0, 0];
    this.#isPending = false;
  }
}

export interface NameRules {
  /** -p; below 0: not given. */
  readonly prefix: number;
  /** False with -k. */
  readonly merges: boolean;
  /** False with -u. */
  readonly sorts: boolean;
  /** -R */
  readonly isReversed: boolean;
}

export class ChangedFiles {
  readonly #rules: NameRules;
  /** As they are linked: the newest first where names are merged and sorted, and else in their order. */
  #list: ChangedFile[] = [];
  readonly #byKey = new Map<string, ChangedFile>();

  constructor(rules: NameRules) {
    this.#rules = rules;
  }

  get list(): readonly ChangedFile[] {
    return this.#usesTree ? this.#list.toReversed() : this.#list;
  }

  /** In the order in which they are shown. */
  get shown(): readonly ChangedFile[] {
    if (!this.#usesTree) return this.#list;
    return [...this.#byKey].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, file]) => file);
  }

  get #usesTree(): boolean {
    return this.#rules.sorts && this.#rules.merges;
  }

  find(name: string): ChangedFile {
    const made = new ChangedFile(name, baseOf(name, this.#rules.prefix));
    if (this.#usesTree) return this.#inTree(made);
    const { merges, sorts } = this.#rules;
    for (const [at, file] of this.#list.entries()) {
      if (merges && file.key === made.key) return file;
      if (sorts && file.key > made.key) {
        this.#list.splice(at, 0, made);
        return made;
      }
    }
    this.#list.push(made);
    return made;
  }

  #inTree(made: ChangedFile): ChangedFile {
    const known = this.#byKey.get(made.key);
    if (known !== undefined) return known;
    this.#byKey.set(made.key, made);
    this.#list.push(made);
    return made;
  }

  /** True if it was there. */
  remove(file: ChangedFile): boolean {
    if (this.#usesTree && !this.#byKey.delete(file.key)) return false;
    const at = this.#list.lastIndexOf(file);
    if (at >= 0) this.#list.splice(at, 1);
    return at >= 0;
  }

  /** The name for the file of two headers, `file` of the first and `path` in the second, and true if `file` was removed. */
  merged(file: ChangedFile, path: string): { readonly name: string; readonly isRemoved: boolean } {
    const { isReversed, merges, prefix } = this.#rules;
    const kept = (name: string): { name: string; isRemoved: boolean } => ({ name, isRemoved: false });
    const canMerge = isName(path);
    if (!file.hasDifferences) return this.#mergedEmpty(file, path);
    if (isReversed) return kept(isName(file.name) ? path : file.name);
    if (!canMerge) return kept(file.name);
    if (!merges || file.name === "" || prefix >= 0) return kept(path);
    const { matched, differs } = commonTail(file.name, path);
    return kept(matched > 0 && !differs ? file.name.slice(file.name.length - matched) : path);
  }

  #mergedEmpty(file: ChangedFile, path: string): { readonly name: string; readonly isRemoved: boolean } {
    const { isReversed, prefix } = this.#rules;
    const [target, source] = isReversed ? [path, file.name] : [file.name, path];
    if (isLeaf(target, source)) return { name: source, isRemoved: !isReversed && this.remove(file) };
    if (!isName(source)) return { name: target, isRemoved: false };
    if (isReversed) return { name: source, isRemoved: false };
    if (!isName(target)) return { name: source, isRemoved: this.remove(file) };
    let [shownTarget, shownSource] = [target, source];
    let isCopied = false;
    if (target.length > source.length && target.startsWith(source)) {
      shownTarget = source;
      if (this.#usesTree) {
        this.#inTree(new ChangedFile(source, file.base));
        isCopied = true;
      } else file.name = source;
    } else if (target.length < source.length && source.startsWith(target)) shownSource = target;
    let name = shownSource;
    if (prefix < 0) {
      const { matched, differs } = commonTail(shownTarget, shownSource);
      if (matched !== 0 && differs) name = shownSource.slice(shownSource.length - matched + 1);
    }
    return { name, isRemoved: !isCopied && this.remove(file) };
  }
}

/** False for what stands for no file. */
export const isName = (path: string): boolean => path !== "" && path !== "/dev/null";

function baseOf(name: string, prefix: number): number {
  let base = 0;
  for (let left = prefix; left > 0; left--) {
    const slash = name.indexOf("/", base);
    if (slash < 0 || slash + 1 === name.length) break;
    base = slash + 1;
  }
  return base;
}

const isLeaf = (leaf: string, path: string): boolean =>
  !leaf.includes("/") && path.includes("/") && path.slice(path.lastIndexOf("/") + 1) === leaf;

/** The length of the common end, from the last slash that both have; `differs`: one is not the end of the other. */
function commonTail(one: string, other: string): { readonly matched: number; readonly differs: boolean } {
  let matched = 0;
  for (let n = 1; n <= one.length && n <= other.length; n++) {
    const character = other[other.length - n];
    if (one[one.length - n] !== character) return { matched, differs: true };
    if (character === "/") matched = n;
  }
  return { matched, differs: false };
}
