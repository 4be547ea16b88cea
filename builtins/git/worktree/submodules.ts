/** Submodules whose checkout is at another commit, or differs from its own commit. */
import { GitError } from "../git-error.ts";
import { parseConfig, type Setting } from "../config.ts";
import { submoduleIgnore, type SubmoduleSettings } from "../diff/submodule-settings.ts";
import type { Repository } from "../repository.ts";
import { Pathspec } from "./pathspec.ts";

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
  const settings = gitmodules(repository);
  const named = nameIn(settings, path);
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

/** The name that .gitmodules gives the submodule at `path`. */
export const submoduleName = (repository: Repository, path: string): string | undefined => nameIn(gitmodules(repository), path);

/** True where the configuration says that the submodule is wanted: by its own setting, by paths, or by a place to fetch it from. */
export function isActive(repository: Repository, name: string, path: string): boolean {
  const { config } = repository;
  if (config.get(`submodule.${name}.active`) !== undefined) return config.boolean(`submodule.${name}.active`, false);
  const patterns = config.settings.filter((setting) => setting.name === "submodule.active").map(({ value }) => value ?? "");
  if (patterns.length > 0) return new Pathspec(repository, patterns).matches(path, true);
  return config.get(`submodule.${name}.url`) !== undefined;
}

function gitmodules(repository: Repository): readonly Setting[] {
  if (!repository.hasWorktree) return [];
  const place = repository.inWorktree(".gitmodules");
  const text = repository.disk.status(place, false)?.kind === "file" ? (repository.disk.text(place) ?? "") : "";
  return parseConfig(text, ".gitmodules");
}

const nameIn = (settings: readonly Setting[], path: string): string | undefined =>
  settings
    .find(({ name, value }) => /^submodule\..*\.path$/.test(name) && value === path)
    ?.name.slice("submodule.".length, -".path".length);
