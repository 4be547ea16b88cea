/** References that point to a commit (--decorate, %d), in git's order. */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import type { Options } from "../commands/options.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { Config } from "../config.ts";
import type { Repository } from "../repository.ts";

/** Patterns of references that are named alone, or not. */
export interface DecorationFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** --decorate-refs and its like. */
export const decorationFilter = (
  options: Options<"--clear-decorations" | "--decorate-refs" | "--decorate-refs-exclude">,
): DecorationFilter => ({
  include:
    options.lastOf("--clear-decorations", "--decorate-refs") === "--clear-decorations"
      ? [""]
      : options.all("--decorate-refs").map(fromWord),
  exclude: options.all("--decorate-refs-exclude").map(fromWord),
});

export class Decorations {
  readonly #names = new Map<string, string[]>();

  constructor(repository: Repository, style: "short" | "full", { include, exclude }: DecorationFilter = { include: [], exclude: [] }) {
    const isNamed = (name: string): boolean =>
      !exclude.some((pattern) => matches(pattern, name)) &&
      (include.length === 0
        ? /^(refs\/(heads|remotes|replace|tags|stash$)|HEAD$)/.test(name)
        : include.some((pattern) => matches(pattern, name)));
    const head = repository.refs.symbolic("HEAD");
    const add = (id: string, name: string): void => {
      const names = this.#names.get(id);
      if (names === undefined) this.#names.set(id, [name]);
      else names.unshift(name);
    };
    for (const { name, id } of repository.refs.list()) {
      if (!isNamed(name)) continue;
      if (name.startsWith(REPLACED)) {
        if (!repository.replacements.isEmpty) add(name.slice(REPLACED.length), "replaced");
        continue;
      }
      const shown = style === "full" ? name : name.replace(/^refs\/(heads|remotes|tags)\//, "");
      const text = name.startsWith("refs/tags/") ? `tag: ${shown}` : shown;
      if (name === head) continue;
      const commit = repository.peeled(id);
      add(commit, text);
      if (commit !== id) add(id, text);
    }
    const resolved = repository.refs.resolve("HEAD");
    const branch = head === undefined ? undefined : style === "full" ? head : head.replace(/^refs\/heads\//, "");
    const hasBranch = head !== undefined && isNamed(head) && repository.refs.resolve(head) !== undefined;
    if (resolved !== undefined && isNamed("HEAD")) add(resolved.id, branch === undefined || !hasBranch ? "HEAD" : `HEAD -> ${branch}`);
    else if (resolved !== undefined && hasBranch && branch !== undefined) add(resolved.id, branch);
    for (const id of [...repository.shallow, ...repository.grafts.keys()]) add(id, "grafted");
  }

  /** Of everything that is named. */
  get ids(): ReadonlySet<string> {
    return new Set(this.#names.keys());
  }

  /** "HEAD -> main, tag: v1"; "" where nothing points to it. */
  of(id: string): string {
    return (this.#names.get(id) ?? []).join(", ");
  }
}

/** log.decorate: a style, or a boolean; output is no terminal, and so `auto` has none. */
export function decorationOf(config: Config): string {
  const text = config.get("log.decorate");
  if (text === "full" || text === "short") return text;
  return text === undefined || text === "auto" || !config.boolean("log.decorate", false) ? "no" : "short";
}

const REPLACED = "refs/replace/";

/** A pattern without a wildcard stands for all that is below it too; one that does not begin with `refs/` may do so. */
function matches(pattern: string, name: string): boolean {
  if (pattern === "") return true;
  const full = pattern.startsWith("refs/") || pattern === "HEAD" ? pattern : `refs/${pattern}`;
  if (/[*?[]/.test(full)) return compileGlob(toWord(full)).matches(toWord(name));
  return name === full || name.startsWith(`${full.replace(/\/$/, "")}/`);
}
