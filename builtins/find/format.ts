/** -printf: a format into parts, and the parts for one file into text (findutils manual, 3.2.2). */
import { formatTime } from "../../src/dates/date-format.ts";
import { formatFloat } from "../../src/numbers/float-format.ts";
import { shapeOf } from "../../src/numbers/integer-format.ts";
import { parseLongDouble, type LongDouble } from "../../src/numbers/long-double.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { GivenPrimary } from "./primary.ts";
import { test, type Compiled } from "./expression.ts";
import type { FindRun } from "./find-run.ts";
import { kindLetter, modeText } from "../../src/display/mode-text.ts";

export type FormatPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "directive";
      /** A letter; for times `A`, `B`, `C` or `T` with `time` saying the strftime letter. */
      readonly letter: string;
      readonly time: string | undefined;
      readonly flags: string;
      readonly width: number;
      readonly precision: number | undefined;
    };

/** The whole format. What is wrong but printed all the same is warned of. Throws UsageError. */
export function readFormat(given: GivenPrimary, format: string): readonly FormatPart[] {
  const parts: FormatPart[] = [];
  const { warnings } = given.settings;
  let text = "";
  const flushText = (): void => {
    if (text !== "") parts.push({ kind: "text", text });
    text = "";
  };
  for (let at = 0; at < format.length; ) {
    const character = format.charAt(at);
    if (character === "\\") {
      const escape = readEscape(format, at);
      if (escape.kind === "end") break;
      if (escape.kind === "text") text += escape.text;
      else {
        warnings.push(
          escape.following === ""
            ? "warning: escape `\\' followed by nothing at all"
            : `warning: unrecognized escape \`\\${firstByte(escape.following)}'`,
        );
        text += `\\${escape.following}`;
      }
      at = escape.next;
      continue;
    }
    if (character !== "%") {
      text += character;
      at++;
      continue;
    }
    if (format.charAt(at + 1) === "%") {
      text += "%";
      at += 2;
      continue;
    }
    const [whole, flags, width, precision] = /^%([-+ #0]*)([0-9]*)((?:\.[0-9]*)?)/.exec(format.slice(at)) as unknown as [
      string,
      string,
      string,
      string,
    ];
    const letter = format.charAt(at + whole.length);
    if (letter === "%") {
      text += whole;
      at += whole.length + 1;
      continue;
    }
    if (letter === "" && whole === "%") throw given.bad("error: % at end of format string");
    if ("{[(".includes(letter))
      throw given.bad(`error: the format directive \`%${letter === "" ? "\0" : letter}' is reserved for future use`);
    at += whole.length + 1;
    const sizes = { flags, width: Number(width), precision: precision === "" ? undefined : Number(precision.slice(1)) };
    if ("ABCT".includes(letter)) {
      const time = format.charAt(at);
      if (time === "") {
        warnings.push(`warning: format directive \`%${letter}' should be followed by another character`);
        text += `${whole}${letter}`;
        continue;
      }
      flushText();
      parts.push({ kind: "directive", letter, time, ...sizes });
      at++;
    } else if (letter === "F") {
      throw given.refused("%F: the types of mounted file systems are not shown here; %D is the device's number", 1, [
        "-printf",
        format.replaceAll("%F", "%D"),
      ]);
    } else if (DIRECTIVES.includes(letter)) {
      flushText();
      parts.push({ kind: "directive", letter, time: undefined, ...sizes });
    } else {
      warnings.push(`warning: unrecognized format directive \`%${firstByte(letter)}'`);
      text += `${whole}${letter}`;
    }
  }
  flushText();
  return parts;
}

const firstByte = (character: string): string => toText(toBytes(character).subarray(0, 1));

const DIRECTIVES = "abcdDfgGhHiklmMnpPsStuUyYZ";

type Escape =
  | { readonly kind: "text"; readonly text: string; readonly next: number }
  | { readonly kind: "unknown"; readonly following: string; readonly next: number }
  | { readonly kind: "end" };

function readEscape(format: string, at: number): Escape {
  const octal = /^[0-7]{1,3}/.exec(format.slice(at + 1))?.[0];
  if (octal !== undefined) {
    const byte = Buffer.of(Number.parseInt(octal, 8) & 0xff);
    return { kind: "text", text: toText(byte), next: at + 1 + octal.length };
  }
  const following = format.charAt(at + 1);
  if (following === "c") return { kind: "end" };
  const text = Object.hasOwn(ESCAPES, following) ? ESCAPES[following] : undefined;
  if (text !== undefined) return { kind: "text", text, next: at + 2 };
  return { kind: "unknown", following, next: at + 1 + following.length };
}

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\" };

export function compileFormat(parts: readonly FormatPart[], run: FindRun): Compiled {
  const pieces = parts.map((part) => (part.kind === "text" ? () => part.text : directive(part, run)));
  return test((file) => {
    for (const piece of pieces) {
      try {
        run.print(piece(file));
      } catch (thrown) {
        run.fileFailed(file.path, thrown);
      }
    }
    return true;
  });
}

function directive(part: Extract<FormatPart, { kind: "directive" }>, run: FindRun): (file: TreeFile) => string {
  const { letter, time } = part;
  // GNU find 4.9 was built without a way to the time of birth: it is none, and as a number the mark of that.
  if (letter === "B") return () => padded(time === "@" ? "-1.-000000010" : "", part);
  if (time !== undefined) return (file) => padded(timeText(timeOf(letter, file.status), time, run), part);
  if (letter === "d") return (file) => numeric(BigInt(file.depth), 10, part);
  if (letter === "m") return (file) => numeric(BigInt(file.status.permissions), 8, part);
  if (letter === "S") return (file) => formatFloat(sparseness(file.status), "g", shapeOf(part.flags, part.width, part.precision));
  if (letter === "Z") {
    return (file) => {
      run.complain(`getfilecon failed: \u2018${file.path}\u2019: No data available`);
      return "";
    };
  }
  return (file) => padded(valueOf(letter, file, run), part);
}

function valueOf(letter: string, file: TreeFile, run: FindRun): string {
  const { files } = run.invocation;
  switch (letter) {
    case "p":
      return file.path;
    case "f":
      return shownName(file.path);
    case "h":
      return leading(file.path);
    case "H":
      return file.start;
    case "P":
      return file.depth === 0 ? "" : file.path.slice(file.start.endsWith("/") ? file.start.length : file.start.length + 1);
    case "y":
      return kindLetter(file.kind ?? file.status.kind);
    case "Y":
      return targetKind(file, run);
    case "l":
      return (file.kind ?? file.status.kind) === "symlink" ? file.readLink() : "";
    case "a":
      return timeText(file.status.accessedNs, "ctime", run);
    case "c":
      return timeText(file.status.changedNs, "ctime", run);
    case "t":
      return timeText(file.status.modifiedNs, "ctime", run);
    case "b":
      return String(file.status.blocks);
    case "k":
      return String(Math.ceil(file.status.blocks / 2));
    case "s":
      return String(file.status.size);
    case "D":
      return String(file.status.device);
    case "i":
      return String(file.status.inode);
    case "n":
      return String(file.status.links);
    case "M":
      return modeText(file.status);
    case "u":
      return files.userName(file.status.userId) ?? String(file.status.userId);
    case "U":
      return String(file.status.userId);
    case "g":
      return files.groupName(file.status.groupId) ?? String(file.status.groupId);
    case "G":
      return String(file.status.groupId);
    default:
      throw new Error(`%${letter} is read and has no value`);
  }
}

/** %f: the last component with the slashes after it, but for one that is all there is before a name. */
function shownName(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "") return path.slice(0, 1);
  const from = trimmed.lastIndexOf("/") + 1;
  return path.slice(from, trimmed.length + 1);
}

