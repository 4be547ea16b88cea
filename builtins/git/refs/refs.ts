/** References: loose files, packed-refs, symbolic ones, and reflogs. Those of a linked worktree are its own. */
import { readRange, type Disk } from "../objects/disk.ts";
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "../objects/object-format.ts";
import { parseSignature, type Signature } from "../objects/objects.ts";

export interface Ref {
  readonly name: string;
  readonly id: string;
  /** The ref a symbolic one stands for. */
  readonly target: string | undefined;
}

export interface LogEntry {
  readonly old: string;
  readonly id: string;
  readonly who: Signature;
  readonly message: string;
}

/** PATH_MAX: a longer name is no file's. */
const MOST_NAME_BYTES = 4096;

/** Names of what another worktree has for its own. */
export const OF_WORKTREE = /^(main-worktree|worktrees\/[^/]+)\/([A-Z_]+)$/;

export class Refs {
  readonly #disk: Disk;
  readonly #format: ObjectFormat;
  /** `.git` (of the worktree), and the directory that all worktrees share. */
  readonly #own: string;
  readonly #common: string;
  #packed: Map<string, { id: string; peeled: string | undefined }> | undefined;

  constructor(disk: Disk, own: string, common: string, format: ObjectFormat) {
    this.#disk = disk;
    this.#format = format;
    this.#own = own;
    this.#common = common;
  }

  /** The id a full name stands for; undefined where there is none (an unborn branch too). */
  resolve(name: string): Ref | undefined {
    let target: string | undefined;
    let at = name;
    for (let depth = 0; depth < 6; depth++) {
      const text = this.#stored(at);
      if (text === undefined) {
        const id = this.#packedRefs().get(at)?.id;
        return id === undefined ? undefined : { name, id, target };
      }
      if (!text.startsWith("ref:")) {
        const id = text.slice(0, this.#format.idDigits);
        return this.#format.isId(id) && /^\s?$/.test(text.charAt(id.length)) ? { name, id, target } : undefined;
      }
      at = text.slice(4).trim();
      if (at.split("/").includes("..") || at.startsWith("/")) return undefined;
      target = at;
    }
    return undefined;
  }

  /** True if a reference has no file of its own. */
  isPacked(name: string): boolean {
    return this.#packedRefs().has(name) && this.#disk.status(this.#place(name), false)?.kind !== "file";
  }

  /** Target of a symbolic reference, whether or not the target exists. */
  symbolic(name: string): string | undefined {
    const text = this.#stored(name);
    return text?.startsWith("ref:") === true ? text.slice(4).trim() : undefined;
  }

  /** All refs whose names begin with `prefix` ("refs/", "refs/heads/"), in order of their names. */
  list(prefix = "refs/"): readonly Ref[] {
    const names = new Set<string>();
    const walk = (directory: string, depth: number): void => {
      for (const { name, kind } of this.#disk.list(`${this.#common}/${directory}`) ?? []) {
        if (kind === "directory" && depth < 64) walk(`${directory}/${name}`, depth + 1);
        else if (kind === "file" && !name.endsWith(".lock")) names.add(`${directory}/${name}`);
      }
    };
    walk(prefix.slice(0, prefix.lastIndexOf("/")), 0);
    for (const name of this.#packedRefs().keys()) names.add(name);
    return [...names]
      .filter((name) => name.startsWith(prefix))
      .sort()
      .flatMap((name) => this.resolve(name) ?? []);
  }

  /** The reflog, oldest first. */
  log(name: string): readonly LogEntry[] {
    const text = this.#disk.text(this.#logPlace(name)) ?? "";
    const { idDigits } = this.#format;
    return text.split("\n").flatMap((line) => {
      const tab = line.indexOf("\t");
      const head = tab < 0 ? line : line.slice(0, tab);
      const [old, id] = [head.slice(0, idDigits), head.slice(idDigits + 1, 2 * idDigits + 1)];
      if (!this.#format.isId(old) || !this.#format.isId(id) || head[idDigits] !== " " || head[2 * idDigits + 1] !== " ") return [];
      return [
        {
          old,
          id,
          who: parseSignature(head.slice(2 * idDigits + 2)),
          message: tab < 0 ? "" : line.slice(tab + 1),
        },
      ];
    });
  }

  hasLog(name: string): boolean {
    return this.#disk.status(this.#logPlace(name))?.kind === "file";
  }

  #logPlace(name: string): string {
    const { directory, inside } = this.#ofWorktree(name);
    return `${directory ?? (inside.startsWith("refs/") ? this.#common : this.#own)}/logs/${inside}`;
  }

  /** The directory of the worktree that a name like `worktrees/ID/HEAD` or `main-worktree/HEAD` speaks of (git-worktree(1), REFS). */
  #ofWorktree(name: string): { readonly directory: string | undefined; readonly inside: string } {
    const [, of, inside] = OF_WORKTREE.exec(name) ?? [];
    if (of === undefined || inside === undefined) return { directory: undefined, inside: name };
    return { directory: of === "main-worktree" ? this.#common : `${this.#common}/${of}`, inside };
  }

  /** Content of a reference's file; empty for a file that is too long to be one, undefined if it does not exist. */
  #stored(name: string): string | undefined {
    const file = name.length > MOST_NAME_BYTES ? undefined : this.#disk.open(this.#place(name));
    if (file === undefined) return undefined;
    try {
      return file.size > MOST_NAME_BYTES ? "" : readRange(file, 0, file.size).toString("latin1").trimEnd();
    } finally {
      file.close();
    }
  }

  #place(name: string): string {
    const { directory, inside } = this.#ofWorktree(name);
    return `${directory ?? (inside.startsWith("refs/") && !inside.startsWith("refs/bisect/") ? this.#common : this.#own)}/${inside}`;
  }

  #packedRefs(): Map<string, { id: string; peeled: string | undefined }> {
    if (this.#packed !== undefined) return this.#packed;
    const refs = new Map<string, { id: string; peeled: string | undefined }>();
    let last: { id: string; peeled: string | undefined } | undefined;
    const text = this.#disk.text(`${this.#common}/packed-refs`) ?? "";
    const { idDigits } = this.#format;
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      const first = text[at];
      if (first === "^" && last !== undefined) last.peeled = text.slice(at + 1, at + 1 + idDigits);
      else if (first !== "#" && first !== "^" && end > at) {
        const id = text.slice(at, at + idDigits);
        if (text[at + idDigits] !== " " || end < at + idDigits + 2 || !this.#format.isId(id))
          throw new GitError(`unexpected line in .git/packed-refs: ${text.slice(at, Math.min(end, at + 1000))}`);
        last = { id, peeled: undefined };
        refs.set(text.slice(at + idDigits + 1, end), last);
      }
      at = end + 1;
    }
    this.#packed = refs;
    return refs;
  }
}

/** The shortest name that still means `name`: without `refs/heads/` and the like. */
export function shortRefName(name: string): string {
  return name.replace(/^refs\/(heads|tags|remotes)\//, "").replace(/^refs\//, "");
}
