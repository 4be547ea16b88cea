/** xxd's own way with arguments: one dash or two, a flag known by its first letter, values joined or not. */
import { quoteWord } from "../../src/display/quote.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { strtol } from "../../src/numbers/strtol.ts";

export interface XxdOptions {
  readonly style: "normal" | "bits" | "little-endian" | "plain" | "include";
  readonly reverse: boolean;
  readonly autoskip: boolean;
  readonly ebcdic: boolean;
  readonly upperCase: boolean;
  readonly capitalize: boolean;
  readonly decimalOffset: boolean;
  readonly columns: number;
  readonly groupBytes: number;
  readonly length: number;
  /** What is added to the addresses shown: they wrap in 64 bits. */
  readonly offset: bigint;
  readonly seek: number;
  /** -s +N or a negative N. */
  readonly seekFrom: "start" | "here" | "end";
  readonly name: string | undefined;
  readonly input: string;
  readonly informs: "help" | "version" | undefined;
}

/** Throws UsageError. */
export function readOptions(args: readonly string[]): XxdOptions {
  let style: XxdOptions["style"] = "normal";
  const switches = new Set<string>();
  let columns: number | undefined;
  let groupBytes: number | undefined;
  let length = Infinity;
  let offset = 0n;
  let seek = 0;
  let seekFrom: XxdOptions["seekFrom"] = "start";
  let name: string | undefined;
  let informs: XxdOptions["informs"];
  let at = 0;
  for (; at < args.length; at++) {
    const typed = args[at] as string;
    const word = typed.startsWith("--") && typed.length > 2 ? typed.slice(1) : typed;
    if (!word.startsWith("-") || word === "-") break;
    if (word === "--") {
      at++;
      break;
    }
    const letter = word[1] as string;
    /** The text of the flag's value: joined to it unless that spells its long name, else the next argument. */
    const value = (rest: string): string => {
      if (word.length > 2 && word.slice(2) !== rest) return word.slice(2);
      at++;
      const next = args[at];
      if (next === undefined) throw usage(typed);
      return next;
    };
    switch (letter) {
      case "a":
      case "e":
      case "E":
      case "u":
      case "d":
      case "r":
        if (letter === "a" && switches.has("a")) switches.delete("a");
        else switches.add(letter);
        if (letter === "e") style = "little-endian";
        break;
      case "b":
        style = "bits";
        break;
      case "p":
        style = "plain";
        break;
      case "i":
        style = "include";
        break;
      case "C":
        switches.add("C");
        break;
      case "c":
        if (word === "-capitalize") switches.add("C");
        else columns = integer(value("ols"));
        break;
      case "g":
        groupBytes = integer(value("roupsize"));
        break;
      case "l":
        length = number(value("en"));
        break;
      case "o":
        offset = offsetOf(value("ffset"), word.length > 2 && word !== "-offset");
        break;
      case "n":
        name = value("ame");
        break;
      case "s": {
        const text = value(word.startsWith("-skip") ? "kip" : "eek");
        seekFrom = text.startsWith("-") ? "end" : text.startsWith("+") ? "here" : "start";
        seek = Math.abs(number(text.replace(/^\+/, "")));
        break;
      }
      case "h":
        informs = "help";
        break;
      case "v":
        informs = "version";
        break;
      default:
        throw usage(typed);
    }
    if (informs !== undefined) break;
  }
  const [input = "-", output, extra] = informs === undefined ? args.slice(at) : [];
  const chosenColumns = columns === undefined || columns === 0 ? undefined : columns;
  const width = chosenColumns ?? { normal: 16, "little-endian": 16, bits: 6, plain: columns === 0 ? Infinity : 30, include: 12 }[style];
  if (
    informs === undefined &&
    (width < (style === "plain" ? 0 : 1) || ((style === "normal" || style === "bits" || style === "little-endian") && width > 256))
  ) {
    throw new UsageError("bad-value", "invalid number of columns (max. 256).");
  }
  const defaultGroup = { normal: 2, "little-endian": 4, bits: 1, plain: 0, include: 0 }[style];
  const wanted = groupBytes === undefined || groupBytes < 0 ? defaultGroup : groupBytes;
  const isWhole = wanted < 1 || wanted > width;
  const group = isWhole ? width : wanted;
  if (informs === undefined && style === "little-endian" && !isWhole && (group & (group - 1)) !== 0) {
    throw new UsageError("bad-value", "number of octets per group must be a power of 2 with -e.");
  }
  if (output !== undefined) {
    const suggestion = `xxd ${[...args.slice(0, at), input].map(quoteWord).join(" ")} | tee ${quoteWord(output)} >/dev/null`;
    if (extra !== undefined) throw usage(extra);
    throw new UsageError("refused-flag", `'${output}': xxd does not write files here, tee does`, {
      subject: output,
      argument: at + 1,
      suggestion,
      lost: "the exit status is tee's; where xxd fails, a new file is made all the same",
    });
  }
  if (switches.has("r") && style !== "normal" && style !== "plain" && informs === undefined) {
    throw new UsageError("bad-value", "Sorry, cannot revert this type of hexdump", { exit: 255 });
  }
  return {
    style,
    reverse: switches.has("r"),
    autoskip: switches.has("a"),
    ebcdic: switches.has("E"),
    upperCase: switches.has("u"),
    capitalize: switches.has("C"),
    decimalOffset: switches.has("d"),
    columns: width,
    groupBytes: group,
    length: length < 0 ? Infinity : length,
    offset,
    seek,
    seekFrom,
    name,
    input,
    informs,
  };
}

