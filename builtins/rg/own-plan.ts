/**
 * Chooses the command lines that our own search of lines runs instead of the module: one dialect of patterns that both read alike
 * (line-pattern.ts), and the flags of every day. Anything else is the module's. test/builtins/rg/rg-own.test.ts holds the two
 * against each other.
 */
import type { Occurrence } from "../../src/builtin/definition.ts";
import { linesOf } from "../../src/regex/perl-matcher.ts";
import { somePart, widened, type PerlTree } from "../../src/regex/perl-tree.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import { canBeEmpty } from "../../src/regex/regex-tree.ts";
import { BESIDE_NO_WORD, RUST_WORD } from "../../src/regex/rust-tables.ts";
import { linePattern, nestsRepeats, type LinePattern } from "./line-pattern.ts";
import type { OwnSettings } from "./own-settings.ts";
import { perlLines } from "./perl-lines.ts";
import { ENGINE_FLAGS, perlOnly } from "./perl-patterns.ts";

export interface OwnPlan {
  readonly settings: OwnSettings;
  /** -H or -I, whichever came last. */
  readonly showsPaths: boolean | undefined;
  readonly showsMessages: boolean;
  /** Files that a walk finds are searched like those that are named (--binary, -uuu). */
  readonly searchesBinary: boolean;
  /** The module would read the pattern otherwise, or not at all. */
  readonly needsOwn: boolean;
  /** --mmap, --no-mmap. */
  readonly maps: boolean | undefined;
  /** Flags that choose among the files of a tree, for the module to list them. */
  readonly listing: readonly Occurrence[];
}

/** Flags that say nothing to a search of lines, or what we do anyway. */
const WITHOUT_EFFECT = ["noConfig", "noColumn", "noJson", "noStats", "noTrim", "noMultiline", "noCrlf", "noByteOffset"];
const LISTING = [
  ...["glob", "iglob", "globCaseInsensitive", "type", "typeNot", "typeAdd", "typeClear", "hidden", "noHidden", "follow", "noFollow"],
  ...["maxDepth", "maxFilesize", "oneFileSystem", "sort", "sortr", "sortFiles", "ignoreFile", "ignoreFileCaseInsensitive"],
  ...["noIgnore", "noIgnoreDot", "noIgnoreExclude", "noIgnoreFiles", "noIgnoreGlobal", "noIgnoreParent", "noIgnoreVcs"],
  ...["noIgnoreMessages", "noRequireGit", "unrestricted", "noMessages", "threads"],
];
const OUTPUTS: Readonly<Record<string, OwnSettings["output"]>> = {
  count: "count",
  filesWithMatches: "paths",
  filesWithoutMatch: "paths-without",
  quiet: "first",
  onlyMatching: "matches",
};

/** --files with nothing but flags that choose among files; undefined for any other command. */
export function ownListing(
  occurrences: readonly Occurrence[],
): { readonly listing: readonly Occurrence[]; readonly endsWithZero: boolean } | undefined {
  const others = ["files", "null", "noMessages", ...WITHOUT_EFFECT];
  if (!occurrences.every(({ key }) => LISTING.includes(key) || others.includes(key))) return undefined;
  return { listing: occurrences.filter(({ key }) => LISTING.includes(key)), endsWithZero: occurrences.some(({ key }) => key === "null") };
}

/** Undefined where the module must run. `operandPatterns`: the pattern among the operands, if that is where it is. */
export function ownPlan(occurrences: readonly Occurrence[], operandPatterns: readonly string[]): OwnPlan | undefined {
  const options = new Options();
  for (const occurrence of occurrences) if (!options.takes(occurrence)) return undefined;
  const { output, before, after, both } = options;
  const settings = {
    invert: options.invert,
    output,
    lineNumber: options.lineNumber,
    before: output === "lines" ? (before ?? both) : 0,
    // With -m a count depends on it.
    after: output === "lines" || output === "count" ? (after ?? both) : 0,
    maxCount: options.maxCount,
    heading: options.heading,
    nullAfterPath: options.nullAfterPath,
    isText: options.isText,
  };
  if (output === "matches" && (options.invert || (before ?? 0) + (after ?? 0) + both > 0)) return undefined;
  const matcher = matcherOf([...operandPatterns, ...options.patterns], options, output === "matches");
  if (matcher === undefined) return undefined;
  const { showsPaths, showsMessages, searchesBinary, maps, listing } = options;
  const needsOwn = options.perl && !options.fixed && [...operandPatterns, ...options.patterns].some((text) => perlOnly(text) !== undefined);
  return { settings: { ...settings, matcher }, showsPaths, showsMessages, searchesBinary, needsOwn, maps, listing };
}

class Options {
  readonly patterns: string[] = [];
  readonly listing: Occurrence[] = [];
  casing: "sensitive" | "fold" | "smart" = "sensitive";
  extent: "any" | "word" | "line" = "any";
  output: OwnSettings["output"] = "lines";
  fixed = false;
  /** -P */
  perl = false;
  invert = false;
  lineNumber = false;
  before: number | undefined;
  after: number | undefined;
  both = 0;
  maxCount = Infinity;
  heading = false;
  nullAfterPath = false;
  isText = false;
  showsPaths: boolean | undefined;
  showsMessages = true;
  maps: boolean | undefined;
  searchesBinary = false;
  #unrestricted = 0;

