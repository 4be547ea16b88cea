/** The flags by which log, show, rev-list and shortlog walk the history, and those by which they print commits. */
import {
  limited,
  NO_WAY,
  noEffect,
  OPTIONAL,
  refused,
  refusedAll,
  rewrittenFlag,
  SWITCH,
  VALUE,
  type NamesRead,
} from "../commands/flags.ts";

export const WALK_FLAGS = {
  "-n": VALUE,
  "--max-count": VALUE,
  "--skip": VALUE,
  "--since": VALUE,
  "--after": VALUE,
  "--since-as-filter": VALUE,
  "--until": VALUE,
  "--before": VALUE,
  "--max-age": VALUE,
  "--min-age": VALUE,
  "--author": VALUE,
  "--committer": VALUE,
  "--grep": VALUE,
  "--grep-reflog": VALUE,
  "-i": SWITCH,
  "--regexp-ignore-case": SWITCH,
  "--invert-grep": SWITCH,
  "--all-match": SWITCH,
  "-E": SWITCH,
  "--extended-regexp": SWITCH,
  "-F": SWITCH,
  "--fixed-strings": SWITCH,
  "-P": SWITCH,
  "--perl-regexp": SWITCH,
  "--basic-regexp": SWITCH,
  "--merges": SWITCH,
  "--no-merges": SWITCH,
  "--min-parents": VALUE,
  "--max-parents": VALUE,
  "--no-min-parents": SWITCH,
  "--no-max-parents": SWITCH,
  "--first-parent": SWITCH,
  "--reverse": SWITCH,
  "--all": SWITCH,
  "--branches": OPTIONAL,
  "--tags": OPTIONAL,
  "--remotes": OPTIONAL,
  "--topo-order": SWITCH,
  "--date-order": SWITCH,
  "--author-date-order": SWITCH,
  "--full-history": SWITCH,
  "--simplify-merges": SWITCH,
  "--no-walk": limited(OPTIONAL, (value) =>
    value === undefined || value === "sorted" || value === "unsorted"
      ? undefined
      : ["revisions are sorted or unsorted", "git log --no-walk=unsorted HEAD~2 HEAD"],
  ),
  "--do-walk": SWITCH,
  "--boundary": SWITCH,
  "--left-right": SWITCH,
  "--left-only": SWITCH,
  "--right-only": SWITCH,
  "--cherry-pick": SWITCH,
  "--cherry-mark": SWITCH,
  "--cherry": SWITCH,
  "--ancestry-path": OPTIONAL,
  "--glob": VALUE,
  "--exclude": VALUE,
  "--parents": SWITCH,
  "--children": SWITCH,
  "--simplify-by-decoration": SWITCH,
  "--dense": SWITCH,
  "--sparse": SWITCH,
  "--not": SWITCH,
  "--ignore-missing": SWITCH,
  "--graph": SWITCH,
  "--no-graph": SWITCH,
} as const;

/** Those that only log and reflog have. */
export const LOG_FLAGS = { "--follow": SWITCH, "-g": SWITCH, "--walk-reflogs": SWITCH, "--full-diff": SWITCH } as const;

/** For the commands that walk history. */
export const NO_STATUS_FLAGS = {
  "--exit-code": refused("whether a history has differences is not told by its status", "git diff --exit-code HEAD~1 HEAD"),
} as const;

/** Those that choose what is walked: git show takes objects by name. */
export const SHOW_REFUSED = refusedAll(
  [
    "--all",
    "--branches",
    "--tags",
    "--remotes",
    "--glob",
    "--exclude",
    "--not",
    "--boundary",
    "--left-right",
    "--left-only",
    "--right-only",
    "--cherry-pick",
    "--cherry-mark",
    "--cherry",
    "--ancestry-path",
    "--source",
  ],
  "objects are named here, and no history is walked",
  "git log -p --all",
);

const REFLOGS = refused("the entries of reflogs are shown by git log and git reflog", "git log -g --oneline");

export const NO_LOG_FLAGS = {
  "--follow": refused("a file is followed by git log", "git log --follow --oneline FILE"),
  "-g": REFLOGS,
  "--walk-reflogs": REFLOGS,
} as const;

export type WalkFlag = NamesRead<typeof WALK_FLAGS>;

export const WALK_REFUSED = {
  "--remove-empty": refused("the history of a path is not cut where the path was not there", "git log --oneline -- PATH"),
  "--reflog": refused("the entries of reflogs are named one by one here", "git reflog"),
  "--show-pulls": refused("merges are simplified as git does by default", "git log --oneline --merges"),
  "--merge": rewrittenFlag(
    refused("the sides of a merge are named as a range", "git log --oneline --left-right HEAD...MERGE_HEAD"),
    NO_WAY,
  ),
  "--bisect": refused("bisecting writes references", "git log --oneline -n 20"),
  "--stdin": refused("revisions are named in the line", "git log --oneline -n 20"),
} as const;

/** Messages are stored in UTF-8 nearly always, and printed so. */
export const ENCODING = limited(noEffect("messages are printed as they are stored, which is UTF-8 nearly always", "value"), (value) =>
  /^utf-?8$/i.test(value ?? "")
    ? undefined
    : ["messages are printed as they are stored, which is UTF-8 nearly always", "git log --encoding=UTF-8"],
);

const DIFF_MERGES = limited(VALUE, (value) =>
  value === "remerge" || value === "r" ? ["a merge is not made anew here", "git show --diff-merges=cc HEAD"] : undefined,
);

export const PRETTY_FLAGS = {
  "--oneline": SWITCH,
  "--pretty": OPTIONAL,
  "--format": VALUE,
  "--abbrev-commit": SWITCH,
  "--no-abbrev-commit": SWITCH,
  "--date": VALUE,
  "--relative-date": SWITCH,
  "--decorate": OPTIONAL,
  "--no-decorate": SWITCH,
  "--decorate-refs": VALUE,
  "--decorate-refs-exclude": VALUE,
  "--source": SWITCH,
  "--mailmap": SWITCH,
  "--use-mailmap": SWITCH,
  "--no-mailmap": SWITCH,
  "--no-use-mailmap": SWITCH,
  "--notes": OPTIONAL,
  "--show-notes": OPTIONAL,
  "--no-notes": SWITCH,
  "--expand-tabs": OPTIONAL,
  "--no-expand-tabs": SWITCH,
  "--no-show-signature": noEffect("signatures are never shown here"),
  "--clear-decorations": SWITCH,
  "--log-size": SWITCH,
  "--root": noEffect("the first commit is always shown with its diff"),
  "--no-diff-merges": SWITCH,
  "--diff-merges": DIFF_MERGES,
  "--encoding": ENCODING,
  "--encode-email-headers": SWITCH,
  "--no-encode-email-headers": SWITCH,
} as const;

export type PrettyFlag = NamesRead<typeof PRETTY_FLAGS>;

/** Flags that git log and its like read wherever they stand; others come before the paths. */
export const LOG_ANYWHERE: readonly string[] = [
  ...["-q", "--quiet", "--source", "--use-mailmap", "--no-use-mailmap", "--mailmap", "--no-mailmap", "--clear-decorations"],
  ...["--decorate-refs", "--decorate-refs-exclude", "--decorate", "--no-decorate", "-L"],
];
