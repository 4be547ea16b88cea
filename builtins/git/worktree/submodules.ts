/** Submodules whose checkout is at another commit, or differs from its own commit. */
import { GitError } from "../git-error.ts";
import { parseConfig } from "../config.ts";
import type { SubmoduleSettings } from "../diff/diff-options.ts";
import { submoduleIgnore } from "../diff/diff-options.ts";
import type { Repository } from "../repository.ts";

/** Differences between a submodule's working tree and its own commit. */
export interface SubmoduleDirt {
  readonly isModified: boolean;
  readonly hasUntracked: boolean;
}

export interface SubmoduleState extends SubmoduleDirt {
  /** The commit checked out there. */
  readonly head: string;
}

/**
 * Changes of a submodule that the configuration ignores: `submodule.NAME.ignore` there or in .gitmodules, or
 * diff.ignoreSubmodules.
 */
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
