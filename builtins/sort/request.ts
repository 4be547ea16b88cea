/** What the arguments of sort ask for, read in the order in which they were given, as GNU sort reads them. */
import { scanCount } from "../../src/numbers/counts.ts";
import type { Occurrence } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteAlways, quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import {
  applyOrdering,
  checkOrderings,
  hasOrdering,
  incompatible,
  noOrdering,
  parseKey,
  parseOldStart,
  withOldEnd,
  wholeLine,
  type Ordering,
  type SortKey,
} from "./key-spec.ts";

export interface Request {
  readonly keys: readonly SortKey[];
  readonly tab: number | undefined;
  readonly reverse: boolean;
  readonly stable: boolean;
  readonly unique: boolean;
  readonly merge: boolean;
  /** "c": say which line is out of order; "C": say nothing. */
  readonly check: "c" | "C" | undefined;
  readonly lineEnd: number;
  readonly randomSource: string | undefined;
  readonly filesFrom: string | undefined;
  /** As --parallel has it, as far as a double tells; 1 without. */
  readonly threads: number;
}

/** Letters of the ordering flags, by key in the flag table. */
const ORDERING_LETTERS: Readonly<Record<string, string>> = {
  ignoreLeadingBlanks: "b",
  dictionaryOrder: "d",
  ignoreCase: "f",
  generalNumericSort: "g",
  ignoreNonprinting: "i",
  monthSort: "M",
  humanNumericSort: "h",
  numericSort: "n",
  randomSort: "R",
  reverse: "r",
  versionSort: "V",
};

/** What stands in the flags alone, before they are looked at together. */
interface Given {
  readonly global: Ordering;
  readonly keys: readonly SortKey[];
  readonly tab: number | undefined;
  readonly check: Request["check"];
  readonly randomSource: string | undefined;
  readonly filesFrom: string | undefined;
  readonly threads: number;
}

/** Reads the flags in their order. Throws UsageError. */
export function readOccurrences(occurrences: readonly Occurrence[]): Given {
  const global = noOrdering();
  const keys: SortKey[] = [];
  let tab: number | undefined;
  let check: Request["check"];
  let randomSource: string | undefined;
  let filesFrom: string | undefined;
  let threads = 1;
  for (let at = 0; at < occurrences.length; at++) {
    const { key, value, spelling } = occurrences[at] as Occurrence;
    const text = typeof value === "string" ? value : "";
    switch (key) {
      case "sort":
        applyOrdering(text, global, "both");
        break;
      case "checkLoudly":
      case "checkQuietly":
      case "check": {
        const wanted = key === "checkQuietly" || text === "C" ? "C" : "c";
        if (check !== undefined && check !== wanted) throw incompatible("cC");
        check = wanted;
        break;
      }
      case "key": {
        const end = oldForm(occurrences[at + 1]);
        const start = oldForm(occurrences[at]);
        if (start === undefined) keys.push(parseKey(text));
        else if (start.sign === "-")
          throw new UsageError("unknown-flag", `invalid option -- '${start.text[0] ?? ""}'`, {
            subject: `-${start.text}`,
            pointsToHelp: true,
          });
        else {
          const old = parseOldStart(start.text);
          if (old === undefined) break;
          const hasEnd = end?.sign === "-" && end.position === start.position + 1;
          keys.push(hasEnd ? withOldEnd(old, end.text) : old.key);
          if (hasEnd) at++;
        }
        break;
      }
      case "fieldSeparator":
        tab = separator(text, tab);
        break;
      case "bufferSize":
        checkBufferSize(text, spelling);
        break;
      case "parallel":
        threads = threadsOf(text);
        break;
      case "batchSize":
        checkBatchSize(text);
        break;
      case "randomSource":
        if (randomSource !== undefined && randomSource !== text) throw new UsageError("bad-value", "multiple random sources specified");
        randomSource = text;
        break;
      case "files0From":
        filesFrom = text;
        break;
      default:
        applyOrdering(ORDERING_LETTERS[key] ?? "", global, "both");
    }
  }
  return { global, keys, tab, check, randomSource, filesFrom, threads };
}

