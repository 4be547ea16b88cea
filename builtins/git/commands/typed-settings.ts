/**
 * Settings that git would obey here and that are not done: refused by name where `git -c` gives them, and told of where the repository's
 * own configuration has them, so that none is passed over.
 */
import type { Setting } from "../config.ts";
import type { Options } from "./options.ts";

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

/** Commands that print commits, of which the last two have a line each. */
const WALKS = ["log", "show", "whatchanged", "reflog", "stash list"] as const;
const DIFFS = ["diff", "stash show", ...WALKS] as const;
const COLOURED = ["status", "branch", "grep", "show-branch", ...DIFFS.filter((name) => name !== "stash list")] as const;

type Given = Options<string>;

const PATCHES = ["-p", "-u", "--patch", "-U", "--unified", "--patch-with-stat", "--patch-with-raw", "-c", "--cc", "-W"];
const FORMATS = [
  ...["--stat", "--shortstat", "--numstat", "--dirstat", "-X", "--cumulative", "--summary", "--raw", "--name-only", "--name-status"],
  ...["--compact-summary", "--check"],
];

/** Walks that show no differences unless they are asked for. */
const isBare = (command: string): boolean => /^(?:log|reflog|stash list)$/.test(command);
const showsDiff = (given: Given, command: string): boolean => !isBare(command) || given.has(...PATCHES, ...FORMATS);
const showsPatch = (given: Given, command: string): boolean =>
  given.has(...PATCHES) || !(isBare(command) || command === "stash show" || given.has(...FORMATS, "-s", "--no-patch"));
const isLongStatus = (given: Given): boolean => !given.has("-s", "--short", "--porcelain", "-z");
const hasUsualFormat = (given: Given, command: string): boolean =>
  !/^(?:reflog|stash list)$/.test(command) && !given.has("--oneline", "--pretty", "--format", "--no-notes");
const namesCommits = (given: Given): boolean =>
  given.has("--decorate") || given.all("--pretty", "--format").some((format) => /%(?:[dD]|\(decorate)/.test(format));

/** Output that has no colours anyway. */
function hasColours(given: Given, command: string): boolean {
  if (given.has("--no-color", "--porcelain", "--quiet", "--show-current", "--name-only", "--name-status")) return false;
  if (given.has("--color")) return false;
  const format = given.last("--format", "--pretty");
  return format === undefined || /^(?:oneline|short|medium|full|fuller|raw|email|)$/.test(format) || showsPatch(given, command);
}

interface Concerned {
  readonly names: RegExp;
  readonly commands: readonly string[];
  /** True if the flags leave something that the setting would change; default: they do. */
  readonly changes?: (given: Given, command: string) => boolean;
}

/**
 * Commands whose output a setting of the repository's own would change. Programs, and files outside the repository, are left out: that
 * none is started or read is the builtin's own rule.
 */
const CONCERNED: readonly Concerned[] = [
  { names: /^(?:status|column)\.|^advice\.statushints$/, commands: ["status"], changes: isLongStatus },
  { names: /^blame\./, commands: ["blame", "annotate"] },
  { names: /^log\.showsignature$|^i18n\./, commands: WALKS },
  { names: /^log\.showroot$/, commands: ["log", "show", "whatchanged"], changes: showsDiff },
  { names: /^log\.diffmerges$/, commands: ["log", "show", "whatchanged"], changes: (given) => given.has("-m", "--diff-merges") },
  { names: /^log\.(?:excludedecoration|initialdecorationset)$/, commands: WALKS, changes: namesCommits },
  { names: /^notes\.displayref$/, commands: WALKS, changes: hasUsualFormat },
  { names: /^diff\.(?:orderfile|submodule)$/, commands: DIFFS, changes: showsDiff },
  { names: /^diff\.suppressblankempty$/, commands: DIFFS, changes: showsPatch },
  { names: /^core\.symlinks$/, commands: ["status", "diff", "diff-files", "diff-index"] },
  { names: /^mailmap\./, commands: ["log", "show", "whatchanged", "shortlog", "blame"] },
  { names: /^versionsort\./, commands: ["tag", "branch", "for-each-ref", "ls-remote"] },
  { names: /^submodule\.recurse$/, commands: ["grep", "ls-files"] },
  { names: /^color\.ui$/, commands: COLOURED, changes: hasColours },
  { names: /^color\.diff$/, commands: DIFFS.filter((name) => name !== "stash list"), changes: hasColours },
  { names: /^color\.status$/, commands: ["status"], changes: hasColours },
  { names: /^color\.branch$/, commands: ["branch"], changes: hasColours },
  { names: /^color\.grep$/, commands: ["grep"], changes: hasColours },
  { names: /^color\.showbranch$/, commands: ["show-branch"], changes: hasColours },
];

/** Warnings, each once, of settings of the repository's own that change what `command` prints with `given`, and are not obeyed. */
export function unreadSettings(command: string, given: Given, settings: readonly Setting[]): readonly string[] {
  const isConcerned = (name: string): boolean =>
    CONCERNED.some(({ names, commands, changes }) => names.test(name) && commands.includes(command) && (changes?.(given, command) ?? true));
  const warnings = settings.flatMap(({ name, value, isTyped }) => {
    const reason = isTyped !== true && isConcerned(name) ? refusalOf(name, value) : undefined;
    return reason === undefined ? [] : [`warning: ${name} is set in the repository, and is not obeyed here: ${reason}\n`];
  });
  return [...new Set(warnings)];
}
