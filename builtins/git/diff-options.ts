/** What the flags that diff, log and show share ask for. */
import type { LineRule } from "../../src/compare/line-classes.ts";
import { GitError } from "./git-error.ts";
import { EXACT, type ChangeOptions } from "./line-changes.ts";
import type { Options } from "./options.ts";
import { HALF, MOST_SCORE } from "./renames.ts";
import type { Config } from "./config.ts";

/** Their names, as options.ts reads them. */
export const DIFF_FLAGS =
  "-p -u --patch -s --no-patch --stat? --numstat --shortstat --name-only --name-status --raw --summary --compact-summary --patch-with-stat " +
  "-U: --unified: -M? --find-renames? --no-renames -C? --find-copies? -l: -w --ignore-all-space -b --ignore-space-change --ignore-space-at-eol " +
  "--ignore-cr-at-eol --ignore-blank-lines --minimal --patience --histogram --diff-algorithm: --indent-heuristic --no-indent-heuristic " +
  "--full-index --abbrev? --no-abbrev --no-prefix --src-prefix: --dst-prefix: --diff-filter: --no-color --color? --no-ext-diff --no-textconv " +
  "-R -z --relative? --exit-code --quiet -a --text -S: -G: --pickaxe-regex --pickaxe-all -W --function-context --inter-hunk-context: " +
  "--word-diff? --color-words? --color-moved? --check --binary --submodule? --stat-width: --stat-name-width: --stat-count: --dirstat? " +
  "--no-rename-empty --rename-empty --ws-error-highlight: --ignore-submodules? --line-prefix: --cc -c -m --combined-all-paths --irreversible-delete -D";

export type DiffFormat = "patch" | "stat" | "numstat" | "shortstat" | "name-only" | "name-status" | "raw" | "summary" | "compact-summary";

export interface DiffSettings {
  readonly formats: ReadonlySet<DiffFormat>;
  /** -s, or nothing was asked for. */
  readonly isSilent: boolean;
  readonly context: number;
  readonly renames: boolean;
  readonly minimumScore: number;
  readonly renameLimit: number;
  readonly changes: ChangeOptions;
  readonly ignoresBlank: boolean;
  readonly fullIndex: boolean;
  readonly abbreviation: number | undefined;
  readonly oldPrefix: string;
  readonly newPrefix: string;
  readonly filter: string;
  readonly reverses: boolean;
  readonly endsInNull: boolean;
  readonly relativeTo: string | undefined;
  readonly text: boolean;
  readonly pickaxe: { readonly kind: "S" | "G"; readonly text: string; readonly isRegex: boolean } | undefined;
  readonly exitCode: boolean;
  readonly quiet: boolean;
  readonly statWidth: number;
  readonly statNameWidth: number;
  readonly statCount: number;
}

const NOT_YET = [
  "--word-diff",
  "--color-words",
  "--check",
  "--binary",
  "-W",
  "--function-context",
  "--dirstat",
  "-C",
  "--find-copies",
  "--inter-hunk-context",
  "--patience",
  "--histogram",
  "-c",
  "-m",
  "--combined-all-paths",
  "--irreversible-delete",
  "-D",
  "--pickaxe-all",
  "--line-prefix",
  "--ignore-blank-lines",
  "--color-moved",
  "--ws-error-highlight",
  "--ignore-submodules",
  "--ignore-cr-at-eol",
  "--cc",
] as const;

