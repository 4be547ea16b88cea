/** The flags of ls as one consistent set of choices, read in the order in which they were given. */
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import type { QuotingStyle } from "../../src/display/quoting-style.ts";
import { BYTES, HUMAN, HUMAN_SI, KIBIBYTES, type SizeFormat } from "../../src/numbers/size-format.ts";
import { compileFnmatch } from "../../src/glob/fnmatch.ts";
import type { Glob } from "../../src/glob/glob-match.ts";
import type { flags } from "./flags.ts";

export interface Settings {
  readonly format: Format;
  readonly sort: Sort;
  readonly reverse: boolean;
  readonly directoriesFirst: boolean;
  readonly time: Time;
  /** Which names with a leading dot are listed: none, all but `.` and `..`, all. */
  readonly dots: "none" | "almost-all" | "all";
  readonly ignored: (name: string) => boolean;
  readonly recursive: boolean;
  readonly directoryItself: boolean;
  readonly follow: Follow;
  readonly indicator: Indicator;
  readonly quoting: QuotingStyle;
  /** `?` for each nongraphic character. */
  readonly hidesControls: boolean;
  readonly color: boolean;
  /** See colourSequence. */
  readonly colorMark: string;
  readonly dired: boolean;
  readonly showsInode: boolean;
  readonly showsBlocks: boolean;
  readonly showsOwner: boolean;
  readonly showsGroup: boolean;
  readonly showsAuthor: boolean;
  readonly showsContext: boolean;
  readonly numericIds: boolean;
  readonly sizeFormat: SizeFormat;
  readonly blockFormat: SizeFormat;
  /** strftime formats for times more than half a year away, and for recent ones. */
  readonly timeFormats: readonly [old: string, recent: string];
  readonly lineEnd: "\n" | "\0";
  /** Columns; 0 is no limit. */
  readonly lineWidth: number;
  readonly tabWidth: number;
}

export type Format = "long" | "single" | "columns" | "across" | "commas";
export type Sort = "name" | "none" | "time" | "size" | "extension" | "version" | "width";
export type Time = "modified" | "accessed" | "changed" | "born";
/** Which symbolic links are followed: operands that lead to directories, all operands, all. */
export type Follow = "never" | "operands-to-directories" | "operands" | "always";
export type Indicator = "none" | "slash" | "file-type" | "classify";

/** Settings while flags are read; what is undefined depends on other flags in the end. */
type Draft = { -readonly [K in keyof Settings]: Settings[K] | (K extends "format" | "sort" | "follow" ? undefined : never) } & {
  explicitTime: boolean;
  timeStyle: string;
  readonly hide: string[];
  readonly ignore: string[];
};

type Given = Occurrence<typeof flags>;

/** `colourMark` is that of the invocation. Throws UsageError for combinations that GNU ls refuses. */
export function readSettings(occurrences: readonly Given[], colourMark?: string): Settings {
  const draft: Draft = {
    format: undefined,
    sort: undefined,
    reverse: false,
    directoriesFirst: false,
    time: "modified",
    explicitTime: false,
    dots: "none",
    hide: [],
    ignore: [],
    ignored: () => false,
    recursive: false,
    directoryItself: false,
    follow: undefined,
    indicator: "none",
    quoting: "literal",
    hidesControls: false,
    color: colourMark !== undefined,
    colorMark: colourMark ?? "",
    dired: false,
    showsInode: false,
    showsBlocks: false,
    showsOwner: true,
    showsGroup: true,
    showsAuthor: false,
    showsContext: false,
    numericIds: false,
    sizeFormat: BYTES,
    blockFormat: KIBIBYTES,
    timeFormats: LOCALE,
    timeStyle: "locale",
    lineEnd: "\n",
    lineWidth: 80,
    tabWidth: 8,
  };
  for (const occurrence of occurrences) {
    if (isSettling(occurrence)) Object.assign(draft, SETTLED[occurrence.key]);
    else apply(occurrence, draft);
  }
  const { explicitTime, timeStyle, hide, ignore, format = "single" } = draft;
  const isLong = format === "long";
  const dired = draft.dired && isLong;
  if (dired && draft.lineEnd === "\0") throw new UsageError("bad-value", "--dired and --zero are incompatible");
  const seesLinks = draft.directoryItself || draft.indicator === "classify" || isLong;
  // Into the draft: spreading it took longer than reading the flags.
  return Object.assign(draft, {
    format,
    dired,
    sort: draft.sort ?? (explicitTime && !isLong ? "time" : "name"),
    follow: draft.follow ?? (seesLinks ? "never" : "operands-to-directories"),
    // Tabs would carry a color on to their end.
    tabWidth: draft.color ? 0 : draft.tabWidth,
    ignored: ignoring(draft.dots, hide, ignore),
    timeFormats: isLong ? timeFormats(timeStyle) : LOCALE,
  } as const);
}

