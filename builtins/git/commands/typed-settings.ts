/**
 * Settings that git would obey here and that are not done: refused by name where `git -c` gives them, and told of where the repository's
 * own configuration has them, so that none is passed over.
 */
import type { Setting } from "../config.ts";

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
  "diff.orderfile": "files are in the order of their names",
  "diff.submodule": "it is short, log or diff",
  "diff.suppressblankempty": "empty context lines have their space",
  "grep.fallbacktonoindex": "only a repository is searched",
  "i18n.commitencoding": "messages are printed in UTF-8",
  "i18n.logoutputencoding": "--encoding names another encoding",
  "include.path": "no other configuration is read",
  "log.diffmerges": "--diff-merges says how merges are shown",
  "log.excludedecoration": "--decorate-refs-exclude says which names are not shown",
  "log.follow": "--follow traces a file through renames",
  "log.initialdecorationset": "--decorate-refs says which names are shown",
  "log.showroot": "the first commit is shown with its diff",
  "log.showsignature": "checking a signature starts a program",
  "mailmap.blob": "the mailmap is .mailmap in the working tree",
  "mailmap.file": "the mailmap is .mailmap in the working tree",
  "notes.displayref": "--notes names other notes",
  "status.displaycommentprefix": "status is no text for an editor here",
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
  "diff.submodule": /^(?:short|log|diff)$/,
  "i18n.commitencoding": /^utf-?8$/i,
  "i18n.logoutputencoding": /^utf-?8$/i,
  "log.showroot": /^(true|yes|on|1)$/i,
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

const WALKS = ["log", "show", "whatchanged", "reflog", "stash list"] as const;

/**
 * Commands whose output a setting of the repository's own would change. Programs, and files outside the repository, are left out: that
 * none is started or read is the builtin's own rule.
 */
const CONCERNED: readonly (readonly [name: RegExp, commands: readonly string[]])[] = [
  [/^(?:status|column)\.|^advice\.statushints$/, ["status"]],
  [/^blame\./, ["blame", "annotate"]],
  [/^log\.|^notes\.displayref$|^i18n\./, WALKS],
  [/^diff\.(?:orderfile|submodule|suppressblankempty)$/, ["diff", "stash show", ...WALKS]],
  [/^core\.symlinks$/, ["status", "diff", "diff-files", "diff-index"]],
  [/^mailmap\./, ["log", "show", "whatchanged", "shortlog", "blame"]],
  [/^versionsort\./, ["tag", "branch", "for-each-ref", "ls-remote"]],
  [/^submodule\.recurse$/, ["grep", "ls-files"]],
];

/** Warnings, each once, of settings of the repository's own that change what `command` prints, and are not obeyed. */
export function unreadSettings(command: string, settings: readonly Setting[]): readonly string[] {
  const warnings = settings.flatMap(({ name, value, isTyped }) => {
    if (isTyped === true || !CONCERNED.some(([of, commands]) => of.test(name) && commands.includes(command))) return [];
    const reason = refusalOf(name, value);
    return reason === undefined ? [] : [`warning: ${name} is set in the repository, and is not obeyed here: ${reason}\n`];
  });
  return [...new Set(warnings)];
}