/** Throws GitError for a bad value and for what is not available yet. */
export function diffSettings(options: Options, config: Config, prefix: string): DiffSettings {
  for (const name of NOT_YET) if (options.has(name)) throw new GitError(`${name} is not available here yet`);
  const formats = new Set<DiffFormat>();
  let isSilent = false;
  for (const { name, value } of options.list) {
    const found = FORMATS.get(name);
    if (found !== undefined) {
      formats.add(found);
      isSilent = false;
    } else if (name === "--patch-with-stat") {
      formats.add("patch");
      formats.add("stat");
    } else if (name === "-U" || name === "--unified") formats.add("patch");
    else if (name === "-s" || name === "--no-patch") {
      formats.clear();
      isSilent = true;
    } else if (name === "--diff-algorithm" && value !== "myers" && value !== "default" && value !== "minimal")
      throw new GitError(`--diff-algorithm=${value} is not available here yet`);
    else if ((name === "--color" && value !== "never" && value !== "auto" && value !== "") || (name === "--color" && value === "always"))
      throw new GitError("--color=always is not available here yet");
    else if (name === "--submodule" && value !== "short") throw new GitError("--submodule=log is not available here yet");
  }
  const number = (text: string | undefined, otherwise: number): number => {
    if (text === undefined || text === "") return otherwise;
    if (!/^[0-9]+$/.test(text)) throw new GitError(`option expects a numerical value: '${text}'`);
    return Number(text);
  };
  const score = options.last("-M", "--find-renames");
  const configured = config.get("diff.renames")?.toLowerCase();
  const noPrefix = options.has("--no-prefix") || config.boolean("diff.noprefix", false);
  const [, width, nameWidth, count] = /^([0-9]*)(?:,([0-9]*))?(?:,([0-9]+))?$/.exec(options.last("--stat") ?? "") ?? [];
  const pickaxe = options.list.findLast(({ name }) => name === "-S" || name === "-G");
  const relative = options.last("--relative");
  return {
    formats,
    isSilent,
    context: number(options.last("-U", "--unified") ?? config.get("diff.context"), 3),
    renames:
      options.lastOf("--no-renames", "-M", "--find-renames") !== "--no-renames" &&
      (score !== undefined || (configured !== "false" && configured !== "no")),
    minimumScore: score === undefined || score === "" ? HALF : readScore(score),
    renameLimit: number(options.last("-l") ?? config.get("diff.renamelimit"), 1000),
    changes: {
      rule: lineRule(options),
      minimal: options.has("--minimal") || options.last("--diff-algorithm") === "minimal",
      indentHeuristic: !options.has("--no-indent-heuristic") && config.boolean("diff.indentheuristic", true),
    },
    ignoresBlank: options.has("--ignore-blank-lines"),
    fullIndex: options.has("--full-index"),
    abbreviation: options.has("--no-abbrev")
      ? 40
      : options.has("--abbrev") && options.last("--abbrev") !== ""
        ? Number(options.last("--abbrev"))
        : undefined,
    oldPrefix: options.last("--src-prefix") ?? (noPrefix ? "" : options.has("-R") ? "b/" : "a/"),
    newPrefix: options.last("--dst-prefix") ?? (noPrefix ? "" : options.has("-R") ? "a/" : "b/"),
    filter: options.last("--diff-filter") ?? "",
    reverses: options.has("-R"),
    endsInNull: options.has("-z"),
    relativeTo: relative === undefined ? undefined : relative === "" ? prefix : `${relative.replace(/\/+$/, "")}/`,
    text: options.has("-a") || options.has("--text"),
    pickaxe:
      pickaxe === undefined
        ? undefined
        : { kind: pickaxe.name === "-S" ? "S" : "G", text: pickaxe.value ?? "", isRegex: options.has("--pickaxe-regex") },
    exitCode: options.has("--exit-code"),
    quiet: options.has("--quiet"),
    statWidth: number(options.last("--stat-width") ?? width, 80),
    statNameWidth: number(options.last("--stat-name-width") ?? nameWidth, 0),
    statCount: number(options.last("--stat-count") ?? count, 0),
  };
}

const FORMATS: ReadonlyMap<string, DiffFormat> = new Map<string, DiffFormat>([
  ["-p", "patch"],
  ["-u", "patch"],
  ["--patch", "patch"],
  ["--stat", "stat"],
  ["--numstat", "numstat"],
  ["--shortstat", "shortstat"],
  ["--name-only", "name-only"],
  ["--name-status", "name-status"],
  ["--raw", "raw"],
  ["--summary", "summary"],
  ["--compact-summary", "compact-summary"],
]);

function lineRule(options: Options): LineRule {
  if (options.has("-w") || options.has("--ignore-all-space")) return { ...EXACT, whiteSpace: { kind: "all" } };
  if (options.has("-b") || options.has("--ignore-space-change")) return { ...EXACT, whiteSpace: { kind: "amount" } };
  if (options.has("--ignore-space-at-eol")) return { ...EXACT, whiteSpace: { kind: "partly", expandTabs: false, dropTrailing: true } };
  return EXACT;
}

/** "90%", or digits after an imagined decimal point: "9" is 90 %. */
function readScore(text: string): number {
  const [, digits, percent] = /^([0-9]*(?:\.[0-9]*)?)(%?)$/.exec(text) ?? [];
  if (digits === undefined || digits === "") throw new GitError(`invalid argument to find-renames`);
  const share = percent === "%" ? Number(digits) / 100 : digits.includes(".") ? Number(digits) : Number(`0.${digits}`);
  return Math.min(MOST_SCORE, Math.trunc(share * MOST_SCORE));
}