/** Flags that settle the same whatever was given before them. */
const SETTLED = {
  all: { dots: "all" },
  almostAll: { dots: "almost-all" },
  author: { showsAuthor: true },
  context: { showsContext: true },
  directory: { directoryItself: true },
  dired: { dired: true },
  inode: { showsInode: true },
  size: { showsBlocks: true },
  noGroup: { showsGroup: false },
  recursive: { recursive: true },
  groupDirectoriesFirst: { directoriesFirst: true },

  long: { format: "long" },
  noOwner: { format: "long", showsOwner: false },
  noGroupLong: { format: "long", showsGroup: false },
  numericUidGid: { format: "long", numericIds: true },
  fullTime: { format: "long", timeStyle: "full-iso" },
  columns: { format: "columns" },
  across: { format: "across" },
  commas: { format: "commas" },

  reverse: { reverse: true },
  unsorted: { sort: "none" },
  sortBySize: { sort: "size" },
  sortByTime: { sort: "time" },
  sortByVersion: { sort: "version" },
  sortByExtension: { sort: "extension" },
  changeTime: { time: "changed", explicitTime: true },
  accessTime: { time: "accessed", explicitTime: true },

  humanReadable: { blockFormat: HUMAN, sizeFormat: HUMAN },
  si: { blockFormat: HUMAN_SI, sizeFormat: HUMAN_SI },
  // Such blocks are the default, and another size that was asked for stays.
  kibibytes: {},

  classifyAlways: { indicator: "classify" },
  fileType: { indicator: "file-type" },
  slash: { indicator: "slash" },
  escape: { quoting: "escape" },
  literal: { quoting: "literal" },
  quoteName: { quoting: "c" },
  hideControlChars: { hidesControls: true },
  showControlChars: { hidesControls: false },

  dereference: { follow: "always" },
  dereferenceCommandLine: { follow: "operands" },
  dereferenceCommandLineSymlinkToDir: { follow: "operands-to-directories" },
} as const satisfies Partial<Record<GivenKey<typeof flags>, Partial<Draft>>>;

type Settling = Extract<Given, { readonly key: keyof typeof SETTLED }>;

const isSettling = (occurrence: Given): occurrence is Settling => Object.hasOwn(SETTLED, occurrence.key);

function apply(occurrence: Exclude<Given, Settling>, draft: Draft): void {
  switch (occurrence.key) {
    case "format":
      draft.format = occurrence.value;
      break;
    case "sort":
      draft.sort = occurrence.value;
      break;
    case "time":
      draft.time = occurrence.value;
      draft.explicitTime = true;
      break;
    case "timeStyle":
      draft.timeStyle = occurrence.value;
      break;
    case "blockSize":
      draft.blockFormat = draft.sizeFormat = occurrence.value;
      break;
    case "indicatorStyle":
      draft.indicator = occurrence.value;
      break;
    case "classify":
      if (occurrence.value === "always") draft.indicator = "classify";
      break;
    case "quotingStyle":
      draft.quoting = occurrence.value;
      break;
    case "color":
      draft.color = occurrence.value === "always" || (occurrence.value === "auto" && draft.colorMark !== "");
      // Asked for as they are, they are not for this terminal alone.
      if (occurrence.value === "always") draft.colorMark = "";
      break;
    case "hyperlink":
      // Where it would make links it is refused (ls.ts).
      break;
    case "tabsize":
      draft.tabWidth = occurrence.value;
      break;
    case "width":
      draft.lineWidth = occurrence.value;
      break;
    case "hide":
      draft.hide.push(occurrence.value);
      break;
    case "ignore":
      draft.ignore.push(occurrence.value);
      break;
    case "ignoreBackups":
      draft.ignore.push("*~", ".*~");
      break;
    case "unsortedAll":
      Object.assign(draft, { dots: "all", sort: "none", color: false, showsBlocks: false } satisfies Partial<Draft>);
      if (draft.format === "long") draft.format = undefined;
      break;
    case "zero":
      Object.assign(draft, { lineEnd: "\0", hidesControls: false, color: false, quoting: "literal" } satisfies Partial<Draft>);
      if (draft.format !== "long") draft.format = "single";
      break;
    case "onePerLine":
      if (draft.format !== "long") draft.format = "single";
      break;
    default:
      noFlagLeft(occurrence);
  }
}

function ignoring(dots: Settings["dots"], hide: readonly string[], ignore: readonly string[]): (name: string) => boolean {
  const compile = (patterns: readonly string[]): Glob[] => patterns.map((pattern) => compileFnmatch(pattern, { period: true }));
  const globs = [...compile(ignore), ...(dots === "none" ? compile(hide) : [])];
  const byPattern = (name: string): boolean => globs.some((glob) => glob.matches(name));
  switch (dots) {
    case "none":
      return (name) => name.startsWith(".") || byPattern(name);
    case "almost-all":
      return (name) => name === "." || name === ".." || byPattern(name);
    case "all":
      return byPattern;
  }
}

/** What "%b %e" and the like are in C.UTF-8. */
const LOCALE = ["%b %e  %Y", "%b %e %H:%M"] as const;
const TIME_STYLES = {
  "full-iso": ["%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"],
  "long-iso": ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"],
  iso: ["%Y-%m-%d ", "%m-%d %H:%M"],
  locale: LOCALE,
} as const;

function timeFormats(style: string): readonly [string, string] {
  const name = style.replace(/^(posix-)+/, "");
  if (name.startsWith("+")) {
    const [old = "", recent = old, ...more] = name.slice(1).split("\n");
    if (more.length > 0) throw new UsageError("bad-value", `invalid time style format ${quoteCurly(name.slice(1))}`, { subject: style });
    return [old, recent];
  }
  const words = Object.keys(TIME_STYLES) as (keyof typeof TIME_STYLES)[];
  const near = words.includes(name as never) ? [name as keyof typeof TIME_STYLES] : words.filter((word) => word.startsWith(name));
  const [only] = near;
  if (near.length === 1 && only !== undefined) return TIME_STYLES[only];
  const list = words.map((word) => `\n  - [posix-]${word}`).join("");
  throw new UsageError(
    "bad-value",
    `${near.length > 1 ? "ambiguous" : "invalid"} argument ${quoteCurly(name)} for ${quoteCurly("time style")}\nValid arguments are:${list}\n` +
      "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format",
    { subject: style, pointsToHelp: true },
  );
}
