/**
 * Chooses the command lines that our own search of lines runs instead of the module: one dialect of patterns that both read alike
 * (line-pattern.ts), and the flags of every day. Anything else is the module's. test/builtins/rg/rg-own.test.ts holds the two
 * against each other.
 */
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { linesOf } from "../../src/regex/perl-matcher.ts";
import { somePart, widened, type PerlTree } from "../../src/regex/perl-tree.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import { canBeEmpty } from "../../src/regex/regex-tree.ts";
import { BESIDE_NO_WORD, RUST_WORD } from "../../src/regex/rust-tables.ts";
import type { flags } from "./flags.ts";
import { linePattern, nestsRepeats, type LinePattern } from "./line-pattern.ts";
import type { OwnSettings } from "./own-settings.ts";
import { perlLines } from "./perl-lines.ts";
import { ENGINE_FLAGS, needsPerl, perlOnly } from "./perl-patterns.ts";

export interface OwnPlan {
  readonly settings: OwnSettings;
  /** -H or -I, whichever came last. */
  readonly showsPaths: boolean | undefined;
  readonly showsMessages: boolean;
  /** Files that a walk finds are searched like those that are named (--binary, -uuu). */
  readonly searchesBinary: boolean;
  /** The module would read the pattern otherwise, or not at all. */
  readonly needsOwn: boolean;
  /** -z: files are searched as their names say that they are packed. */
  readonly searchesPacked: boolean;
  /** --mmap, --no-mmap. */
  readonly maps: boolean | undefined;
  /** Flags that choose among the files of a tree, for the module to list them. */
  readonly listing: readonly ListingFlag[];
}

/** Flags that say nothing to a search of lines, or what we do anyway. */
const WITHOUT_EFFECT = [
  ...["noConfig", "noColumn", "noJson", "noStats", "noTrim", "noMultiline", "noCrlf", "noByteOffset"],
] as const satisfies readonly Key[];
const LISTING = [
  ...["glob", "iglob", "globCaseInsensitive", "type", "typeNot", "typeAdd", "typeClear", "hidden", "noHidden", "follow", "noFollow"],
  ...["maxDepth", "maxFilesize", "oneFileSystem", "sort", "sortr", "sortFiles", "ignoreFile", "ignoreFileCaseInsensitive"],
  ...["noIgnore", "noIgnoreDot", "noIgnoreExclude", "noIgnoreFiles", "noIgnoreGlobal", "noIgnoreParent", "noIgnoreVcs"],
  ...["noIgnoreMessages", "noRequireGit", "unrestricted", "noMessages", "threads"],
] as const satisfies readonly Key[];
const OUTPUTS = {
  count: "count",
  filesWithMatches: "paths",
  filesWithoutMatch: "paths-without",
  quiet: "first",
  onlyMatching: "matches",
} as const satisfies Partial<Record<Key, OwnSettings["output"]>>;
/** Flags that the module alone knows. */
const OF_MODULE = [
  ...[
    "file",
    "crlf",
    "dfaSizeLimit",
    "encoding",
    "multiline",
    "multilineDotall",
    "noUnicode",
    "nullData",
    "regexSizeLimit",
    "stopOnNonmatch",
  ],
  ...[
    "noPcre2Unicode",
    "blockBuffered",
    "byteOffset",
    "colors",
    "column",
    "contextSeparator",
    "fieldContextSeparator",
    "fieldMatchSeparator",
    "shortHelp",
    "hyperlinkFormat",
  ],
  ...["includeZero", "lineBuffered", "maxColumns", "maxColumnsPreview", "passthru", "pretty", "replace", "trim", "vimgrep"],
  ...[
    "json",
    "stats",
    "files",
    "generate",
    "pcre2Version",
    "typeList",
    "printVersion",
    "noBinary",
    "noBlockBuffered",
    "noContextSeparator",
  ],
  ...[
    "noEncoding",
    "noGlobCaseInsensitive",
    "noIgnoreFileCaseInsensitive",
    "noIncludeZero",
    "noLineBuffered",
    "noMaxColumnsPreview",
    "noMultilineDotall",
    "ignore",
    "ignoreDot",
    "ignoreExclude",
  ],
  ...[
    "ignoreFiles",
    "ignoreGlobal",
    "ignoreMessages",
    "ignoreParent",
    "ignoreVcs",
    "messages",
    "requireGit",
    "unicode",
    "noOneFileSystem",
    "noPre",
  ],
  ...["noText", "pcre2Unicode", "noSortFiles"],
] as const satisfies readonly Key[];

type Key = GivenKey<typeof flags>;
type Given = Occurrence<typeof flags>;
type With<K extends Key> = Extract<Given, { readonly key: K }>;

/** A flag that chooses among the files of a tree. */
export type ListingFlag = With<(typeof LISTING)[number]>;

const isOneOf =
  <K extends Key>(keys: readonly K[]) =>
  (occurrence: Given): occurrence is With<K> =>
    (keys as readonly string[]).includes(occurrence.key);

const isListing = isOneOf(LISTING);
const isWithoutEffect = isOneOf(WITHOUT_EFFECT);
const choosesEngine = isOneOf(ENGINE_FLAGS);
const isOfModule = isOneOf(OF_MODULE);
const choosesOutput = (occurrence: Given): occurrence is With<keyof typeof OUTPUTS> => Object.hasOwn(OUTPUTS, occurrence.key);

/** --files with nothing but flags that choose among files; undefined for any other command. */
export function ownListing(
  occurrences: readonly Given[],
): { readonly listing: readonly ListingFlag[]; readonly endsWithZero: boolean } | undefined {
  const listing = occurrences.filter(isListing);
  const others = occurrences.filter((occurrence) => !isListing(occurrence) && !isWithoutEffect(occurrence));
  if (!others.every(({ key }) => key === "files" || key === "null")) return undefined;
  return { listing, endsWithZero: others.some(({ key }) => key === "null") };
}