/** %h: what stands before the last component. */
function leading(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}

function targetKind(file: TreeFile, run: FindRun): string {
  if ((file.kind ?? file.status.kind) !== "symlink") return kindLetter(file.kind ?? file.status.kind);
  try {
    return kindLetter(file.targetStatus.kind);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code === "ENOENT" || thrown.code === "ENOTDIR") return "N";
    if (thrown.code === "ELOOP") return "L";
    run.fileFailed(file.path, thrown);
    return "?";
  }
}

function sparseness({ size, blocks }: FileStatus): LongDouble {
  if (size === 0 && blocks > 0) return { kind: "infinite", negative: false };
  return parseLongDouble(String(size === 0 ? 1 : (blocks * 512) / size)).value;
}

function timeOf(letter: string, status: FileStatus): bigint {
  if (letter === "A") return status.accessedNs;
  if (letter === "C") return status.changedNs;
  return status.modifiedNs;
}

/** Seconds carry ten digits of a fraction, of which the system knows nine. */
function timeText(nanoseconds: bigint, format: string, run: FindRun): string {
  const time = run.localTime(nanoseconds);
  const fraction = `.${String(time.nanoseconds).padStart(9, "0")}0`;
  switch (format) {
    case "@":
      return `${time.seconds}${fraction}`;
    case "+":
      return formatTime(time, `%Y-%m-%d+%H:%M:%S${fraction}`);
    case "ctime":
      return formatTime(time, `%a %b %e %H:%M:%S${fraction} %Y`);
    case "S":
    case "T":
    case "X":
      return `${formatTime(time, format === "S" ? "%S" : "%H:%M:%S")}${fraction}`;
    default:
      return formatTime(time, `%${format}`);
  }
}

/** printf's %s: of the flags only `-` means something. Width and precision count bytes. */
function padded(text: string, { flags, width, precision }: Extract<FormatPart, { kind: "directive" }>): string {
  if (width === 0 && precision === undefined) return text;
  const bytes = toBytes(text);
  const kept = precision === undefined ? bytes : bytes.subarray(0, precision);
  const fill = " ".repeat(Math.max(0, width - kept.length));
  return flags.includes("-") ? toText(kept) + fill : fill + toText(kept);
}

/** printf's %d and %o. */
function numeric(value: bigint, base: 8 | 10, { flags, width, precision }: Extract<FormatPart, { kind: "directive" }>): string {
  let digits = value.toString(base);
  if (precision !== undefined) digits = value === 0n && precision === 0 ? "" : digits.padStart(precision, "0");
  if (base === 8 && flags.includes("#") && !digits.startsWith("0")) digits = `0${digits}`;
  const sign = base === 8 ? "" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  if (flags.includes("-")) return (sign + digits).padEnd(width);
  if (flags.includes("0") && precision === undefined) return sign + digits.padStart(width - sign.length, "0");
  return (sign + digits).padStart(width);
}
