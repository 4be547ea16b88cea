/** Filter and order of a listing of references, shared by branch, tag and for-each-ref. */
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { versionOrder } from "./version-name-order.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { COLOURLESS, NEXT, noColours, SWITCH, VALUE, type NamesRead } from "../commands/flags.ts";
import { GitError } from "../git-error.ts";
import { parseTag } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { readAtom, type RefSubject, type RefValues } from "./ref-values.ts";
import { resolveRevision } from "./revision.ts";
import { isAncestor } from "../log/revision-walk.ts";

export const FILTER_FLAGS = {
  "--contains": NEXT,
  "--no-contains": NEXT,
  "--merged": NEXT,
  "--no-merged": NEXT,
  "--points-at": NEXT,
  "--sort": VALUE,
  "--no-sort": SWITCH,
  "--format": VALUE,
  "--ignore-case": SWITCH,
  "--color": noColours("git branch"),
  "--no-color": COLOURLESS,
} as const;

/** Those that for-each-ref has not. */
export const LIST_FLAGS = { "--with": NEXT, "--without": NEXT, "-i": SWITCH } as const;

export type FilterFlag = NamesRead<typeof FILTER_FLAGS> | NamesRead<typeof LIST_FLAGS>;

export interface RefFilter {
  readonly keeps: (ref: RefSubject) => boolean;
}

/** `--contains COMMIT` and the like. Throws GitError. */
export function refFilter({ options, repository }: CommandRun<FilterFlag>): RefFilter {
  const commits = (...flags: FilterFlag[]): readonly string[] =>
    options.all(...flags).map((text) => {
      const typed = text === "" ? "HEAD" : text;
      const id = resolveRevision(repository, fromWord(typed));
      if (id === undefined)
        throw flags.includes("--merged") || flags.includes("--no-merged")
          ? new GitError(`malformed object name ${fromWord(typed)}`)
          : new GitError(`malformed object name ${fromWord(typed)}`, { exit: 129, prefix: "error: " });
      const commit = repository.asCommit(id);
      if (commit === undefined)
        throw new GitError(`object ${id} is a ${repository.objects.find(id)?.type ?? "object"}, not a commit`, { prefix: "error: " });
      return commit;
    });
  const contains = commits("--contains", "--with");
  const lacks = commits("--no-contains", "--without");
  const merged = commits("--merged");
  const unmerged = commits("--no-merged");
  const pointsAt = options.all("--points-at").map((text) => {
    const typed = text === "" ? "HEAD" : text;
    const id = resolveRevision(repository, fromWord(typed));
    if (id === undefined) throw new GitError(`malformed object name '${fromWord(typed)}'`, { exit: 129, prefix: "error: " });
    return id;
  });
  const asksCommits = contains.length + lacks.length + merged.length + unmerged.length > 0;
  return {
    keeps: ({ id }) => {
      if (pointsAt.length > 0 && !pointsAt.includes(id) && !pointsAt.includes(taggedBy(repository, id) ?? id)) return false;
      if (!asksCommits) return true;
      const commit = repository.asCommit(id);
      if (commit === undefined) return false;
      if (contains.length > 0 && !contains.some((one) => isAncestor(repository, one, commit))) return false;
      if (lacks.some((one) => isAncestor(repository, one, commit))) return false;
      if (merged.length > 0 && !merged.some((one) => isAncestor(repository, commit, one))) return false;
      return !unmerged.some((one) => isAncestor(repository, commit, one));
    },
  };
}

/** The object that the tag `id` names, be it another tag; undefined where `id` is no tag. */
function taggedBy({ objects }: Repository, id: string): string | undefined {
  const object = objects.find(id);
  return object?.type === "tag" ? parseTag(object.data).object : undefined;
}

/** The references in the order that --sort asks for: the last key decides first. Throws GitError. */
export function sortedRefs(
  run: CommandRun<FilterFlag>,
  refs: readonly RefSubject[],
  values: RefValues,
  configured: string | undefined,
): RefSubject[] {
  const { options } = run;
  let typed: string[] = [];
  for (const { name, value } of options.each("--no-sort", "--sort")) {
    if (name === "--no-sort") typed = [];
    else typed.push(fromWord(value ?? ""));
  }
  const keys = (typed.length > 0 ? typed : [configured ?? "refname"]).map((key) => {
    const descends = key.startsWith("-");
    const bare = key.replace(/^-/, "");
    const byVersion = /^(v|version):/.test(bare);
    return { sign: descends ? -1 : 1, byVersion, atom: readAtom(bare.replace(/^(v|version):/, "")) };
  });
  const folds = options.has("-i", "--ignore-case");
  const fold = (text: string): string => (folds ? text.toLowerCase() : text);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...refs].sort((a, b) => {
    if ((a.title === undefined) !== (b.title === undefined)) return a.title === undefined ? 1 : -1;
    for (const { sign, byVersion, atom } of keys.toReversed()) {
      const [x, y] = [values.numberOf(a, atom), values.numberOf(b, atom)];
      const order =
        x !== undefined && y !== undefined
          ? x - y
          : byVersion
            ? versionOrder(values.textOf(a, atom), values.textOf(b, atom))
            : compare(fold(values.textOf(a, atom)), fold(values.textOf(b, atom)));
      if (order !== 0) return sign * order;
    }
    return compare(fold(a.name), fold(b.name));
  });
}

/** Patterns of for-each-ref: a name, what is below it, or a glob. */
export function matchesRefPattern(patterns: readonly string[], name: string, foldsCase: boolean): boolean {
  if (patterns.length === 0) return true;
  const given = foldsCase ? name.toLowerCase() : name;
  return patterns.some((typed) => {
    const pattern = foldsCase ? typed.toLowerCase() : typed;
    const bare = pattern.replace(/\/$/, "");
    if (given === pattern || given.startsWith(`${bare}/`)) return true;
    return /[*?[]/.test(pattern) && compileGlob(toWord(pattern), { pathname: true }).matches(toWord(given));
  });
}