const usage = (subject: string): UsageError =>
  new UsageError("unknown-flag", `'${subject}' is no flag of xxd, or misses its value`, { subject, pointsToHelp: "alone" });

/** What follows the number is passed over. Not held to 64 bits. */
const exactNumber = (text: string): bigint => strtol(text, 0)?.value ?? 0n;

/** As strtol(3): held to 64 bits. */
function number(text: string): number {
  const value = exactNumber(text);
  return Number(value > MAX_LONG ? MAX_LONG : value < -MAX_LONG - 1n ? -MAX_LONG - 1n : value);
}

/** The same as an int of C, which has its lower half. */
function integer(text: string): number {
  const value = exactNumber(text);
  return value > MAX_LONG ? -1 : value < -MAX_LONG - 1n ? 0 : Number(BigInt.asIntN(32, value));
}

/** What -o adds. As strtoul(3), to which joined values are given with their sign; another's is taken off before. */
function offsetOf(text: string, isJoined: boolean): bigint {
  const magnitude = (digits: string): bigint => {
    const value = exactNumber(digits);
    const size = value < 0n ? -value : value;
    return size >= 1n << 64n ? (1n << 64n) - 1n : value;
  };
  const [, sign = "", digits = text] = isJoined ? [] : (/^\+?(-)?([^]*)$/.exec(text) ?? []);
  return BigInt.asUintN(64, sign === "-" ? -magnitude(digits) : magnitude(digits));
}

const MAX_LONG = (1n << 63n) - 1n;

export const USAGE = `Usage:
       xxd [options] [infile [outfile]]
    or
       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]
Options:
    -a          toggle autoskip: A single '*' replaces nul-lines. Default off.
    -b          binary digit dump (incompatible with -ps,-i,-r). Default hex.
    -C          capitalize variable names in C include file style (-i).
    -c cols     format <cols> octets per line. Default 16 (-i: 12, -ps: 30).
    -E          show characters in EBCDIC. Default ASCII.
    -e          little-endian dump (incompatible with -ps,-i,-r).
    -g bytes    number of octets per group in normal output. Default 2 (-e: 4).
    -h          print this summary.
    -i          output in C include file style.
    -l len      stop after <len> octets.
    -n name     set the variable name used in C include output (-i).
    -o off      add <off> to the displayed file position.
    -ps         output in postscript plain hexdump style.
    -r          reverse operation: convert (or patch) hexdump into binary.
    -r -s off   revert with <off> added to file positions found in hexdump.
    -d          show offset in decimal instead of hex.
    -s [+][-]seek  start at <seek> bytes abs. (or +: rel.) infile offset.
    -u          use upper case hex letters.
    -v          show version: "xxd 2022-01-14 by Juergen Weigert et al.".
`;
