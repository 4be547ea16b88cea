/** The settings that the flags of du make together. */
import type { Occurrence, StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
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
  const { sizeFormat, follow } = lastChoices(occurrences);
  const { all, apparentSize, bytes, countLinks, files0From, inodes, maxDepth, null: endsWithNul, oneFileSystem } = given;
  const { separateDirs, summarize, threshold, time, timeStyle } = given;
  if (summarize && all) throw usage("cannot both summarize and show all entries");
  const warnings: string[] = [];
  if (summarize && maxDepth !== undefined) {
    if (maxDepth > 0) throw usage(`warning: summarizing conflicts with --max-depth=${maxDepth}`);
    warnings.push("warning: summarizing is the same as using --max-depth=0");
  }
  const listed = operands[0];
  if (files0From !== undefined && listed !== undefined)
    throw usage(`extra operand ${quoteCurly(listed)}\nfile operands cannot be combined with --files0-from`);
  const isApparent = apparentSize || bytes;
  if (inodes && isApparent) warnings.push("warning: options --apparent-size and -b are ineffective with --inodes");
  return {
    sizeFormat: inodes && !sizeFormat.autoscale ? inodeFormat(sizeFormat) : sizeFormat,
    measure: inodes ? () => 1n : isApparent ? apparentBytes : allocatedBytes,
    maxDepth: summarize ? 0 : (maxDepth ?? Infinity),
    threshold,
    showsFiles: all,
    separateDirectories: separateDirs,
    countsLinks: countLinks,
    oneDevice: oneFileSystem,
    follow,
    time: time === undefined ? undefined : { of: TIMES[time], format: timeFormat(timeStyle) },
    lineEnd: endsWithNul ? "\0" : "\n",
    warnings,
  };
}

/** Files are counted one by one, and GNU du still prints the B of a block size like KiB. */
function inodeFormat(format: SizeFormat): SizeFormat {
  return { ...format, unit: 1n, suffix: format.suffix === "letter-and-byte" ? "letter-and-byte" : "none" };
}

/** The last of -b, -B, -h, -k, -m and --si decides, and of -D, -L and -P. */
function lastChoices(occurrences: readonly Occurrence<typeof flags>[]): Pick<Settings, "sizeFormat" | "follow"> {
  let sizeFormat: SizeFormat = KIBIBYTES;
  let follow: Settings["follow"] = "never";
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "bytes":
        sizeFormat = { ...KIBIBYTES, unit: 1n };
        break;
      case "kibibytes":
        sizeFormat = KIBIBYTES;
        break;
      case "mebibytes":
        sizeFormat = { ...KIBIBYTES, unit: 1n << 20n };
        break;
      case "humanReadable":
        sizeFormat = HUMAN;
        break;
      case "si":
        sizeFormat = HUMAN_SI;
        break;
      case "blockSize":
        sizeFormat = occurrence.value ?? sizeFormat;
        break;
      case "dereference":
        follow = "always";
        break;
      case "dereferenceArgs":
        follow = "starting-points";
        break;
      case "noDereference":
        follow = "never";
        break;
      // Read by their values: in `readSettings`, and what is left out and added up in du.ts.
      case "all":
      case "apparentSize":
      case "countLinks":
      case "exclude":
      case "excludeFrom":
      case "files0From":
      case "inodes":
      case "maxDepth":
      case "null":
      case "oneFileSystem":
      case "separateDirs":
      case "summarize":
      case "threshold":
      case "time":
      case "timeStyle":
      case "total":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return { sizeFormat, follow };
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
