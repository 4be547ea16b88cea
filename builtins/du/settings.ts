/** What du's flags come to. */
import type { Occurrence, StaticInvocation } from "../../src/builtin/definition.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { HUMAN, HUMAN_SI, KIBIBYTES, type SizeFormat } from "../../src/numbers/size-format.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import type { flags } from "./flags.ts";

export interface Settings {
  readonly sizeFormat: SizeFormat;
  /** What a file counts for. */
  readonly measure: (status: FileStatus) => bigint;
  readonly maxDepth: number;
  /** From this size on, or where it is negative up to as much; undefined: all. */
  readonly threshold: bigint | undefined;
  readonly showsFiles: boolean;
  readonly separateDirectories: boolean;
  readonly countsLinks: boolean;
  readonly oneDevice: boolean;
  readonly follow: "never" | "starting-points" | "always";
  /** The time shown beside each size, and how. */
  readonly time: { readonly of: (status: FileStatus) => bigint; readonly format: string } | undefined;
  readonly lineEnd: string;
  /** Said on standard error before anything else. */
  readonly warnings: readonly string[];
}

/** Throws UsageError. */
export function readSettings({ flags: given, occurrences, operands }: StaticInvocation<typeof flags>): Settings {
  let sizeFormat: SizeFormat = KIBIBYTES;
  let follow: Settings["follow"] = "never";
  for (const { key, value } of occurrences) {
    sizeFormat = sizeFormatOf(key, value) ?? sizeFormat;
    follow = FOLLOW.get(key) ?? follow;
  }
  if (given.summarize && given.all) throw usage("cannot both summarize and show all entries");
  const warnings: string[] = [];
  if (given.summarize && given.maxDepth !== undefined) {
    if (given.maxDepth > 0) throw usage(`warning: summarizing conflicts with --max-depth=${given.maxDepth}`);
    warnings.push("warning: summarizing is the same as using --max-depth=0");
  }
  const listed = operands[0];
  if (given.files0From !== undefined && listed !== undefined)
    throw usage(`extra operand ${quoteCurly(listed)}\nfile operands cannot be combined with --files0-from`);
  const isApparent = given.apparentSize || given.bytes;
  if (given.inodes && isApparent) warnings.push("warning: options --apparent-size and -b are ineffective with --inodes");
  return {
    sizeFormat: given.inodes && !sizeFormat.autoscale ? inodeFormat(sizeFormat) : sizeFormat,
    measure: given.inodes ? () => 1n : isApparent ? apparentBytes : allocatedBytes,
    maxDepth: given.summarize ? 0 : (given.maxDepth ?? Infinity),
    threshold: given.threshold,
    showsFiles: given.all,
    separateDirectories: given.separateDirs,
    countsLinks: given.countLinks,
    oneDevice: given.oneFileSystem,
    follow,
    time: given.time === undefined ? undefined : { of: TIMES[given.time], format: timeFormat(given.timeStyle) },
    lineEnd: given.null ? "\0" : "\n",
    warnings,
  };
}

/** Files are counted one by one, and GNU du still prints the B of a block size like KiB. */
function inodeFormat(format: SizeFormat): SizeFormat {
  return { ...format, unit: 1n, suffix: format.suffix === "letter-and-byte" ? "letter-and-byte" : "none" };
}

const FOLLOW: ReadonlyMap<string, Settings["follow"]> = new Map([
  ["dereference", "always"],
  ["dereferenceArgs", "starting-points"],
  ["noDereference", "never"],
]);

/** The last of -b, -B, -h, -k, -m and --si decides. */
function sizeFormatOf(key: string, value: Occurrence["value"]): SizeFormat | undefined {
  switch (key) {
    case "bytes":
      return { ...KIBIBYTES, unit: 1n };
    case "kibibytes":
      return KIBIBYTES;
    case "mebibytes":
      return { ...KIBIBYTES, unit: 1n << 20n };
    case "humanReadable":
      return HUMAN;
    case "si":
      return HUMAN_SI;
    case "blockSize":
      return value as SizeFormat;
    default:
      return undefined;
  }
}

function usage(message: string): UsageError {
  return new UsageError("bad-value", message, { pointsToHelp: true });
}

const allocatedBytes = ({ blocks }: FileStatus): bigint => BigInt(blocks) * 512n;
const apparentBytes = ({ size }: FileStatus): bigint => BigInt(size);

const TIMES = {
  modified: ({ modifiedNs }: FileStatus): bigint => modifiedNs,
  accessed: ({ accessedNs }: FileStatus): bigint => accessedNs,
  changed: ({ changedNs }: FileStatus): bigint => changedNs,
};

const readTimeStyle = wordReader("time style", {
  "%Y-%m-%d %H:%M:%S.%N %z": ["full-iso"],
  "%Y-%m-%d %H:%M": ["long-iso"],
  "%Y-%m-%d": ["iso"],
});

/** The style counts, and is looked at, only where times are shown. Throws UsageError. */
function timeFormat(style: string | undefined): string {
  if (style === undefined) return "%Y-%m-%d %H:%M";
  if (style.startsWith("+")) return style.slice(1);
  try {
    return readTimeStyle(style);
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    throw usage(thrown.message);
  }
}
