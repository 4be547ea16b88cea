/**
 * The format loop of bash's printf. All strings in this folder are byte strings: one character per byte, so that a
 * width counts bytes as bash counts them.
 */
import { strtol } from "../../src/numbers/strtol.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { formatTime, localTimes } from "../../src/dates/date-format.ts";
import { escapeAt, expandOperand } from "./printf-escapes.ts";
import { formatFloat, type FloatConversion } from "../../src/numbers/float-format.ts";
import { formatInteger, padded, shapeOf, type Shape } from "../../src/numbers/integer-format.ts";
import { fromInteger, parseLongDouble, type LongDouble } from "../../src/numbers/long-double.ts";
import { quoteForShell } from "./shell-quote.ts";

export interface Surroundings {
  readonly complain: (message: string) => void;
  readonly nowMs: number;
  readonly timeZone: string;
  /** The most one piece of output may hold, in bytes. */
  readonly maxBytes: number;
}

export class Formatter {
  /** Whether the exit status is 1. */
  failed = false;
  readonly #format: string;
  readonly #values: readonly string[];
  readonly #around: Surroundings;
  #next = 0;
  #ended = false;
  #out = "";

  constructor(format: string, values: readonly string[], around: Surroundings) {
    this.#format = format;
    this.#values = values;
    this.#around = around;
  }

  /** The output in pieces. */
  *run(): Generator<string, void> {
    for (;;) {
      const before = this.#next;
      this.#pass();
      const again = !this.#ended && this.#next < this.#values.length && this.#next > before;
      if (this.#out.length > PIECE || (!again && this.#out !== "")) {
        yield this.#out;
        this.#out = "";
      }
      if (!again) return;
    }
  }

  /** Once through the format. */
  #pass(): void {
    const format = this.#format;
    for (let at = 0; at < format.length && !this.#ended; ) {
      const character = format.charAt(at);
      if (character === "\\") {
        const escape = escapeAt(format, at + 1, "format", this.#around.complain);
        this.#out += escape.text;
        at += 1 + escape.length;
      } else if (character !== "%") {
        const end = nextSpecial(format, at);
        this.#out += format.slice(at, end);
        at = end;
      } else if (format.charAt(at + 1) === "%") {
        this.#out += "%";
        at += 2;
      } else at = this.#conversion(at);
    }
  }

  /** Prints the conversion that begins at `start`; returns where the format goes on. */
  #conversion(start: number): number {
    const format = this.#format;
    const [prefix, flags = "", widthText = "", dotted, precisionText = ""] = SPECIFICATION.exec(format.slice(start)) ?? [""];
    let width = widthText === "*" ? this.#takeInt() : Number(widthText || 0);
    let precision = dotted === undefined ? undefined : precisionText === "*" ? this.#takeInt() : Number(precisionText || 0);
    if (precision !== undefined && (precision < 0 || Object.is(precision, -0))) precision = undefined;
    // What the C library is not asked of takes a minus sign, and what stands behind it, for no digits.
    const hasNoDigits = dotted !== undefined && /^(-|$)/.test(precisionText);
    const ownPrecision = hasNoDigits ? 0 : precision;
    const setToLeft = width < 0 ? "-" : "";
    width = Math.abs(width);
    if (width > this.#around.maxBytes || (precision ?? 0) > MAX_PRECISION) throw new LimitReached("held", this.#around.maxBytes, "bytes");
    const shape = shapeOf(flags + setToLeft, width, precision);
    const at = start + prefix.length;
    const conversion = format.charAt(at);
    if (conversion === "") {
      this.#stop(`\`${format.slice(start)}': missing format character`);
      return at;
    }
    if (conversion === "(") return this.#time(start, at, shape);
    switch (conversion) {
      case "c": {
        const value = this.#take();
        this.#out += padded(value === undefined || value === "" ? "\0" : value.charAt(0), shape);
        break;
      }
      case "s":
        this.#out += padded((this.#take() ?? "").slice(0, precision), shape);
        break;
      case "n":
        this.#assign(this.#take() ?? "");
        break;
      case "b": {
        const { text, ended } = expandOperand(this.#take() ?? "", this.#around.complain);
        this.#out += padded(text.slice(0, ownPrecision), shape);
        // bash returns then and there, with what it had to say of numbers forgotten.
        if (ended) {
          this.#ended = true;
          this.failed = false;
        }
        break;
      }
      case "q":
        this.#out += padded(quoteForShell(this.#take() ?? "").slice(0, ownPrecision), shape);
        break;
      case "Q": {
        // A precision that is an argument is read, and bash then cuts nothing.
        const cut = (this.#take() ?? "").slice(0, precisionText === "*" ? undefined : precision);
        // Of no characters bash makes '', and nothing where the dot has no digits.
        this.#out += padded(hasNoDigits ? "" : quoteForShell(cut), shape);
        break;
      }
      case "d":
      case "i":
        this.#out += formatInteger(this.#takeInteger(true), "d", shape);
        break;
      case "o":
      case "u":
      case "x":
      case "X":
        this.#out += formatInteger(BigInt.asUintN(64, this.#takeInteger(false)), conversion, shape);
        break;
      case "a":
      case "A":
      case "e":
      case "E":
      case "f":
      case "F":
      case "g":
      case "G":
        this.#out += formatFloat(this.#takeFloat(), conversion satisfies FloatConversion, shape);
        break;
      default:
        this.#stop(`\`${conversion}': invalid format character`);
    }
    return at + 1;
  }

  /** `%(FORMAT)T`. */
  #time(start: number, open: number, shape: Shape): number {
    const format = this.#format;
    let depth = 1;
    let close = open + 1;
    for (; close < format.length; close++) {
      if (format.charAt(close) === "(") depth++;
      else if (format.charAt(close) === ")" && --depth === 0) break;
    }
    if (format.charAt(close + 1) !== "T") {
      this.#around.complain(`warning: \`${format.charAt(close + 1) || "\0"}': invalid time format specification`);
      this.#out += format.charAt(start);
      return start + 1;
    }
    const given = this.#next < this.#values.length ? this.#takeInteger(true) : -1n;
    // -2 is when the shell started: for us, when the line did.
    const seconds = given === -1n || given === -2n ? BigInt(Math.floor(this.#around.nowMs / 1000)) : given;
    const time = localTimes(this.#around.timeZone)(seconds * 1_000_000_000n);
    const text = formatTime(time, (format.slice(open + 1, close) || "%X").replace(GNU_ONLY, "%$&"));
    this.#out += padded(text.length < TIME_BYTES ? text.slice(0, shape.precision) : "", shape);
    return close + 2;
  }

  #stop(message: string): void {
    this.#around.complain(message);
    this.failed = true;
    this.#ended = true;
  }

  /** `%n` sets a variable, and there are none: only a bad name is noticed. */
  #assign(name: string): void {
    if (name !== "" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) this.#stop(`\`${name}': not a valid identifier`);
  }

  #take(): string | undefined {
    return this.#values[this.#next++];
  }

  #takeInt(): number {
    const value = this.#takeInteger(true);
    if (value <= INT_MAX && value >= -INT_MAX) return Number(value);
    this.#warnRange(this.#values[this.#next - 1] ?? "");
    return Number(value > 0n ? INT_MAX : -INT_MAX);
  }

