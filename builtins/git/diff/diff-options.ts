/** The flags that diff, log and show share, and the settings they amount to. */
import type { LineRule } from "../../../src/compare/line-classes.ts";
import { GitError } from "../git-error.ts";
import { fromWord } from "../objects/byte-text.ts";
import { EXACT, type ChangeOptions } from "./line-changes.ts";
import { directoryStatSettings, USUAL_DIRECTORIES, type DirectoryStatSettings } from "./directory-stat.ts";
import type { Options } from "../commands/options.ts";
import type { DiffFlag } from "./diff-flags.ts";
import { areColoured } from "./colours.ts";
import { checkMovedLines } from "./moved-lines.ts";
import { HALF, MOST_SCORE } from "./renames.ts";
import { readBreak, type BreakSettings } from "./rewrites.ts";
import { submoduleSettings, type SubmoduleSettings } from "./submodule-settings.ts";
import { wordSettings, type WordSettings } from "./word-settings.ts";
import type { Config } from "../config.ts";

export type DiffFormat =
  | "patch"
  | "stat"
  | "numstat"
  | "shortstat"
  | "name-only"
  | "name-status"
  | "raw"
  | "summary"
  | "compact-summary"
  | "dirstat"
  | "check";

export interface DiffSettings {
  readonly formats: ReadonlySet<DiffFormat>;
  /** A flag that says how merges are shown did not bring them alone. */
  readonly formatsWereGiven: boolean;
  /** -s, or nothing was asked for. */
  readonly isSilent: boolean;
  readonly context: number;
  readonly renames: boolean;
  /** Empty files can be renamed too. */
  readonly joinsEmpty: boolean;
  readonly minimumScore: number;
  readonly renameLimit: number;
  readonly changes: ChangeOptions;
  readonly ignoresBlank: boolean;
  readonly fullIndex: boolean;
  /** The raw format has whole ids, as in the commands that scripts use. */
  readonly rawIsWhole: boolean;
  readonly abbreviation: number | undefined;
  readonly oldPrefix: string;
  readonly newPrefix: string;
  /** Letters of the changes that are shown, and `*` for all beside one of them; "": every change. */
  readonly filter: string;
  readonly reverses: boolean;
  readonly endsInNull: boolean;
  readonly relativeTo: string | undefined;
  readonly text: boolean;
  readonly pickaxe: { readonly kind: "S" | "G"; readonly text: string; readonly isRegex: boolean; readonly foldCase: boolean } | undefined;
  readonly exitCode: boolean;
  readonly quiet: boolean;
  /** A pickaxe or a filter leaves commits out. */
  readonly isPickaxed: boolean;
  /** They do without having looked, unless a diff is shown: as git has it of a filter that only takes changes away. */
  readonly isPickedBlindly: boolean;
  readonly pickaxeAll: boolean;
  readonly binary: boolean;
  /** In front of each line. */
  readonly linePrefix: string;
  /** Something stands before each line: that, or rails. */
  readonly isPrefixed: boolean;
  /** Whole functions around a change (-W). */
  readonly functionContext: boolean;
  /** Hunks so many lines apart are joined, beyond what their context joins. */
  readonly interHunk: number;
  /** Undefined: lines. */
  readonly words: WordSettings | undefined;
  readonly isColoured: boolean;
  readonly copies: "no" | "changed" | "all";
  /** Undefined: no file is taken apart. */
  readonly breaks: BreakSettings | undefined;
  /** A deleted file's content is not shown (-D). */
  readonly hidesDeleted: boolean;
  readonly checks: boolean;
  /** Changes of nothing but lines that match one of these are none (-I). */
  readonly ignoredLines: readonly string[];
  readonly submodules: SubmoduleSettings;
  readonly marks: { readonly added: string; readonly removed: string; readonly context: string };
  readonly findObject: string | undefined;
  readonly statGraphWidth: number;
  readonly statWidthIsGiven: boolean;
  readonly statWidth: number;
  readonly statNameWidth: number;
  readonly statCount: number;
  readonly directories: DirectoryStatSettings;
}