/** Undefined where the module must run. `operandPatterns`: the pattern among the operands, if that is where it is. */
export function ownPlan(occurrences: readonly Given[], operandPatterns: readonly string[]): OwnPlan | undefined {
  const options = new Options();
  for (const occurrence of occurrences) if (!options.takes(occurrence)) return undefined;
  const { output, before, after, both } = options;
  const countsMatches = options.countsMatches || (output === "count" && options.onlyMatching);
  const settings = {
    invert: options.invert,
    output,
    countsMatches: countsMatches && !options.invert,
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
  const texts = [...operandPatterns, ...options.patterns];
  if (options.isHybrid && texts.some(needsPerl)) options.perl = true;
  // What -v, -o and -c are together is the module's, as is the rest around a count of matches.
  if (countsMatches && ((options.onlyMatching && options.invert) || (before ?? 0) + (after ?? 0) + both > 0)) return undefined;
  const matcher = matcherOf(texts, options, output === "matches" || countsMatches);
  if (matcher === undefined) return undefined;
  const { showsPaths, showsMessages, searchesBinary, searchesPacked, maps, listing } = options;
  const needsOwn = options.perl && !options.fixed && texts.some((text) => perlOnly(text) !== undefined);
  if (countsMatches && !needsOwn) return undefined;
  return { settings: { ...settings, matcher }, showsPaths, showsMessages, searchesBinary, searchesPacked, needsOwn, maps, listing };
}

class Options {
  readonly patterns: string[] = [];
  readonly listing: ListingFlag[] = [];
  casing: "sensitive" | "fold" | "smart" = "sensitive";
  extent: "any" | "word" | "line" = "any";
  output: OwnSettings["output"] = "lines";
  countsMatches = false;
  onlyMatching = false;
  fixed = false;
  /** -P */
  perl = false;
  /** --engine=auto: -P where the default engine has an error. */
  isHybrid = false;
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
  searchesPacked = false;
  #unrestricted = 0;

  /** False where this flag, or this value of it, is the module's. */
  takes(occurrence: Given): boolean {
    if (isOfModule(occurrence)) return false;
    if (isWithoutEffect(occurrence)) return true;
    if (isListing(occurrence)) return this.#takesListing(occurrence);
    if (choosesEngine(occurrence)) return this.#takesEngine(occurrence);
    if (occurrence.key === "countMatches") {
      this.countsMatches = true;
      return this.#takesOutput("count");
    }
    if (choosesOutput(occurrence)) return this.#takesOutput(OUTPUTS[occurrence.key]);
    switch (occurrence.key) {
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
        this.fixed = occurrence.key === "fixedStrings";
        return true;
      case "invertMatch":
      case "noInvertMatch":
        this.invert = occurrence.key === "invertMatch";
        return true;
      case "lineNumber":
      case "noLineNumber":
        this.lineNumber = occurrence.key === "lineNumber";
        return true;
      case "withFilename":
      case "noFilename":
        this.showsPaths = occurrence.key === "withFilename";
        return true;
      case "binary":
        this.searchesBinary = true;
        return true;
      case "searchZip":
      case "noSearchZip":
        this.searchesPacked = occurrence.key === "searchZip";
        return true;
      case "mmap":
      case "noMmap":
        this.maps = occurrence.key === "mmap";
        return true;
      case "heading":
      case "noHeading":
        this.heading = occurrence.key === "heading";
        return true;
      case "null":
        this.nullAfterPath = true;
        return true;
      case "text":
        this.isText = true;
        return true;
      case "regexp":
        this.patterns.push(occurrence.value);
        return true;
      case "pathSeparator":
        return occurrence.value === "/";
      case "color":
        return occurrence.value === "never" || occurrence.value === "auto";
      case "maxCount":
        this.maxCount = Number(occurrence.value);
        return /^[1-9]\d{0,8}$/.test(occurrence.value ?? "");
      case "context":
        this.both = Number(occurrence.value);
        return isContextLength(occurrence.value);
      case "beforeContext":
        this.before = Number(occurrence.value);
        return isContextLength(occurrence.value);
      case "afterContext":
        this.after = Number(occurrence.value);
        return isContextLength(occurrence.value);
      default:
        noFlagLeft(occurrence);
        return false;
    }
  }

  #takesListing(occurrence: ListingFlag): boolean {
    this.listing.push(occurrence);
    if (occurrence.key === "noMessages") this.showsMessages = false;
    // The third -u means --binary.
    if (occurrence.key === "unrestricted" && ++this.#unrestricted > 2) this.searchesBinary = true;
    return occurrence.key !== "threads" || /^\d{1,3}$/.test(occurrence.value ?? "");
  }

  #takesEngine(occurrence: With<(typeof ENGINE_FLAGS)[number]>): boolean {
    const engine = occurrence.key === "engine" ? occurrence.value : undefined;
    this.perl = occurrence.key === "pcre2" || engine === "pcre2";
    this.isHybrid = occurrence.key === "autoHybridRegex" || engine === "auto";
    return this.perl || this.isHybrid || occurrence.key === "noPcre2" || engine === "default";
  }

  #takesOutput(output: OwnSettings["output"]): boolean {
    if (output === "matches") this.onlyMatching = true;
    // -o beside -c counts matches.
    if (output === "matches" && this.output === "count") return true;
    if (output === "count" && this.output === "matches") this.output = "count";
    if (this.output !== "lines" && this.output !== output) return false;
    this.output = output;
    return true;
  }
}

const isContextLength = (text = ""): boolean => /^\d{1,5}$/.test(text);

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
