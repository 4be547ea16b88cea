/** git-notes(1): text that references below refs/notes/ keep for commits. */
import type { Options } from "../commands/options.ts";
import { fromWord } from "../objects/byte-text.ts";
import { isTree } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { treeOf } from "../refs/revision.ts";
import type { PrettyFlag } from "./walk-flags.ts";

/** The notes that are shown: those of refs/notes/commits, or of the references that --notes=REF names. */
export class Notes {
  readonly #repository: Repository;
  readonly #trees: readonly { readonly ref: string; readonly tree: string }[];

  constructor(repository: Repository, typed: readonly string[]) {
    this.#repository = repository;
    const names = (typed.length === 0 ? [""] : typed).map((ref) => notesRef(repository, ref));
    this.#trees = names.flatMap((ref) => {
      const id = repository.refs.resolve(ref)?.id;
      const tree = id === undefined ? undefined : treeOf(repository, id);
      return tree === undefined ? [] : [{ ref, tree }];
    });
  }

  /** As `git log` prints it, below the message: with a title, four columns in. */
  shown(id: string): string {
    return this.#each(id, (ref, text) => {
      const title = ref === "refs/notes/commits" ? "Notes" : `Notes (${ref.replace(/^refs\//, "").replace(/^notes\//, "")})`;
      const lines = text.replace(/\n$/, "").split("\n");
      return `\n${title}:\n${lines.map((line) => `    ${line}\n`).join("")}`;
    });
  }

  /** The text alone (%N). */
  raw(id: string): string {
    return this.#each(id, (_, text) => `${text.replace(/\n$/, "")}\n`);
  }

  /** The id of the note of `object`. */
  noteOf(object: string): string | undefined {
    for (const { tree } of this.#trees) {
      const found = this.#find(tree, object);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All, in the order of what they are of. */
  *list(): Generator<{ readonly note: string; readonly object: string }, void> {
    for (const { tree } of this.#trees) yield* this.#below(tree, "");
  }

  *#below(tree: string, above: string): Generator<{ readonly note: string; readonly object: string }, void> {
    const { format } = this.#repository;
    for (const { name, mode, id } of this.#repository.tree(tree)) {
      const object = above + name;
      if (isTree(mode) && name.length === 2 && above.length < format.idDigits) yield* this.#below(id, object);
      else if (format.isId(object)) yield { note: id, object };
    }
  }

  #each(id: string, print: (ref: string, text: string) => string): string {
    if (this.#trees.length === 0) return "";
    return this.#trees
      .map(({ ref, tree }) => {
        const found = this.#find(tree, id);
        // A note is of a commit, and of no file that a rule could be for.
        return found === undefined ? "" : print(ref, this.#repository.objects.get(found, "blob").data.toString("latin1"));
      })
      .join("");
  }

  /** Names are ids, whole or split after two digits into directories. */
  #find(tree: string, rest: string): string | undefined {
    for (const { name, mode, id } of this.#repository.tree(tree)) {
      if (isTree(mode) && name.length === 2 && rest.length > 2 && rest.startsWith(name)) return this.#find(id, rest.slice(2));
      if (name === rest) return id;
    }
    return undefined;
  }
}

/** The full name of what --ref names; "": the usual one. */
export const notesRef = (repository: Repository, typed: string): string =>
  typed === "" ? (repository.config.get("core.notesref") ?? "refs/notes/commits") : fullName(typed);

const fullName = (ref: string): string =>
  ref.startsWith("refs/notes/") ? ref : ref.startsWith("notes/") ? `refs/${ref}` : `refs/notes/${ref}`;

/** References named by --notes=REF, in order; --no-notes forgets those before it. */
export function noteRefs(options: Options<PrettyFlag>): string[] {
  let refs: string[] = [];
  for (const { name, value } of options.each("--notes", "--show-notes", "--no-notes")) {
    if (name === "--no-notes") refs = [];
    else refs.push(fromWord(value ?? ""));
  }
  return refs;
}
