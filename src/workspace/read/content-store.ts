/**
 * Recognizes files that hold bytes of other files under names that do not say whose: object stores of version control, and
 * our own temporary files. A policy rule for a file's name cannot find its bytes there.
 */

/** Tells whether `path` is such a file by its name, wherever in the tree it lies. */
export const isContentStore = (path: string): boolean => STORES.some((pattern) => pattern.test(path));

const STORES: readonly RegExp[] = [
  // gitrepository-layout(5): objects and packs, in a directory of any name (a bare repository, a submodule, an alternate).
  /(?:^|\/)objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}(?:[0-9a-f]{24})?|pack\/[^/]+\.pack)$/i,
  // Half-written objects and packs, and those of a push under way.
  /(?:^|\/)\.git\/(?:.*\/)?objects\/(?:.*\/)?(?:tmp_|incoming-)/is,
  // Large files (git-lfs), annexed files (git-annex), resolved conflicts (git-rerere), patches of a rebase (git-rebase, git-am).
  /(?:^|\/)\.git\/(?:.*\/)?(?:lfs|annex|rr-cache)\//is,
  /(?:^|\/)\.git\/(?:.*\/)?rebase-(?:apply|merge)\/(?:patch|\d+)$/is,
  // Mercurial, Subversion, Jujutsu.
  /(?:^|\/)(?:\.hg\/store|\.svn\/(?:pristine|text-base)|\.jj\/repo\/store)\//i,
  // Files that src/audit puts beside a file while it is replaced (audit/random-name.ts).
  /(?:^|\/)\.shelpa-(?:new|old|spool)-[0-9a-f]{16}$/i,
];
