/** The arguments of tar as what is to be done. Where matching changes along the line, each name has what was in force at its place. */
import type { StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import type { Warning } from "./archive-reader.ts";
import type { FLAGS } from "./flags.ts";
import { namePattern, type Matching, type NamePattern } from "./member-names.ts";

export type TarInvocation = StaticInvocation<typeof FLAGS>;

export interface Settings {
  readonly prints: boolean;
  readonly archive: string;
  readonly unpacks: boolean;
  /** Lines about members: 0 none, 1 names, 2 what `ls -l` has. */
  readonly lines: 0 | 1 | 2;
  /** Those lines go to standard error, because members go to standard output. */
  readonly linesAside: boolean;
  readonly directories: readonly string[];
  readonly absoluteNames: boolean;
  readonly ignoreZeros: boolean;
  readonly fullTime: boolean;
  readonly utc: boolean;
  readonly numericOwner: boolean;
  readonly stripped: number;
  readonly names: readonly NamePattern[];
  readonly excluded: readonly NamePattern[];
  readonly silenced: ReadonlySet<Warning>;
  /** Nothing was said of patterns: an operand that looks like one, and is not found, is told of. */
  readonly warnsOfWildcards: boolean;
}

const OPERATIONS = "'-Acdtrux', '--delete' or";
const usage = (message: string): UsageError => new UsageError("missing-operand", message, { pointsToHelp: true, exit: 2 });

/** Throws UsageError. */
export function settingsOf(invocation: TarInvocation): Settings {
  const { list, extract, toStdout, file, verbose, utc, stripComponents, fullTime, numericOwner, ...others } = invocation.flags;
  const { gzip, directory, absoluteNames, ignoreZeros, exclude, warning, forceLocal, wildcards, noWildcards, ...rest } = others;
  const { anchored, noAnchored, ignoreCase, noIgnoreCase, wildcardsMatchSlash, noWildcardsMatchSlash, ...more } = rest;
  const { recursion, noRecursion, ...unread } = more;
  allFlagsRead(unread);
  const toggles = [wildcards, noWildcards, anchored, noAnchored, ignoreCase, noIgnoreCase, wildcardsMatchSlash, noWildcardsMatchSlash];
  const hasOwnMatching = [...toggles, recursion, noRecursion].includes(true) || exclude.length > 0;
  if (list && extract) throw usage(`You may not specify more than one ${OPERATIONS}  '--test-label' option`);
  if (!list && !extract) throw usage(`You must specify one of the ${OPERATIONS} '--test-label' options`);
  if (file.length > 1) throw usage("Multiple archive files require '-M' option");
  const archive = file[0] ?? "-";
  if (extract && !toStdout) refuseExtraction(invocation, archive);
  if (!forceLocal && /^[^/]*:/.test(archive))
    throw new UsageError(
      "refused-flag",
      `${archive}: a name with a colon is that of another machine's file; ./ in front makes it a local one`,
      {
        subject: archive,
        lost: "as a file of this machine",
        suggestion: `tar ${gzip ? "-tzf" : "-tf"} ${quoteWord(`./${archive}`)}`,
      },
    );
  const given = (key: "verbose" | "list"): number => invocation.occurrences.filter((occurrence) => occurrence.key === key).length;
  const depth = (verbose ? given("verbose") : 0) + given("list");
  const { names, excluded, warnsOfWildcards } = patternsOf(invocation.operands, hasOwnMatching ? invocation.occurrences : []);
  return {
    prints: extract,
    archive,
    unpacks: gzip,
    lines: utc || depth > 1 ? 2 : depth === 1 ? 1 : 0,
    linesAside: toStdout,
    directories: directoriesBeforeNames(invocation, directory),
    absoluteNames,
    ignoreZeros,
    fullTime,
    utc,
    numericOwner,
    stripped: stripComponents,
    names,
    excluded,
    silenced: silencedBy(warning),
    warnsOfWildcards,
  };
}

function refuseExtraction({ flags: { gzip }, operands }: TarInvocation, archive: string): never {
  const members = operands.map(quoteWord).join(" ");
  const letters = gzip ? "z" : "";
  throw new UsageError("refused-flag", "-x without -O writes files; here a member is printed, and tee writes it where it is to be", {
    subject: "-x",
    lost: "nothing is extracted",
    suggestion: members === "" ? `tar -t${letters}f ${quoteWord(archive)}` : `tar -x${letters}Of ${quoteWord(archive)} ${members}`,
  });
}

/** Names and patterns, each with the flags that stand before it. */
function patternsOf(
  operands: TarInvocation["operands"],
  occurrences: TarInvocation["occurrences"],
): Pick<Settings, "names" | "excluded" | "warnsOfWildcards"> {
  const names: NamePattern[] = [];
  const excluded: NamePattern[] = [];
  /** Undefined: operands are names, and patterns of --exclude are patterns. */
  let wildcards: boolean | undefined;
  /** Undefined: operands match from their start, and patterns of --exclude from anywhere. */
  let anchored: boolean | undefined;
  let matching: Pick<Matching, "ignoreCase" | "wildcardsMatchSlash" | "recursion"> = {
    ignoreCase: false,
    wildcardsMatchSlash: true,
    recursion: true,
  };
  const takeNames = (upTo: number): void => {
    for (let at = names.length; at < upTo; at++) {
      const text = withoutSlashes(operands[at] as string);
      names.push(namePattern(text, { ...matching, wildcards: wildcards ?? false, anchored: anchored ?? true }));
    }
  };
  for (const { key, value, operandsBefore } of occurrences) {
    takeNames(operandsBefore);
    if (key === "wildcards" || key === "noWildcards") wildcards = key === "wildcards";
    else if (key === "anchored" || key === "noAnchored") anchored = key === "anchored";
    else if (key === "ignoreCase" || key === "noIgnoreCase") matching = { ...matching, ignoreCase: key === "ignoreCase" };
    else if (key === "wildcardsMatchSlash" || key === "noWildcardsMatchSlash")
      matching = { ...matching, wildcardsMatchSlash: key === "wildcardsMatchSlash" };
    else if (key === "recursion" || key === "noRecursion") matching = { ...matching, recursion: key === "recursion" };
    else if (key === "exclude")
      excluded.push(namePattern(value, { ...matching, wildcards: wildcards ?? true, anchored: anchored ?? false }));
  }
  takeNames(operands.length);
  // An empty name in front stands for all.
  return { names: names[0]?.text === "" ? [] : names, excluded, warnsOfWildcards: wildcards === undefined };
}

function withoutSlashes(name: string): string {
  let end = name.length;
  while (end > 1 && name[end - 1] === "/") end--;
  return name.slice(0, end);
}

/** tar moves to a directory for the names behind it; one behind all names is never looked at. */
function directoriesBeforeNames({ occurrences, operands }: TarInvocation, all: readonly string[]): readonly string[] {
  if (operands.length === 0) return all;
  return occurrences.flatMap(({ key, value, operandsBefore }) => (key === "directory" && operandsBefore < operands.length ? [value] : []));
}

const WARNINGS = ["alone-zero-block", "unknown-keyword", "unknown-cast"] as const satisfies readonly Warning[];

function silencedBy(keywords: readonly string[]): ReadonlySet<Warning> {
  const silenced = new Set<Warning>();
  for (const keyword of keywords) {
    const isOff = keyword === "none" || keyword.startsWith("no-");
    const name = keyword.replace(/^no-/, "");
    for (const warning of WARNINGS) {
      if (keyword !== "none" && name !== "all" && name !== warning) continue;
      if (isOff) silenced.add(warning);
      else silenced.delete(warning);
    }
  }
  return silenced;
}
