/** Which references point to a commit (--decorate, %d), in git's order. */
import type { Repository } from "./repository.ts";

export class Decorations {
  readonly #names = new Map<string, string[]>();

  constructor(repository: Repository, style: "short" | "full") {
    const head = repository.refs.symbolic("HEAD");
    const add = (id: string, name: string): void => {
      const names = this.#names.get(id);
      if (names === undefined) this.#names.set(id, [name]);
      else names.unshift(name);
    };
    for (const { name, id } of repository.refs.list()) {
      if (!/^refs\/(heads|remotes|tags|stash$)/.test(name)) continue;
      const shown = style === "full" ? name : name.replace(/^refs\/(heads|remotes|tags)\//, "");
      const text = name.startsWith("refs/tags/") ? `tag: ${shown}` : shown;
      if (name === head) continue;
      const commit = repository.peeled(id);
      add(commit, text);
      if (commit !== id) add(id, text);
    }
    const resolved = repository.refs.resolve("HEAD");
    if (resolved === undefined) return;
    const branch = head === undefined ? undefined : style === "full" ? head : head.replace(/^refs\/heads\//, "");
    add(resolved.id, branch === undefined ? "HEAD" : `HEAD -> ${branch}`);
  }

  /** "HEAD -> main, tag: v1"; "" where nothing points to it. */
  of(id: string): string {
    return (this.#names.get(id) ?? []).join(", ");
  }
}
