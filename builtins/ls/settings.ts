/** The flags of ls as one consistent set of choices, read in the order in which they were given. */
import type { StaticInvocation } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import type { QuotingStyle } from "../../src/display/quoting-style.ts";
import { BYTES, HUMAN, HUMAN_SI, KIBIBYTES, type SizeFormat } from "../../src/numbers/size-format.ts";
import { compileFnmatch } from "../../src/glob/fnmatch.ts";
import type { Glob } from "../../src/glob/glob-match.ts";

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

/** What is still open while flags are read. */
interface Draft {
  format?: Format | undefined;
  sort?: Sort;
  explicitTime: boolean;
  follow?: Follow;
  hide: string[];
  ignore: string[];
  timeStyle: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Throws UsageError for combinations that GNU ls refuses. */
export function readSettings(invocation: Pick<StaticInvocation, "occurrences">): Settings {
  const draft: Draft = { explicitTime: false, hide: [], ignore: [], timeStyle: "locale" };
  const settings: Mutable<Settings> = {
    format: "single",
    sort: "name",
    reverse: false,
    directoriesFirst: false,
    time: "modified",
    dots: "none",
    ignored: () => false,
    recursive: false,
    directoryItself: false,
    follow: "never",
    indicator: "none",
    quoting: "literal",
    hidesControls: false,
    color: false,
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
    lineEnd: "\n",
    lineWidth: 80,
    tabWidth: 8,
  };
  for (const { key, value } of invocation.occurrences) apply(key, value, settings, draft);
  settings.format = draft.format ?? "single";
  const isLong = settings.format === "long";
  settings.dired = settings.dired && isLong;
  if (settings.dired && settings.lineEnd === "\0") throw new UsageError("bad-value", "--dired and --zero are incompatible");
  settings.sort = draft.sort ?? (draft.explicitTime && !isLong ? "time" : "name");
  const seesLinks = settings.directoryItself || settings.indicator === "classify" || isLong;
  settings.follow = draft.follow ?? (seesLinks ? "never" : "operands-to-directories");
  // Tabs would carry a color on to their end.
  if (settings.color) settings.tabWidth = 0;
  settings.ignored = ignoring(settings.dots, draft);
  if (isLong) settings.timeFormats = timeFormats(draft.timeStyle);
  return settings;
}

function apply(key: string, value: unknown, settings: Mutable<Settings>, draft: Draft): void {
  switch (key) {
    case "all":
      settings.dots = "all";
      break;
    case "almostAll":
      settings.dots = "almost-all";
      break;
    case "author":
      settings.showsAuthor = true;
      break;
    case "escape":
      settings.quoting = "escape";
      break;
    case "blockSize":
      settings.blockFormat = settings.sizeFormat = value as SizeFormat;
      break;
    case "ignoreBackups":
      draft.ignore.push("*~", ".*~");
      break;
    case "changeTime":
      settings.time = "changed";
      draft.explicitTime = true;
      break;
    case "columns":
      draft.format = "columns";
      break;
    case "color":
      settings.color = value === "always";
      break;
    case "directory":
      settings.directoryItself = true;
      break;
    case "dired":
      settings.dired = true;
      break;
    case "unsortedAll":
      settings.dots = "all";
      draft.sort = "none";
      if (draft.format === "long") draft.format = undefined;
      settings.color = false;
      settings.showsBlocks = false;
      break;
    case "classifyAlways":
      settings.indicator = "classify";
      break;
    case "classify":
      if (value === "always") settings.indicator = "classify";
      break;
    case "fileType":
      settings.indicator = "file-type";
      break;
    case "format":
      draft.format = value as Format;
      break;
    case "fullTime":
      draft.format = "long";
      draft.timeStyle = "full-iso";
      break;
    case "noOwner":
      draft.format = "long";
      settings.showsOwner = false;
      break;
    case "groupDirectoriesFirst":
      settings.directoriesFirst = true;
      break;
    case "noGroup":
      settings.showsGroup = false;
      break;
    case "humanReadable":
      settings.blockFormat = settings.sizeFormat = HUMAN;
      break;
    case "si":
      settings.blockFormat = settings.sizeFormat = HUMAN_SI;
      break;
    case "dereferenceCommandLine":
      draft.follow = "operands";
      break;
    case "dereferenceCommandLineSymlinkToDir":
      draft.follow = "operands-to-directories";
      break;
    case "hide":
      draft.hide.push(value as string);
      break;
    case "indicatorStyle":
      settings.indicator = value as Indicator;
      break;
    case "inode":
      settings.showsInode = true;
      break;
    case "ignore":
      draft.ignore.push(value as string);
      break;
    case "long":
      draft.format = "long";
      break;
    case "dereference":
      draft.follow = "always";
      break;
    case "commas":
      draft.format = "commas";
      break;
    case "numericUidGid":
      draft.format = "long";
      settings.numericIds = true;
      break;
    case "literal":
      settings.quoting = "literal";
      break;
    case "noGroupLong":
      draft.format = "long";
      settings.showsGroup = false;
      break;
    case "slash":
      settings.indicator = "slash";
      break;
    case "hideControlChars":
      settings.hidesControls = true;
      break;
    case "showControlChars":
      settings.hidesControls = false;
      break;
    case "quoteName":
      settings.quoting = "c";
      break;
    case "quotingStyle":
      settings.quoting = value as QuotingStyle;
      break;
    case "reverse":
      settings.reverse = true;
      break;
    case "recursive":
      settings.recursive = true;
      break;
    case "size":
      settings.showsBlocks = true;
      break;
    case "sort":
      draft.sort = value as Sort;
      break;
    case "sortBySize":
      draft.sort = "size";
      break;
    case "sortByTime":
      draft.sort = "time";
      break;
    case "sortByVersion":
      draft.sort = "version";
      break;
    case "sortByExtension":
      draft.sort = "extension";
      break;
    case "unsorted":
      draft.sort = "none";
      break;
    case "time":
      settings.time = value as Time;
      draft.explicitTime = true;
      break;
    case "timeStyle":
      draft.timeStyle = value as string;
      break;
    case "tabsize":
      settings.tabWidth = value as number;
      break;
    case "accessTime":
      settings.time = "accessed";
      draft.explicitTime = true;
      break;
    case "width":
      settings.lineWidth = value as number;
      break;
    case "across":
      draft.format = "across";
      break;
    case "context":
      settings.showsContext = true;
      break;
    case "zero":
      settings.lineEnd = "\0";
      settings.hidesControls = false;
      settings.color = false;
      settings.quoting = "literal";
      if (draft.format !== "long") draft.format = "single";
      break;
    case "onePerLine":
      if (draft.format !== "long") draft.format = "single";
      break;
  }
}

function ignoring(dots: Settings["dots"], draft: Draft): (name: string) => boolean {
  const compile = (patterns: readonly string[]): Glob[] => patterns.map((pattern) => compileFnmatch(pattern, { period: true }));
  const globs = [...compile(draft.ignore), ...(dots === "none" ? compile(draft.hide) : [])];
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
