/** rg: ripgrep itself, as a WebAssembly module in its own thread (src/wasm). What is ours is what it may see. */
import { BacktrackLimit } from "../../src/regex/perl-machine.ts";
import { defineBuiltin, type GivenKey, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { soughtDefinition } from "../../src/builtin/sought-definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toText } from "../../src/io/text.ts";
import { guestNames } from "../../src/wasm/guest-names.ts";
import { runTool } from "../../src/wasm/tool-run.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileKind } from "../../src/workspace/file-status.ts";
import { argumentWords } from "./argument-words.ts";
import { joinedShortValue, ripgrepArguments } from "./arguments.ts";
import { flags } from "./flags.ts";
import { isListing, type ListingFlag } from "./own-options.ts";
import { ownListing, ownPlan, type OwnPlan } from "./own-plan.ts";
import { listFiles, OwnRun, type OwnTarget } from "./own-run.ts";
import { knowsTypes, ownWalk } from "./own-walk.ts";
import { perlPlan, perlProblem, type PerlPlan } from "./perl/perl-plan.ts";
import { perlOnly, usesPerl } from "./perl-patterns.ts";
import { ripgrep } from "./module.ts";

type Flags = typeof flags;

/** Flags with which nothing is searched, or nothing but the tree. */
const NO_INPUT = ["files", "typeList", "generate", "printVersion", "pcre2Version", "shortHelp"] as const satisfies readonly (keyof Flags)[];

export const rg = defineBuiltin({
  name: "rg",
  summary: "Search the files below a directory, or standard input, for lines that match a pattern; ignored and hidden files are left out.",
  standard: "https://github.com/BurntSushi/ripgrep/blob/15.1.0/GUIDE.md",
  reference: "ripgrep 15.2.0",
  operands: { kind: "pattern-then-paths", unless: ["regexp", "file", "files"] },
  flags,
  looksAt: "below",
  legacy: joinedShortValue,
  argumentWords,
  usageExit: 2,
  usageHint: () => "",
  tells: "start",
  silence: { 1: "found nothing" },
  examples: [
    { command: "rg -n TODO src", files: { "src/a.ts": "x\n// TODO y\n" }, stdout: "src/a.ts:2:// TODO y\n" },
    {
      command: "rg -o '[0-9]+'",
      stdin: "a1 b22\n",
      stdout: "1\n22\n",
      note: "only what matched; as a later stage of a pipeline it reads its input",
    },
    { command: "rg --files -g '*.md'", files: { "a.md": "", "b.txt": "" }, stdout: "a.md\n" },
    { command: "rg -c x", files: { a: "y\n" }, stdout: "", exit: 1 },
    { command: "rg 'a(.)' -r '<$1>'", stdin: "xab\n", stdout: "x<b>\n" },
  ],
  deviations: [
    {
      from: "ripgrep 15.2.0",
      what: "Paths are searched in the order in which they are named, and each directory from the entry that the kernel names last: always the same order. -j changes nothing.",
      why: "ripgrep's own order is that of its threads and changes from run to run; this is what it mostly is.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "-P runs in our own engine for Perl's patterns (where it needs nothing but lines and both read the pattern alike, in that of the other patterns). It has not all of PCRE2, as with grep -P, and not --crlf, --null-data, --no-unicode, -E, -f or colors beside what only PCRE2 reads: those are refused. Where more is asked for than lines (-U, -r, --json, --stats, columns …) an input is at most 64 MiB. \\p{…} knows the characters of the host's Unicode.",
      why: "The WebAssembly build has no PCRE2.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "-z unpacks gzip's files (.gz, .tgz), with the common flags and patterns; a file packed by another program is an error. Where such a file is broken, matches before the fault are printed, also among several files.",
      why: "No program is ever started; ripgrep searches packed bytes as they are where the program is missing.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "No configuration file, no global ignore file, and no ignore file above the root. A rule of an ignore file that cannot be read is passed over without a message.",
      why: "They lie outside the workspace.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "Without -P, with flags and patterns of the rarer kind (-U, -r, --json, \\pL) a named file is read and not mapped: where its zero byte lies far behind a match, more may be printed, or less.",
      why: "They run in the WebAssembly module, which cannot map files.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "With these, -L says so and what to type instead where it meets a link to a directory; and with --json, -U and several paths, the ignore files above the first path are applied to the others by the wrong directory.",
      why: "The module cannot tell whether two directories are the same, and is built from 15.1.0, which had that fault.",
    },
    {
      from: "ripgrep 15.2.0",
      what: "-V says 15.1.0 and no PCRE2; --sort=created is an error.",
      why: "The module is built from 15.1.0, and WebAssembly programs cannot ask when a file was born.",
    },
  ],
  check(invocation) {
    requireOwnForPacked(invocation);
    if (!usesPerl(invocation.occurrences)) return;
    const { flags: given } = invocation;
    const patterns = given.fixedStrings ? [] : patternsOf(invocation);
    const construct = given.file.length > 0 ? "a file of patterns" : patterns.map(perlOnly).find((found) => found !== undefined);
    if (construct === undefined) {
      const problem = perlProblem(patterns);
      if (problem === undefined) return;
      throw new UsageError("refused-flag", `-P: PCRE2 has an error for this pattern: ${problem}`, { subject: "-P" });
    }
    if (ownSearch(invocation) !== undefined) return;
    const plan = perlPlan(invocation.occurrences, operandPattern(invocation));
    const isFlag = plan?.kind === "flag" && given.file.length === 0;
    const missing = isFlag
      ? `does it without ${plan.spelling}`
      : given.file.length > 0
        ? "takes patterns by -e alone"
        : "does not read this pattern";
    const message = `-P: ${construct} needs PCRE2, which is not here; our own engine ${missing}`;
    throw new UsageError("refused-flag", message, { subject: "-P" });
  },
  effects({ operands, occurrences }) {
    const isGiven = (...keys: readonly GivenKey<Flags>[]): boolean => occurrences.some(({ key }) => keys.includes(key));
    const isHere =
      operands.length <= (isGiven("regexp", "file", "files") ? 0 : 1) && !isGiven(...NO_INPUT.filter((key) => key !== "files"));
    return isHere ? [{ kind: "read", path: ".", unlessPiped: true }] : [];
  },
  seeks({ flags: given, operands }) {
    if (given.invertMatch || given.file.length > 0 || NO_INPUT.some((key) => given[key] === true || typeof given[key] === "string"))
      return undefined;
    const patterns = given.regexp.length > 0 ? given.regexp : operands.slice(0, 1);
    return soughtDefinition(patterns.map(String), given.regexp.length > 0 ? operands : operands.slice(1));
  },
  async *run(invocation) {
    const { flags: given, files, operands, stdin, stderr, nowMs, timeZone, limits, occurrences } = invocation;
    const hasPatternFlag = given.regexp.length > 0 || given.file.length > 0;
    const paths = hasPatternFlag || given.files ? operands : operands.slice(1);
    const searches = !NO_INPUT.some((key) => given[key] === true || typeof given[key] === "string");
    // ripgrep cannot ask a WebAssembly host what its input is, and would search the directory.
    const readsInput =
      searches && stdin.isGiven && paths.length === 0 && (hasPatternFlag || operands.length > 0) && !given.file.includes("-");
    const names = guestNames(files, [...paths, ...given.file, ...given.ignoreFile], paths.length === 0);
    const ownList = given.files ? ownListing(occurrences) : undefined;
    const listed = ownList && ownTargets(files, paths, ownList);
    const walk = ownList && ownWalk(files, ownList.listing, paths);
    if (listed !== undefined && walk !== undefined && ownList !== undefined) {
      const complain = given.noMessages ? () => {} : invocation.warn;
      return yield* listFiles(listed, walk, { endsWithZero: ownList.endsWithZero, complain });
    }
    const told = (bytes: Uint8Array): void => stderr(toText(bytes).replaceAll(NOT_FOLLOWED, () => notFollowed(invocation, paths)));
    const run = (args: readonly string[]) => runTool(ripgrep, { args, files, names, stdin, stderr: told, nowMs, timeZone, limits });
    const own = searches ? ownSearch(invocation) : undefined;
    const targets = own === undefined || readsInput ? undefined : ownTargets(files, paths, own);
    if (own !== undefined && (readsInput ? areUsable(files, own.listing, paths) : targets !== undefined || isStandardInput(paths))) {
      const ownRun = new OwnRun(own, invocation, targets === undefined || isSerial(own, targets));
      const list = (path: string | undefined) =>
        run(["--files", "-0", ...ripgrepArguments(own.listing), "--", ...(path === undefined ? [] : [path])]);
      try {
        const status = yield* targets === undefined
          ? ownRun.standardInput()
          : ownRun.files(targets, list, ownWalk(files, own.listing, paths));
        if (status !== undefined) return status;
      } catch (thrown) {
        if (!(thrown instanceof BacktrackLimit)) throw thrown;
        invocation.warn("PCRE2: error matching: match limit exceeded");
        return 2;
      }
    }
    if (own?.needsOwn === true && (readsInput || !paths.every((path) => kindOf(files, path) instanceof FileError))) {
      invocation.warn("-P: a pattern that needs PCRE2 is searched for in files, trees and UTF-8 input alone");
      return 2;
    }
    if (given.searchZip && searches && !readsInput && paths.some((path) => !(kindOf(files, path) instanceof FileError))) {
      invocation.warn("-z: with these paths and flags nothing is unpacked here; use zcat FILE | rg PATTERN");
      return 2;
    }
    // The module would search packed files as they are.
    const unpacked = occurrences.filter(({ key }) => key !== "searchZip");
    const before = ripgrepArguments(own?.needsOwn === true ? unpacked.filter(({ key }) => key !== "regexp") : unpacked);
    // For what the module says of paths that are not there, any pattern will do.
    const after = own?.needsOwn === true ? ["x"] : operands.slice(0, operands.length - paths.length);
    const statuses: number[] = [];
    for (const searched of runsOf(invocation, paths, readsInput)) {
      const shownNames = searched.length < paths.length ? ["--with-filename"] : [];
      const args = [...shownNames, ...before, "--", ...after, ...searched];
      statuses.push(yield* run(args));
    }
    return statuses.includes(2) ? 2 : Math.min(...statuses);
  },
});

/** The plan of one of our own searches; undefined where the module must run. */
function ownSearch(invocation: StaticInvocation<Flags>): OwnPlan | PerlPlan | undefined {
  const patterns = operandPattern(invocation);
  const plain = ownPlan(invocation.occurrences, patterns);
  // Behind the last match that is wanted, PCRE2's matches are lines of context like others, unlike those of the default engine.
  const goesOn = plain !== undefined && plain.settings.maxCount !== Infinity && plain.settings.after > 0;
  if (plain !== undefined && !goesOn) return plain;
  const perl = perlPlan(invocation.occurrences, patterns);
  return perl?.kind === "perl" ? perl : plain;
}

/** The pattern among the operands, if that is where it is. */
const operandPattern = ({ flags: given, operands }: StaticInvocation<Flags>): readonly string[] =>
  given.regexp.length > 0 || given.file.length > 0 ? [] : operands.slice(0, 1);

/** Tells whether ripgrep would search with one thread. */
function isSerial({ listing }: OwnPlan | PerlPlan, targets: readonly OwnTarget[]): boolean {
  if (listing.some(({ key }) => key === "sort" || key === "sortr" || key === "sortFiles")) return true;
  if (targets.length === 1 && targets[0]?.isTree === false) return true;
  return listing.findLast(({ key }) => key === "threads")?.value === "1";
}

/** Throws UsageError where packed files would be searched by the module, which would search them as they are. */
function requireOwnForPacked(invocation: StaticInvocation<Flags>): void {
  const { flags: given, operands, occurrences } = invocation;
  if (!given.searchZip || NO_INPUT.some((key) => given[key] === true || typeof given[key] === "string")) return;
  if (ownSearch(invocation) !== undefined) return;
  const others = ripgrepArguments(occurrences.filter(({ key }) => key !== "searchZip"));
  const [pattern = "", path] = given.regexp.length > 0 ? ["", operands[0]] : operands;
  const search = ["rg", ...others, ...(given.regexp.length > 0 ? [] : ["-e", pattern])].map(quoteWord).join(" ");
  throw new UsageError("refused-flag", "-z goes with the common flags and patterns alone; zcat unpacks one file for any other", {
    subject: "-z",
    ...(path === undefined || !/\.t?gz$/.test(path) ? {} : { suggestion: `zcat ${quoteWord(path)} | ${search}` }),
  });
}

/** The module's message for a link to a directory: it cannot tell whether two directories are the same. */
const NOT_FOLLOWED = "rg: same-file is not supported on this platform.\n";

function notFollowed({ occurrences, operands }: Invocation<Flags>, paths: readonly string[]): string {
  const others = ripgrepArguments(occurrences.filter(({ key }) => key !== "follow" && key !== "noFollow"));
  const search = [...others, ...operands.slice(0, operands.length - paths.length)].map(quoteWord).join(" ");
  const instead = `${["rg --files -0 -L", ...paths.map(quoteWord)].join(" ")} | xargs -0 rg -H ${search}`;
  return `rg: -L: with this pattern or these flags a link to a directory is not followed. Use: ${instead}\n`;
}

function patternsOf({ flags: given, operands }: StaticInvocation<Flags>): readonly string[] {
  if (given.regexp.length > 0 || given.file.length > 0) return given.regexp;
  return given.files ? [] : operands.slice(0, 1);
}

/**
 * The paths of each run of the module. 15.1 applies the ignore files above the first path to the others by the wrong
 * directory (corrected in 15.2), so every path gets a run of its own where the output is the same in parts.
 */
function runsOf({ occurrences, files }: Invocation<Flags>, paths: readonly string[], readsInput: boolean): readonly (readonly string[])[] {
  if (readsInput) return [["-"]];
  if (!knowsTypes(occurrences.filter(isListing))) return [paths];
  const inParts = paths.length > 1 && !paths.includes("-") && !occurrences.some(({ key }) => WHOLE_OUTPUT.some((whole) => whole === key));
  return inParts && paths.some((path) => isDirectory(files, path)) ? paths.map((path) => [path]) : [paths];
}

/** Flags whose output for several paths is not that of each path in turn. */
const WHOLE_OUTPUT = [
  ...["afterContext", "beforeContext", "context", "passthru", "heading", "pretty", "json", "stats", "sort", "sortr", "sortFiles", "quiet"],
  ...["noIgnoreParent", "noIgnore", "unrestricted", "typeList", "generate", "file"],
] as const satisfies readonly (keyof Flags)[];

/** Targets of our own search, if all of them are files and directories; undefined if the module must report one. */
function ownTargets(
  files: Files,
  paths: readonly string[],
  { listing }: { readonly listing: readonly ListingFlag[] },
): readonly OwnTarget[] | undefined {
  const targets: OwnTarget[] = [];
  // The module says it once.
  if (!knowsTypes(listing)) return undefined;
  // With one thread, as for one file, it says the same in other words, which the module has.
  const isSorted = listing.some(({ key }) => key === "sort" || key === "sortr" || key === "sortFiles");
  const hasThreads = paths.length > 1 && !isSorted && !listing.some(({ key }) => key === "threads");
  for (const path of paths) {
    const kind = kindOf(files, path);
    if (kind instanceof FileError && hasThreads && path !== "-") {
      targets.push({ path, isTree: false, problem: kind });
      continue;
    }
    if (path === "-" || (kind !== "file" && kind !== "directory")) return undefined;
    targets.push({ path, isTree: kind === "directory" });
  }
  // Nobody looks at these values where there is no tree: the module says what is wrong with them.
  const hasTree = paths.length === 0 || targets.some(({ isTree }) => isTree);
  if (!hasTree && !areUsable(files, listing, paths)) return undefined;
  return paths.length > 1 && !listing.every(keepsOrder) ? undefined : targets;
}

/** False of a flag by which the files below several paths are sorted as one. */
const keepsOrder = ({ key, value }: ListingFlag): boolean => key !== "sortr" && (key !== "sort" || value === "path" || value === "none");

/** False where the module may have something to say of a flag's value. */
const areUsable = (files: Files, listing: readonly ListingFlag[], paths: readonly string[]): boolean =>
  listing.every(isSwitch) || ownWalk(files, listing, paths) !== undefined;

const isSwitch = ({ key, value }: ListingFlag): boolean => value === true || key === "threads";
const isStandardInput = (paths: readonly string[]): boolean => paths.length === 1 && paths[0] === "-";

function kindOf(files: Files, path: string): FileKind | FileError {
  try {
    return files.status(path).kind;
  } catch (thrown) {
    if (thrown instanceof FileError) return thrown;
    throw thrown;
  }
}

function isDirectory(files: Files, path: string): boolean {
  return kindOf(files, path) === "directory";
}
