/** The request that the arguments of sort make, read in the order in which they were given, as GNU sort reads them. */
import { scanCount } from "../../src/numbers/counts.ts";
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteAlways, quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import type { flags } from "./flags.ts";
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
  /** The file of -o. */
  readonly output: string | undefined;
  /** As --parallel has it, as far as a double tells; 1 without. */
  readonly threads: number;
}

/** The letters of the ordering flags. */
const ORDERING_LETTERS = {
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
} as const satisfies Partial<Record<GivenKey<typeof flags>, string>>;

type Given = Occurrence<typeof flags>;
type Ordered = Extract<Given, { readonly key: keyof typeof ORDERING_LETTERS }>;

const isOrdering = (occurrence: Given): occurrence is Ordered => Object.hasOwn(ORDERING_LETTERS, occurrence.key);

/** Reads the arguments. Throws UsageError. What GNU sort looks at only after it has read the names of its files: `checkKeys`. */
export function readRequest(occurrences: readonly Given[], operands: readonly string[]): Request {
  const { ofLine, ...request } = readFlags(occurrences);
  const { check, filesFrom, randomSource } = request;
  const [first, second] = operands;
  if (filesFrom !== undefined && first !== undefined) {
    throw new UsageError("extra-operand", `extra operand ${quoteAlways(first)}\nfile operands cannot be combined with --files0-from`, {
      subject: first,
      pointsToHelp: true,
    });
  }
  const inherited = request.keys.map((key) => (hasOrdering(key) || key.reverse ? key : { ...key, ...ofLine }));
  const keys = inherited.length === 0 && hasOrdering(ofLine) ? [wholeLine(ofLine)] : inherited;
  if (filesFrom === undefined) {
    checkKeys(keys);
    const readsSalt = randomSource !== undefined && keys.some((key) => key.random);
    if (check !== undefined && second !== undefined && !readsSalt) throw extraFile(second, check);
    if (check !== undefined && request.output !== undefined) throw incompatible(`${check}o`);
  }
  return { ...request, keys, reverse: ofLine.reverse };
}

/** The flags in their order, before they are looked at together: keys without what they inherit. Throws UsageError. */
function readFlags(occurrences: readonly Given[]): Omit<Request, "reverse"> & { readonly ofLine: Ordering } {
  const ofLine = noOrdering();
  const keys: SortKey[] = [];
  const request: { -readonly [K in keyof Request]: Request[K] } = {
    keys,
    tab: undefined,
    reverse: false,
    stable: false,
    unique: false,
    merge: false,
    check: undefined,
    lineEnd: 0x0a,
    randomSource: undefined,
    filesFrom: undefined,
    output: undefined,
    threads: 1,
  };
  for (let at = 0; at < occurrences.length; at++) {
    const occurrence = occurrences[at] as Given;
    if (isOrdering(occurrence)) {
      applyOrdering(ORDERING_LETTERS[occurrence.key], ofLine, "both");
      continue;
    }
    switch (occurrence.key) {
      case "sort":
        applyOrdering(occurrence.value ?? "", ofLine, "both");
        break;
      case "checkLoudly":
        request.check = oneCheck("c", request.check);
        break;
      case "checkQuietly":
        request.check = oneCheck("C", request.check);
        break;
      case "check":
        request.check = oneCheck(occurrence.value ?? "c", request.check);
        break;
      case "key":
        if (addKey(occurrence.value ?? "", occurrences[at + 1], keys) === "with the next") at++;
        break;
      case "fieldSeparator":
        request.tab = separator(occurrence.value ?? "", request.tab);
        break;
      case "bufferSize":
        checkBufferSize(occurrence.value ?? "", occurrence.spelling);
        break;
      case "parallel":
        request.threads = threadsOf(occurrence.value ?? "");
        break;
      case "batchSize":
        checkBatchSize(occurrence.value ?? "");
        break;
      case "temporaryDirectory":
        // What does not fit in memory goes to a file without a name.
        break;
      case "randomSource":
        if (request.randomSource !== undefined && request.randomSource !== occurrence.value)
          throw new UsageError("bad-value", "multiple random sources specified");
        request.randomSource = occurrence.value;
        break;
      case "files0From":
        request.filesFrom = occurrence.value;
        break;
      case "output":
        if (request.output !== undefined && request.output !== occurrence.value)
          throw new UsageError("bad-value", "multiple output files specified");
        request.output = occurrence.value;
        break;
      case "merge":
        request.merge = true;
        break;
      case "stable":
        request.stable = true;
        break;
      case "unique":
        request.unique = true;
        break;
      case "zeroTerminated":
        request.lineEnd = 0;
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return { ...request, ofLine };
}

function oneCheck(wanted: "c" | "C", before: Request["check"]): Request["check"] {
  if (before !== undefined && before !== wanted) throw incompatible("cC");
  return wanted;
}

/** Adds the key that `text` stands for; an old start takes the old end right after it along. */
function addKey(text: string, next: Given | undefined, keys: SortKey[]): "alone" | "with the next" {
  const start = oldForm(text);
  if (start === undefined) keys.push(parseKey(text));
  else if (start.sign === "-") {
    const message = `invalid option -- '${start.text[0] ?? ""}'`;
    throw new UsageError("unknown-flag", message, { subject: `-${start.text}`, pointsToHelp: true });
  } else {
    const old = parseOldStart(start.text);
    if (old === undefined) return "alone";
    const end = next?.key === "key" ? oldForm(next.value ?? "") : undefined;
    const hasEnd = end?.sign === "-" && end.position === start.position + 1;
    keys.push(hasEnd ? withOldEnd(old, end.text) : old.key);
    if (hasEnd) return "with the next";
  }
  return "alone";
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

function oldForm(value: string): OldForm | undefined {
  const [, position, sign, text] = /^\0(\d+)([+-])([^]*)$/.exec(value) ?? [];
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

/** A share of so much memory must fit a uintmax_t. GNU sort asks the host for its own figure. */
const ASSUMED_MEMORY_BYTES = 1n << 30n;

/** A size is in KiB unless it says otherwise, and may be a share of the memory: `10%`. */
function checkBufferSize(text: string, spelling: string): void {
  const { value, problem } = scanCount(text, { suffixes: "EgGkKmMPtTYZ" });
  const flag = spelling.startsWith("--") ? spelling : "-S";
  const [, digits = "", unit] = /^[ \t\n\v\f\r]*\+?(\d+)([b%])$/.exec(text) ?? [];
  if (problem === "suffix" && unit !== undefined && BigInt(digits) >> 64n === 0n) {
    const isShareTooLarge = unit === "%" && ((value * ASSUMED_MEMORY_BYTES) / 100n) >> 64n !== 0n;
    refuseNumber(isShareTooLarge ? "overflow" : undefined, flag, text);
    return;
  }
  const isTooLarge = problem === undefined && /\d$/.test(text) && value >= 1n << 54n;
  refuseNumber(isTooLarge ? "overflow" : problem, flag, text);
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
