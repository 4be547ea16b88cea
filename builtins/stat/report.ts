/** Expands each directive of stat for a file. */
import type { LocalTime } from "../../src/dates/date-format.ts";
import { formatTime } from "../../src/dates/date-format.ts";
import { modeText } from "../../src/display/mode-text.ts";
import { quoteAlways } from "../../src/display/quote.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import { decimalConversion, hexConversion, octalConversion, textConversion, type Conversion } from "./conversion.ts";
import { epochSeconds } from "./epoch.ts";
import type { FormatPart } from "./format.ts";

export interface ReportSettings {
  readonly files: Files;
  readonly localTime: (nanoseconds: bigint) => LocalTime;
  /** What is the widest field, in bytes. */
  readonly heldBytes: number;
  /** %N in quotes: where one stands without flags in a format that was given. */
  readonly quotesNames: boolean;
}

/** A directive that could only be answered in part: what is printed before and after the message. */
export class HalfAnswered extends Error {
  override readonly name = "HalfAnswered";
  readonly before: string;
  readonly after: string;

  constructor(message: string, shown: { readonly before?: string; readonly after?: string }) {
    super(message);
    this.before = shown.before ?? "";
    this.after = shown.after ?? "";
  }
}

type Directive = Extract<FormatPart, { kind: "directive" }>;

/** The text of one directive. Throws HalfAnswered and LimitReached. */
export function directiveText(directive: Directive, name: string, status: FileStatus, settings: ReportSettings): string {
  const { letter, modifier, conversion, precisionIsBare } = directive;
  if (Math.max(conversion.width, conversion.precision ?? 0) > settings.heldBytes)
    throw new LimitReached("held", settings.heldBytes, "bytes");
  const text = (value: string): string => textConversion(value, conversion);
  const unsigned = (value: bigint | number): string => decimalConversion(BigInt(value), false, conversion);
  const signed = (value: bigint | number): string => decimalConversion(BigInt(value), true, conversion);
  const hex = (value: bigint): string => hexConversion(value, conversion);
  const device = (value: bigint): string => unsigned(modifier === "" ? value : modifier === "H" ? major(value) : minor(value));
  const time = (nanoseconds: bigint): string => text(formatTime(settings.localTime(nanoseconds), "%Y-%m-%d %H:%M:%S.%N %z"));
  const epoch = (nanoseconds: bigint): string => epochSeconds(nanoseconds, conversion, precisionIsBare);
  switch (letter) {
    case "a":
      return octalConversion(BigInt(status.permissions), conversion);
    case "A":
      return text(modeText(status));
    case "b":
      return unsigned(status.blocks);
    case "B":
      return unsigned(512);
    case "C":
      throw new HalfAnswered(`failed to get security context of ${quoteAlways(name)}: No data available`, { after: text("?") });
    case "d":
      return device(status.device);
    case "D":
      return hex(status.device);
    case "f":
      return hex(BigInt(FORMAT_BITS[status.kind] | status.permissions));
    case "F":
      return text(status.kind === "file" && status.size === 0 ? "regular empty file" : KIND_NAMES[status.kind]);
    case "g":
      return unsigned(status.groupId);
    case "G":
      return text(settings.files.groupName(status.groupId) ?? "UNKNOWN");
    case "h":
      return unsigned(status.links);
    case "i":
      return unsigned(status.inode);
    case "n":
      return text(name);
    case "N":
      return quotedName(name, status, settings, conversion);
    case "o":
      return unsigned(status.ioBytes);
    case "r":
      return device(status.specialDevice);
    case "R":
      return hex(status.specialDevice);
    case "s":
      return signed(status.size);
    case "t":
      return hex(major(status.specialDevice));
    case "T":
      return hex(minor(status.specialDevice));
    case "u":
      return unsigned(status.userId);
    case "U":
      return text(settings.files.userName(status.userId) ?? "UNKNOWN");
    case "w":
      return status.bornNs === 0n ? text("-") : time(status.bornNs);
    case "W":
      return epoch(status.bornNs);
    case "x":
      return time(status.accessedNs);
    case "X":
      return epoch(status.accessedNs);
    case "y":
      return time(status.modifiedNs);
    case "Y":
      return epoch(status.modifiedNs);
    case "z":
      return time(status.changedNs);
    case "Z":
      return epoch(status.changedNs);
    default:
      return "?";
  }
}

/**
 * One flag that means nothing for a text GNU stat takes out of its format, and so prints the letter of its conversion behind the
 * target.
 */
function quotedName(name: string, status: FileStatus, settings: ReportSettings, conversion: Conversion): string {
  const quoted = (value: string): string => textConversion(settings.quotesNames ? quoteAlways(value) : value, conversion);
  if (status.kind !== "symlink") return quoted(name);
  try {
    const leftOver = conversion.flags.replaceAll("-", "").length === 1 ? "s" : "";
    return `${quoted(name)} -> ${quoted(settings.files.readLink(name))}${leftOver}`;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new HalfAnswered(`cannot read symbolic link ${quoteAlways(name)}: ${thrown.message}`, { before: quoted(name) });
  }
}

/** As glibc's gnu_dev_major() and gnu_dev_minor(). */
const major = (device: bigint): bigint => ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
const minor = (device: bigint): bigint => (device & 0xffn) | ((device >> 12n) & ~0xffn);

/** S_IFMT of the mode. */
const FORMAT_BITS: Readonly<Record<FileKind, number>> = {
  file: 0o100000,
  directory: 0o040000,
  symlink: 0o120000,
  fifo: 0o010000,
  socket: 0o140000,
  "character-device": 0o020000,
  "block-device": 0o060000,
};

const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  file: "regular file",
  directory: "directory",
  symlink: "symbolic link",
  fifo: "fifo",
  socket: "socket",
  "character-device": "character special file",
  "block-device": "block special file",
};
