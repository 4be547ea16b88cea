/** Settings of `git -c NAME=VALUE` that git would obey here and that are not done: refused by name, so that none is passed over. */

/** Why each is refused, by its name in lower case; a part in angle brackets stands for any. */
const NOT_DONE: Readonly<Record<string, string>> = {
  "advice.statushints": "hints are shown as git does by default",
  "blame.coloring": "output has no colours here",
  "blame.ignorerevsfile": "no commits are left out of blame here",
  "core.attributesfile": "attributes are those of the repository",
  "core.bigfilethreshold": "files of every size are compared",
  "core.excludesfile": "only the repository's own ignore files are read",
  "core.safecrlf": "line ends are converted without a warning",
  "core.symlinks": "links are links here",
  "core.worktree": "--work-tree names another working tree",
  "diff.<driver>.command": "an external diff is a program, and none is started here",
  "diff.<driver>.textconv": "a text conversion is a program, and none is started here",
  "diff.external": "an external diff is a program, and none is started here",
  "diff.mnemonicprefix": "prefixes are a/ and b/, or those of --src-prefix and --dst-prefix",
  "diff.orderfile": "files are in the order of their names",
  "diff.submodule": "--submodule says how changes of submodules are shown",
  "diff.suppressblankempty": "empty context lines have their space",
  "grep.fallbacktonoindex": "only a repository is searched",
  "i18n.logoutputencoding": "--encoding names another encoding",
  "include.path": "no other configuration is read",
  "log.decorate": "--decorate says how names are shown",
  "log.diffmerges": "--diff-merges says how merges are shown",
  "log.excludedecoration": "--decorate-refs-exclude says which names are not shown",
  "log.follow": "--follow traces a file through renames",
  "log.initialdecorationset": "--decorate-refs says which names are shown",
  "log.showroot": "the first commit is shown with its diff",
  "log.showsignature": "checking a signature starts a program",
  "mailmap.blob": "the mailmap is .mailmap in the working tree",
  "mailmap.file": "the mailmap is .mailmap in the working tree",
  "notes.displayref": "--notes names other notes",
  "status.branch": "-b shows the branch",
  "status.relativepaths": "paths are relative to the directory",
  "status.short": "-s shows the short form",
  "status.showstash": "--show-stash shows how many entries there are",
  "status.submodulesummary": "git submodule status shows the submodules",
  "submodule.recurse": "submodules are not walked into",
  "trailer.<name>": "trailers are told by a colon",
  "trailer.<token>.<name>": "trailers are told by a colon",
  "versionsort.<name>": "versions are sorted without suffixes",
};

/** Values under which git does what is done here. */
const SAME_VALUES: Readonly<Record<string, RegExp>> = {
  "advice.statushints": /^(true|yes|on|1)$/i,
  "blame.coloring": /^none$/,
  "core.safecrlf": /^(false|no|off|0|)$/i,
  "core.symlinks": /^(true|yes|on|1)$/i,
  "diff.submodule": /^short$/,
  "log.decorate": /^(false|no|off|0|auto)$/i,
  "log.showroot": /^(true|yes|on|1)$/i,
  "status.relativepaths": /^(true|yes|on|1)$/i,
};

const OFF = /^(false|no|off|0|)$/i;

/** The reason why a typed setting is refused; undefined where it is obeyed, or changes nothing of what git would print. */
export function refusalOf(name: string, value: string | undefined): string | undefined {
  if (!name.includes(".")) return `key does not contain a section: ${name}`;
  const text = value ?? "true";
  // Output is never a terminal: only `always` has colours and columns.
  if (/^color\.[a-z]+$/.test(name)) return text === "always" ? "output has no colours here" : undefined;
  if (/^column\.(?:branch|tag)$/.test(name)) return undefined;
  if (/^column\.[a-z]+$/.test(name))
    return /(?:^|[, ])(?:always|plain|column|row)\b/.test(text) && !/(?:^|[, ])(?:never|auto)\b/.test(text)
      ? "git status has one name a line here, and it may be meant"
      : undefined;
  const parts = name.split(".");
  const known = Object.keys(NOT_DONE).find((pattern) => {
    const wanted = pattern.split(".");
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith("<") || part === parts[at]);
  });
  return known === undefined || (SAME_VALUES[known] ?? OFF).test(text) ? undefined : NOT_DONE[known];
}
