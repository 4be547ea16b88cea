/** Submodules: whether what is checked out there is another commit, or differs from its own commit. */
import { GitError } from "../git-error.ts";
import { parseConfig } from "../config.ts";
import type { SubmoduleSettings } from "../diff/diff-options.ts";
import { submoduleIgnore } from "../diff/diff-options.ts";
import { readIndex } from "./index-file.ts";
import { repositoryBelow, type Repository } from "../repository.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { untrackedFiles } from "./untracked.ts";
import { workingPairs } from "./working-tree.ts";

/** What of a submodule's working tree differs from its own commit. */
export interface SubmoduleDirt {
  readonly isModified: boolean;
  readonly hasUntracked: boolean;
}

export interface SubmoduleState extends SubmoduleDirt {
  /** The commit checked out there. */
  readonly head: string;
}

/** Undefined where nothing is checked out. `ignore` says what need not be looked for. */
export function submoduleState(
  repository: Repository,
  path: string,
  ignore: NonNullable<SubmoduleSettings["ignore"]>,
  depth = 0,
): SubmoduleState | undefined {
  const inner = repositoryBelow(repository, path);
  if (inner === undefined) return undefined;
  try {
    const head = inner.refs.resolve("HEAD")?.id;
    if (head === undefined) return undefined;
    if (ignore === "dirty" || ignore === "all" || depth > 8) return { head, isModified: false, hasUntracked: false };
    const index = readIndex(inner);
    let isModified = indexPairs(inner, inner.commit(head).tree, index).length > 0;
    let hasUntracked = false;
    for (const { now } of workingPairs(inner, index, undefined, { submodules: ignore, depth: depth + 1 })) {
      if (now.dirt === undefined || now.dirt.isModified) isModified = true;
      if (now.dirt?.hasUntracked === true) hasUntracked = true;
    }
    if (ignore === "none" && !hasUntracked)
      hasUntracked = untrackedFiles(inner, index, { joinsDirectories: true, listsIgnored: false }).untracked.length > 0;
    return { head, isModified, hasUntracked };
  } finally {
    inner.close();
  }
}

/** What the configuration says is not to count: `submodule.NAME.ignore` there or in .gitmodules, or diff.ignoreSubmodules. */
export function configuredIgnore(repository: Repository, path: string): SubmoduleSettings["ignore"] {
  const place = repository.inWorktree(".gitmodules");
  const text = repository.disk.status(place, false)?.kind === "file" ? (repository.disk.text(place) ?? "") : "";
  const settings = parseConfig(text, ".gitmodules");
  const named = settings.find(({ name, value }) => /^submodule\..*\.path$/.test(name) && value === path)?.name.slice(10, -5);
  const said =
    (named === undefined
      ? undefined
      : (repository.config.get(`submodule.${named}.ignore`) ??
        settings.findLast(({ name }) => name === `submodule.${named}.ignore`)?.value)) ?? repository.config.get("diff.ignoresubmodules");
  try {
    return said === undefined ? undefined : submoduleIgnore(said);
  } catch (thrown) {
    if (thrown instanceof GitError) return undefined;
    throw thrown;
  }
}
