/** The flags of every day, one by one as they were typed: what they say to our own search of lines (own-plan.ts, perl-plan.ts). */
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import type { flags } from "./flags.ts";
import type { OwnSettings } from "./own-settings.ts";
import { ENGINE_FLAGS } from "./perl-patterns.ts";

export type Key = GivenKey<typeof flags>;
export type Given = Occurrence<typeof flags>;
export type With<K extends Key> = Extract<Given, { readonly key: K }>;

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

/** A flag that chooses among the files of a tree. */
export type ListingFlag = With<(typeof LISTING)[number]>;

const isOneOf =
  <K extends Key>(keys: readonly K[]) =>
  (occurrence: Given): occurrence is With<K> =>
    (keys as readonly string[]).includes(occurrence.key);

export const isListing = isOneOf(LISTING);
export const isWithoutEffect = isOneOf(WITHOUT_EFFECT);
const choosesEngine = isOneOf(ENGINE_FLAGS);
const isOfModule = isOneOf(OF_MODULE);
const choosesOutput = (occurrence: Given): occurrence is With<keyof typeof OUTPUTS> => Object.hasOwn(OUTPUTS, occurrence.key);

export class Options {
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
    if (occurrence.key === "count") this.countsMatches = false;
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
    // The third -u means --binary, and a fourth is an error.
    if (occurrence.key === "unrestricted" && ++this.#unrestricted > 2) this.searchesBinary = true;
    if (this.#unrestricted > 3) return false;
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

export const isContextLength = (text = ""): boolean => /^\d{1,5}$/.test(text);
