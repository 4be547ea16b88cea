/** Repository of a submodule below the git directory of the one that it is in. */
import type { Repository } from "../repository.ts";
import { repositoryAtPlace } from "../repository-search.ts";
import { submoduleName } from "./submodules.ts";

/** The repository that a submodule has there, checked out or not; undefined where it has none. Throws GitError where it is outside. */
export function absorbedRepository(repository: Repository, path: string): Repository | undefined {
  const name = submoduleName(repository, path);
  if (name === undefined) return undefined;
  const shownAt = repository.hasWorktree
    ? repository.inWorktree(path)
    : `${repository.shownAt === undefined ? "" : `${repository.shownAt}/`}${path}`;
  return repositoryAtPlace(repository, repository.disk.absolute(`${repository.gitDirectory}/modules/${name}`), shownAt);
}