export const COUNT_FORMATS: ReadonlySet<DiffFormat> = new Set(["stat", "numstat", "shortstat", "compact-summary", "summary", "dirstat"]);
export const STAT_FORMATS: ReadonlySet<DiffFormat> = new Set(["stat", "numstat", "shortstat", "compact-summary"]);
export const NAME_FORMATS: ReadonlySet<DiffFormat> = new Set(["raw", "name-status", "name-only"]);

export const hasFormat = ({ formats }: DiffSettings, wanted: ReadonlySet<DiffFormat>): boolean =>
  [...formats].some((format) => wanted.has(format));

/** The same settings, with only those of their formats that `wanted` has. */
export const onlyFormats = (settings: DiffSettings, wanted: ReadonlySet<DiffFormat>): DiffSettings => ({
  ...settings,
  formats: new Set([...settings.formats].filter((format) => wanted.has(format))),
});

/** Throws GitError for a bad value. Not every command has `--diff-merges`, which brings a patch, and `--exit-code`. */
export function diffSettings(given: Options<DiffFlag>, config: Config, prefix: string): DiffSettings {
  const formats = new Set<DiffFormat>();
  let isSilent = false;
  let impliesPatch = false;
  const options = given.among<"--diff-merges" | "--exit-code" | "--follow">();
  for (const { name, value } of options.each(...FORMATS.keys(), ...OTHER_FORMATS)) {
    const found = FORMATS.get(name);
    if (found !== undefined) {
      formats.add(found);
      if (found === "patch") isSilent = false;
    } else if (name === "--patch-with-stat" || name === "--patch-with-raw") {
      formats.add("patch");
      formats.add(name === "--patch-with-stat" ? "stat" : "raw");
      isSilent = false;
    } else if (name === "-s" || name === "--no-patch") isSilent = true;
    else if (name === "-c" || name === "--cc" || (name === "--diff-merges" && !/^(off|none)$/.test(value ?? ""))) impliesPatch = true;
  }
  const alone = [...formats].filter((format) => EXCLUSIVE_FORMATS.has(format));
  if (alone.length + (isSilent ? 1 : 0) > 1)
    throw new GitError("options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
  if (alone.length > 0 || isSilent) formats.clear();
  for (const format of alone) formats.add(format);
  const formatsWereGiven = formats.size > 0 || options.has("-c", "--cc");
  if (impliesPatch && formats.size === 0 && !isSilent) formats.add("patch");
  const number = (text: string | undefined, otherwise: number, flag = ""): number => {
    if (text === undefined || text === "") return otherwise;
    if (!/^[0-9]+$/.test(text)) throw new GitError(`${flag} expects a numerical value`, { prefix: "error: ", exit: 129 });
    return Number(text);
  };
  const stat = options.last("--stat") ?? "";
  if (!/^[0-9]*(,[0-9]*){0,2}$/.test(stat)) throw new GitError(`invalid --stat value: ${stat}`, { prefix: "error: ", exit: 129 });
  const filter = changeFilter(options.all("--diff-filter"));
  // The last counts, with a score or without.
  const scored = options.each("-M", "--find-renames", "-C", "--find-copies").at(-1);
  const score = scored === undefined ? (options.has("--find-copies-harder") ? "" : undefined) : (scored.value ?? "");
  const configured = config.get("diff.renames")?.toLowerCase();
  const noPrefix = options.has("--no-prefix") || config.boolean("diff.noprefix", false);
  const leftPrefix = options.last("--src-prefix") ?? (noPrefix ? "" : "a/");
  const rightPrefix = options.last("--dst-prefix") ?? (noPrefix ? "" : "b/");
  const [, width, nameWidth, count] = /^([0-9]*)(?:,([0-9]*))?(?:,([0-9]+))?$/.exec(options.last("--stat") ?? "") ?? [];
  const pickaxe = options.each("-S", "-G").at(-1);
  const sought = new Set(options.each("-S", "-G", "--find-object").map(({ name }) => name));
  if (sought.size > 1) throw new GitError("options '-G', '-S', and '--find-object' cannot be used together");
  const length = options.last("--abbrev");
  const relative =
    options.lastOf("--relative", "--no-relative") === "--no-relative"
      ? undefined
      : (options.last("--relative") ?? (config.boolean("diff.relative", false) && prefix !== "" ? "" : undefined));
  checkMovedLines(options);
  const words = wordSettings(options, config);
  const submodules = submoduleSettings(options, config);
  const heuristic = options.lastOf("--indent-heuristic", "--no-indent-heuristic");
  return {
    formats,
    formatsWereGiven,
    isSilent,
    context: number(options.last("-U", "--unified"), config.number("diff.context") ?? 3, "--unified"),
    ...detectionOf(options, configured),
    joinsEmpty: options.lastOf("--rename-empty", "--no-rename-empty") !== "--no-rename-empty",
    minimumScore: score === undefined || score === "" ? HALF : readScore(score),
    renameLimit: number(options.last("-l") ?? config.get("diff.renamelimit"), 1000),
    changes: {
      rule: lineRule(options),
      ...algorithmOf(options, config),
      indentHeuristic: heuristic === undefined ? config.boolean("diff.indentheuristic", true) : heuristic === "--indent-heuristic",
    },
    ignoresBlank: options.has("--ignore-blank-lines"),
    fullIndex: options.has("--full-index"),
    abbreviation:
      length === undefined || length === "" || options.lastOf("--abbrev", "--no-abbrev") !== "--abbrev" ? undefined : Number(length),
    // Index lines of a patch have short ids all the same.
    rawIsWhole: options.lastOf("--abbrev", "--no-abbrev") === "--no-abbrev",
    oldPrefix: options.has("-R") ? rightPrefix : leftPrefix,
    newPrefix: options.has("-R") ? leftPrefix : rightPrefix,
    filter,
    reverses: options.has("-R"),
    endsInNull: options.has("-z"),
    relativeTo: relative === "" ? prefix : relative,
    text: options.has("-a") || options.has("--text"),
    pickaxe:
      pickaxe === undefined
        ? undefined
        : {
            kind: pickaxe.name === "-S" ? "S" : "G",
            text: pickaxe.value ?? "",
            isRegex: options.has("--pickaxe-regex"),
            foldCase: options.among<"-i" | "--regexp-ignore-case">().has("-i", "--regexp-ignore-case"),
          },
    exitCode: options.has("--exit-code"),
    quiet: options.has("--quiet"),
    isPickedBlindly:
      pickaxe === undefined && !options.has("--find-object", "--follow") && /^[a-z]+$/.test(options.all("--diff-filter").join("")),
    isPickaxed: pickaxe !== undefined || filter !== "" || options.has("--find-object"),
    binary: options.has("--binary"),
    pickaxeAll: options.has("--pickaxe-all"),
    linePrefix: options.last("--line-prefix") ?? "",
    isPrefixed: (options.last("--line-prefix") ?? "") !== "",
    functionContext: ["-W", "--function-context"].includes(options.lastOf("-W", "--function-context", "--no-function-context") ?? ""),
    interHunk: number(options.last("--inter-hunk-context"), config.number("diff.interhunkcontext") ?? 0),
    words,
    isColoured: areColoured(options, config, {
      formats,
      hasWords: words !== undefined,
      showsSubmodules: submodules.format !== "short",
    }),
    breaks: options
      .each("-B", "--break-rewrites")
      .map(({ value }) => readBreak(fromWord(value ?? "")))
      .at(-1),
    hidesDeleted: options.has("-D", "--irreversible-delete"),
    checks: options.has("--check"),
    ignoredLines: options.all("-I", "--ignore-matching-lines"),
    submodules,
    marks: {
      added: options.last("--output-indicator-new") ?? "+",
      removed: options.last("--output-indicator-old") ?? "-",
      context: options.last("--output-indicator-context") ?? " ",
    },
    findObject: options.last("--find-object"),
    statGraphWidth: number(options.last("--stat-graph-width") ?? config.get("diff.statgraphwidth"), 0),
    statWidthIsGiven: (options.last("--stat-width") ?? width ?? "") !== "",
    statWidth: number(options.last("--stat-width") ?? width, 80 - (options.last("--line-prefix") ?? "").length),
    statNameWidth: number(options.last("--stat-name-width") ?? nameWidth, 0),
    statCount: number(options.last("--stat-count") ?? count, 0),
    directories: directoryStatSettings(options, config),
  };
}

/** What each --diff-filter says, together: capitals add and small letters take away, of every letter where there is no capital. Throws GitError. */
function changeFilter(given: readonly string[]): string {
  for (const filter of given) {
    const [unknown] = /[^ACDMRTUXBacdmrtuxb*]/.exec(filter) ?? [];
    if (unknown !== undefined)
      throw new GitError(`unknown change class '${unknown}' in --diff-filter=${filter}`, { prefix: "error: ", exit: 129 });
  }
  const all = given.join("");
  const taken = all.replace(/[^a-z]/g, "").toUpperCase();
  const added = all.replace(/[a-z]/g, "");
  if (taken === "") return added;
  return [...(added === "" ? "ACDMRTUXB" : added)].filter((letter) => !taken.includes(letter)).join("");
}

/** Flags that say in other ways which formats there are. */
const OTHER_FORMATS = ["--patch-with-stat", "--patch-with-raw", "-s", "--no-patch", "-c", "--cc", "--diff-merges"] as const;

const FORMATS: ReadonlyMap<DiffFlag | "--diff-merges", DiffFormat> = new Map<DiffFlag, DiffFormat>([
  ["-p", "patch"],
  ["-u", "patch"],
  ["-U", "patch"],
  ["--unified", "patch"],
  ["--binary", "patch"],
  ["--patch", "patch"],
  ["--stat", "stat"],
  ["--numstat", "numstat"],
  ["--shortstat", "shortstat"],
  ["--name-only", "name-only"],
  ["--name-status", "name-status"],
  ["--raw", "raw"],
  ["--summary", "summary"],
  ["--compact-summary", "compact-summary"],
  ["--stat-width", "stat"],
  ["--stat-name-width", "stat"],
  ["--stat-graph-width", "stat"],
  ["--stat-count", "stat"],
  ["--check", "check"],
  ["--dirstat", "dirstat"],
  ["-X", "dirstat"],
  ["--cumulative", "dirstat"],
  ["--dirstat-by-file", "dirstat"],
]);

const EXCLUSIVE_FORMATS: ReadonlySet<DiffFormat> = new Set(["name-only", "name-status", "check"]);
/** What no flag and no configuration changes. */
export const PLAIN_SETTINGS: DiffSettings = {
  formats: new Set(),
  formatsWereGiven: false,
  isSilent: false,
  context: 3,
  renames: true,
  joinsEmpty: true,
  minimumScore: HALF,
  renameLimit: 1000,
  changes: { rule: EXACT, minimal: false, algorithm: undefined, anchors: [], indentHeuristic: true },
  ignoresBlank: false,
  fullIndex: false,
  rawIsWhole: false,
  abbreviation: undefined,
  oldPrefix: "a/",
  newPrefix: "b/",
  filter: "",
  reverses: false,
  endsInNull: false,
  relativeTo: undefined,
  text: false,
  pickaxe: undefined,
  exitCode: false,
  quiet: false,
  isPickaxed: false,
  isPickedBlindly: false,
  pickaxeAll: false,
  binary: false,
  linePrefix: "",
  isPrefixed: false,
  functionContext: false,
  interHunk: 0,
  words: undefined,
  isColoured: false,
  copies: "no",
  breaks: undefined,
  hidesDeleted: false,
  checks: false,
  ignoredLines: [],
  submodules: { ignore: undefined, format: "short" },
  marks: { added: "+", removed: "-", context: " " },
  findObject: undefined,
  statGraphWidth: 0,
  statWidthIsGiven: false,
  statWidth: 80,
  statNameWidth: 0,
  statCount: 0,
  directories: USUAL_DIRECTORIES,
};

/** What is looked for, by the last flag that says so; a second -C, and --find-copies-harder anywhere, looks among all files. */
function detectionOf(options: Options<DiffFlag>, configured: string | undefined): Pick<DiffSettings, "renames" | "copies"> {
  let sought: "nothing" | "renames" | "copies" =
    configured === "copies" || configured === "copy" ? "copies" : configured === "false" || configured === "no" ? "nothing" : "renames";
  let isHarder = options.has("--find-copies-harder");
  for (const { name } of options.each("-M", "--find-renames", "-C", "--find-copies", "--no-renames")) {
    if (name === "--no-renames") sought = "nothing";
    else if (name === "-M" || name === "--find-renames") sought = "renames";
    else if (sought === "copies") isHarder = true;
    else sought = "copies";
  }
  if (isHarder) return { renames: true, copies: "all" };
  return { renames: sought !== "nothing", copies: sought === "copies" ? "changed" : "no" };
}

function lineRule(options: Options<DiffFlag>): LineRule {
  if (options.has("-w") || options.has("--ignore-all-space")) return { ...EXACT, whiteSpace: { kind: "all" } };
  if (options.has("-b") || options.has("--ignore-space-change")) return { ...EXACT, whiteSpace: { kind: "amount" } };
  if (options.has("--ignore-space-at-eol")) return { ...EXACT, whiteSpace: { kind: "partly", expandTabs: false, dropTrailing: true } };
  if (options.has("--ignore-cr-at-eol")) return { ...EXACT, whiteSpace: { kind: "carriage-return" } };
  return EXACT;
}

/** The line-matching algorithm: from the last flag that names one, or the configuration. Throws GitError. */
function algorithmOf(options: Options<DiffFlag>, config: Config): Pick<ChangeOptions, "minimal" | "algorithm" | "anchors"> {
  const read = (name: string | undefined): Pick<ChangeOptions, "minimal" | "algorithm"> | undefined => {
    switch (name?.toLowerCase()) {
      case undefined:
      case "myers":
      case "default":
        return { minimal: false, algorithm: undefined };
      case "minimal":
        return { minimal: true, algorithm: undefined };
      case "patience":
        return { minimal: false, algorithm: "patience" };
      case "histogram":
        return { minimal: false, algorithm: "histogram" };
    }
    return undefined;
  };
  let chosen = read(config.get("diff.algorithm"));
  if (chosen === undefined) throw new GitError("unable to parse 'diff.algorithm' from command-line config");
  let anchors: string[] = [];
  for (const { name, value } of options.each("--minimal", "--histogram", "--patience", "--anchored", "--diff-algorithm")) {
    if (name === "--minimal") chosen = { ...chosen, minimal: true };
    else if (name === "--histogram") chosen = { ...chosen, algorithm: "histogram" };
    else if (name === "--patience" || name === "--anchored") {
      chosen = { ...chosen, algorithm: "patience" };
      anchors = name === "--patience" ? [] : [...anchors, fromWord(value ?? "")];
    } else {
      chosen = read(value ?? "");
      if (chosen === undefined)
        throw new GitError('option diff-algorithm accepts "myers", "minimal", "patience" and "histogram"', {
          prefix: "error: ",
          exit: 129,
        });
    }
  }
  return { ...chosen, anchors };
}

/** "90%", or digits after an imagined decimal point: "9" is 90 %. */
export function readScore(text: string): number {
  const [, digits, percent] = /^([0-9]*(?:\.[0-9]*)?)(%?)$/.exec(text) ?? [];
  if (digits === undefined || digits === "") throw new GitError(`invalid argument to find-renames`);
  const share = percent === "%" ? Number(digits) / 100 : digits.includes(".") ? Number(digits) : Number(`0.${digits}`);
  return Math.min(MOST_SCORE, Math.trunc(share * MOST_SCORE));
}