/** Reads the arguments. Throws UsageError. What GNU sort looks at only after it has read the names of its files: `checkKeys`. */
export function readRequest(occurrences: readonly Occurrence[], operands: readonly string[]): Request {
  const { global, keys, tab, check, randomSource, filesFrom, threads } = readOccurrences(occurrences);
  const given = new Set(occurrences.map(({ key }) => key));
  const [first, second] = operands;
  if (filesFrom !== undefined && first !== undefined) {
    throw new UsageError("extra-operand", `extra operand ${quoteAlways(first)}\nfile operands cannot be combined with --files0-from`, {
      subject: first,
      pointsToHelp: true,
    });
  }
  const inherited = keys.map((key) => (hasOrdering(key) || key.reverse ? key : { ...key, ...global }));
  const effective = keys.length === 0 && hasOrdering(global) ? [wholeLine(global)] : inherited;
  if (filesFrom === undefined) {
    checkKeys(effective);
    const readsSalt = randomSource !== undefined && effective.some((key) => key.random);
    if (check !== undefined && second !== undefined && !readsSalt) throw extraFile(second, check);
  }
  return {
    keys: effective,
    tab,
    reverse: global.reverse,
    stable: given.has("stable"),
    unique: given.has("unique"),
    merge: given.has("merge"),
    check,
    lineEnd: given.has("zeroTerminated") ? 0 : 0x0a,
    randomSource,
    filesFrom,
    threads,
  };
}

/** Throws UsageError for a key with orders that exclude each other. */
export function checkKeys(keys: readonly SortKey[]): void {
  for (const key of keys) checkOrderings(key);
}

export function extraFile(file: string, check: "c" | "C"): UsageError {
  return new UsageError("extra-operand", `extra operand ${quoteAlways(file)} not allowed with -${check}`, { subject: file });
}

interface OldForm {
  readonly sign: string;
  readonly text: string;
  /** Of the argument: an end belongs to the start right before it. */
  readonly position: number;
}

/** No argument holds a NUL, so it marks what the old forms `+1` and `-2` are rewritten to. */
export function rewriteOldForm(argument: string, position: number): readonly string[] | undefined {
  const isStart = argument.startsWith("+") && parseOldStart(argument.slice(1)) !== undefined;
  return isStart || /^-\d/.test(argument) ? [`--key=\0${position}${argument}`] : undefined;
}

function oldForm(occurrence: Occurrence | undefined): OldForm | undefined {
  if (occurrence?.key !== "key" || typeof occurrence.value !== "string") return undefined;
  const [, position, sign, text] = /^\0(\d+)([+-])([^]*)$/.exec(occurrence.value) ?? [];
  return sign === undefined || text === undefined ? undefined : { sign, text, position: Number(position) };
}

function separator(text: string, before: number | undefined): number {
  const bytes = toBytes(text);
  const [byte] = bytes;
  if (byte === undefined) throw new UsageError("bad-value", "empty tab");
  if (bytes.length > 1 && text !== "\\0") throw new UsageError("bad-value", `multi-character tab ${quoteCurly(text)}`, { subject: text });
  const tab = bytes.length > 1 ? 0 : byte;
  if (before !== undefined && before !== tab) throw new UsageError("bad-value", "incompatible tabs");
  return tab;
}

/** A size is in KiB unless it says otherwise, and may be a share of the memory: `10%`. */
function checkBufferSize(text: string, spelling: string): void {
  const { value, problem } = scanCount(text, { suffixes: "EgGkKmMPtTYZ" });
  if (problem === "suffix" && /^[ \t\n\v\f\r]*\+?\d+[b%]$/.test(text)) return;
  const isTooLarge = problem === undefined && /\d$/.test(text) && value >= 1n << 54n;
  refuseNumber(isTooLarge ? "overflow" : problem, spelling.startsWith("--") ? spelling : "-S", text);
}

function threadsOf(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem !== "overflow") refuseNumber(problem, "--parallel", text);
  if (value === 0n) throw new UsageError("bad-value", "number in parallel must be nonzero", { subject: text });
  return Number(value);
}

/** GNU sort stops at the number of files it may open, which here is no limit of sort's: what a uintmax_t holds is. */
function checkBatchSize(text: string): void {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem === "overflow") {
    const message = `--batch-size argument ${quoteCurly(text)} too large\nsort: maximum --batch-size argument with current rlimit is ${value}`;
    throw new UsageError("bad-value", message, { subject: text });
  }
  refuseNumber(problem, "--batch-size", text);
  if (value < 2n) {
    const message = `invalid --batch-size argument ${quoteCurly(text)}\nsort: minimum --batch-size argument is ${quoteCurly("2")}`;
    throw new UsageError("bad-value", message, { subject: text });
  }
}

/** gnulib's xstrtol_fatal. */
function refuseNumber(problem: ReturnType<typeof scanCount>["problem"], flag: string, text: string): void {
  if (problem === undefined) return;
  const message = {
    invalid: `invalid ${flag} argument '${text}'`,
    suffix: `invalid suffix in ${flag} argument '${text}'`,
    overflow: `${flag} argument '${text}' too large`,
  }[problem];
  throw new UsageError("bad-value", message, { subject: text });
}
