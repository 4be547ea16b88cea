/** Places of a repository: its directories, as they were found or given. */

export interface Place {
  readonly worktree: string | undefined;
  /** The directory whose `.git` it was found by; undefined where it was not. Nobody has said so in a line. */
  readonly home?: string;
  /** Where its files are shown as those of a submodule, which need not be checked out. */
  readonly shownAt?: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  readonly isInside: boolean;
  readonly isAbsent?: true;
  readonly start: string;
  /** Of the git directory, as --git-dir has it. */
  readonly typed?: string;
}

export type FoundPlace = Omit<Place, "start">;

/** Places that are given in words of their own: --git-dir and --work-tree, relative to the root. */
export interface TypedPlaces {
  readonly gitDirectory?: { readonly path: string; readonly typed: string } | undefined;
  readonly worktree?: string | undefined;
  /** Where none is found, one is given that holds nothing. */
  readonly mayBeAbsent?: boolean;
  /** The current directory is in another tree of the workspace, and no worktree. */
  readonly isElsewhere?: boolean;
}