  /** False where this flag, or this value of it, is the module's. */
  takes(occurrence: Occurrence): boolean {
    const { key, value } = occurrence;
    if (LISTING.includes(key)) {
      this.listing.push(occurrence);
      if (key === "noMessages") this.showsMessages = false;
      // The third -u means --binary.
      if (key === "unrestricted" && ++this.#unrestricted > 2) this.searchesBinary = true;
      return key !== "threads" || /^\d{1,3}$/.test(String(value));
    }
    if (WITHOUT_EFFECT.includes(key)) return true;
    if (ENGINE_FLAGS.some((flag) => flag === key)) {
      this.perl = key === "pcre2" || (key === "engine" && value === "pcre2");
      return this.perl || key === "noPcre2" || (key === "engine" && value === "default");
    }
    const output = Object.hasOwn(OUTPUTS, key) ? OUTPUTS[key] : undefined;
    if (output !== undefined) {
      if (this.output !== "lines" && this.output !== output) return false;
      this.output = output;
      return true;
    }
    return this.#takesSwitch(key) || this.#takesValue(key, String(value));
  }

  #takesSwitch(key: string): boolean {
    switch (key) {
      case "ignoreCase":
        this.casing = "fold";
        return true;
      case "caseSensitive":
        this.casing = "sensitive";
        return true;
      case "smartCase":
        this.casing = "smart";
        return true;
      case "wordRegexp":
        this.extent = "word";
        return true;
      case "lineRegexp":
        this.extent = "line";
        return true;
      case "fixedStrings":
      case "noFixedStrings":
        this.fixed = key === "fixedStrings";
        return true;
      case "invertMatch":
      case "noInvertMatch":
        this.invert = key === "invertMatch";
        return true;
      case "lineNumber":
      case "noLineNumber":
        this.lineNumber = key === "lineNumber";
        return true;
      case "withFilename":
      case "noFilename":
        this.showsPaths = key === "withFilename";
        return true;
      case "binary":
        this.searchesBinary = true;
        return true;
      case "mmap":
      case "noMmap":
        this.maps = key === "mmap";
        return true;
      case "heading":
      case "noHeading":
        this.heading = key === "heading";
        return true;
      case "null":
        this.nullAfterPath = true;
        return true;
      case "text":
        this.isText = true;
        return true;
      default:
        return false;
    }
  }

  #takesValue(key: string, value: string): boolean {
    switch (key) {
      case "regexp":
        this.patterns.push(value);
        return true;
      case "pathSeparator":
        return value === "/";
      case "color":
        return value === "never" || value === "auto";
      case "maxCount":
        this.maxCount = Number(value);
        return /^[1-9]\d{0,8}$/.test(value);
      case "context":
      case "beforeContext":
      case "afterContext": {
        const lines = Number(value);
        if (key === "context") this.both = lines;
        else if (key === "beforeContext") this.before = lines;
        else this.after = lines;
        return /^\d{1,5}$/.test(value);
      }
      default:
        return false;
    }
  }
}

function matcherOf(texts: readonly string[], options: Options, asksWhere: boolean): LineMatcher | undefined {
  if (options.perl && !options.fixed && texts.some((text) => perlOnly(text) !== undefined))
    return perlLines(texts, { ...options, asksWhere });
  const parse = (foldCase: boolean) => texts.map((text) => linePattern(text, { foldCase, fixed: options.fixed }));
  let patterns = parse(options.casing === "fold");
  if (options.casing === "smart") {
    const literals = patterns.map((pattern) => pattern?.literals ?? "").join("");
    if (/[^\0-\x7f]/.test(literals)) return undefined;
    if (literals !== "" && !/[A-Z]/.test(literals)) patterns = parse(true);
  }
  const whole = patterns.filter((pattern): pattern is LinePattern => pattern !== undefined);
  if (whole.length !== texts.length || whole.length === 0 || whole.length > 32) return undefined;
  if (asksWhere && whole.some(({ tree }) => nestsRepeats(tree) || canBeEmpty(widened(tree)))) return undefined;
  if (options.extent === "word" && whole.some(({ tree }) => somePart(tree, asksForWords))) return undefined;
  const choice: PerlTree = { kind: "choice", options: whole.map(({ tree }) => tree) };
  const [before, after] = EDGES[options.extent];
  const tree: PerlTree =
    before === undefined || after === undefined
      ? choice
      : { kind: "sequence", parts: [{ kind: "assertion", what: before }, choice, { kind: "assertion", what: after }] };
  try {
    return linesOf(tree, 10, options.extent === "word" ? BESIDE_NO_WORD : RUST_WORD);
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

const asksForWords = (part: PerlTree): boolean => part.kind === "assertion" && part.what !== "line-start" && part.what !== "line-end";

const EDGES = {
  any: [undefined, undefined],
  word: ["no-word-before", "no-word-after"],
  line: ["line-start", "line-end"],
} as const;