  #takeInteger(signed: boolean): bigint {
    const text = this.#take();
    if (text === undefined) return 0n;
    const code = characterCode(text);
    if (code !== undefined) return BigInt(code);
    const { value, rest } = strtol(text, 0) ?? { value: 0n, rest: text };
    const min = signed ? -(1n << 63n) : -((1n << 64n) - 1n);
    const max = signed ? (1n << 63n) - 1n : (1n << 64n) - 1n;
    if (rest !== "") this.#invalidNumber(text);
    else if (value < min || value > max) this.#warnRange(text);
    return value > max ? max : value < min ? (signed ? min : max) : value;
  }

  #takeFloat(): LongDouble {
    const text = this.#take();
    if (text === undefined) return fromInteger(0n);
    const code = characterCode(text);
    if (code !== undefined) return fromInteger(BigInt(code));
    const { value, rest, outOfRange } = parseLongDouble(text);
    if (rest !== "") this.#invalidNumber(text);
    else if (outOfRange) this.#warnRange(text);
    return value;
  }

  #invalidNumber(text: string): void {
    const kind = /^0\d/.test(text) ? "octal " : /^0x/.test(text) ? "hex " : "";
    this.#around.complain(`${text}: invalid ${kind}number`);
    this.failed = true;
  }

  #warnRange(text: string): void {
    this.#around.complain(`warning: ${text}: Numerical result out of range`);
  }
}

/** `'c` and `"c`: the character's code point, or its byte where it is none. */
function characterCode(text: string): number | undefined {
  if (!/^['"]/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(1, 5), "latin1");
  const first = bytes[0];
  if (first === undefined) return 0;
  if (first < 0x80) return first;
  const character = [...bytes.toString("utf8")][0] ?? "";
  return character === "\uFFFD" && !(first === 0xef && bytes[1] === 0xbf && bytes[2] === 0xbd)
    ? first
    : (character.codePointAt(0) as number);
}

function nextSpecial(format: string, from: number): number {
  for (let at = from; at < format.length; at++) if (format.charAt(at) === "%" || format.charAt(at) === "\\") return at;
  return format.length;
}

/** Flags, width, precision and the length modifiers, which mean nothing here: every number has all its bits. */
const SPECIFICATION = /^%([#'+ 0-]*)(\*|\d*)(\.(\*|-?\d*))?[hjlLtz]*/;
/** Conversions of GNU date that the C library, which bash asks, prints as they stand. */
const GNU_ONLY = /%[-_0+^#]*\d*[EO]?(?:[Nq]|:+z)/g;
/** Size of bash's buffer for a time: what does not fit is printed as nothing. */
const TIME_BYTES = 128;
const INT_MAX = (1n << 31n) - 1n;
const MAX_PRECISION = 1 << 20;
/** In bytes. */
const PIECE = 64 * 1024;
