/** All that a running program has: variables, the record, input, output, and what special variables decide. */
import { constants } from "node:os";
import { BlockBuilder } from "../../../src/io/output.ts";
import { LimitReached } from "../../../src/io/limit-reached.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { toLong } from "../values/arithmetic.ts";
import { AwkArray, type Holdings } from "../values/array.ts";
import { compareIgnoringCase, hasStrayByte } from "./characters.ts";
import { leadingAnyNumber } from "../values/number-parse.ts";
import { numberText, toText } from "../values/text-conversion.ts";
import { isNewsOf } from "../syntax/escapes.ts";
import { FatalError } from "../syntax/program-error.ts";
import { applyFormat, parseFormat, type Format, type FormatSettings } from "../values/printf.ts";
import { Random } from "../values/random.ts";
import type { Commands } from "./commands.ts";
import type { OutputStreams } from "./output-streams.ts";
import { AwkRecord, type RecordSettings, type Shown } from "./record.ts";
import { byteFinder, CSV_RECORDS, PARAGRAPHS, regexFinder, type RecordFinder } from "./record-finder.ts";
import { RegexCache, type AwkRegex } from "./regex.ts";
import { placeText, type Place } from "../syntax/source.ts";
import { BLANKS, byteSplitter, characterSplitter, CSV, patternSplitter, regexSplitter, widthSplitter, type Splitter } from "./splitter.ts";
import { Subscripts } from "../compile/subscripts.ts";
import {
  Input,
  numericOrNull,
  Regexp,
  toBoolean,
  toNumber,
  UNASSIGNED,
  Unassigned,
  Untyped,
  type Scalar,
  type Value,
} from "../values/values.ts";

export interface RuntimeOptions {
  readonly bytesAreCharacters: boolean;
  readonly csv: boolean;
  readonly sandbox: boolean;
  readonly nonDecimalData: boolean;
  /** Operands of the form NAME=VALUE are assignments. */
  readonly assignsOperands: boolean;
  readonly heldBytes: number;
  readonly nowMs: number;
  readonly timeZone: string;
  /** The name that was typed. */
  readonly name: string;
}

/** Output to standard error, kept in its place among the output to standard output. */
export type Pending = { readonly stdout: Uint8Array } | { readonly stderr: string };

export class Runtime implements RecordSettings, FormatSettings, Holdings {
  readonly options: RuntimeOptions;
  readonly output = new BlockBuilder();
  readonly record: AwkRecord;
  readonly regexes: RegexCache;
  readonly random = new Random();
  readonly subscripts = new Subscripts(this);
  /** Values of global variables, by number. */
  readonly globals: Value[] = [];
  /** Parameters of the function that runs. */
  frame: Value[] = [];
  nr = 0;
  fnr = 0;
  /** NR and FNR as they were assigned, until the next record. */
  shownNr: Shown | undefined;
  shownFnr: Shown | undefined;
  convertFormat = "%.6g";
  outputFormat = "%.6g";
  outputSeparator = " ";
  recordSeparator = "\n";
  subscriptSeparator = "\x1c";
  ignoreCase = false;
  finder: RecordFinder;
  exitCode = 0;
  /** The kind of rule that runs; undefined: one for records. */
  rule: "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | undefined;
  /** Of the functions of the program. */
  functionNames: ReadonlySet<string> = new Set();
  returned: Scalar | AwkArray;
  /** Written to standard error as the program goes, in order with what was printed before. */
  readonly pending: Pending[] = [];
  /** Warnings about escapes that were printed: each is printed once. */
  readonly toldEscapes = new Set<string>();
  /** Undefined where the program has none. */
  commands: Commands | undefined;
  /** Files that are printed to; undefined where the program names none. */
  streams: OutputStreams | undefined;
  /** The line that runs, as far as messages need it. */
  place: Place | undefined;
  /** Depth of nested calls of the program's functions. */
  depth = 0;
  readonly #numbers = new Map<string, number>();
  readonly #formats = new Map<string, Format>();
  readonly #stderr: (text: string) => void;
  #held = 0;
  #saidStray = false;
  #splitBy: "FS" | "FPAT" | "FIELDWIDTHS" = "FS";

  constructor(options: RuntimeOptions, stderr: (text: string) => void) {
    this.options = options;
    this.#stderr = stderr;
    this.finder = options.csv ? CSV_RECORDS : byteFinder(10);
    this.record = new AwkRecord(this, options.csv ? CSV : BLANKS);
    this.regexes = new RegexCache((message) => this.warnOfEscape(message), options.bytesAreCharacters);
  }

  get bytesAreCharacters(): boolean {
    return this.options.bytesAreCharacters;
  }

  /** The number of a global variable. */
  globalNumber(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.globals.push(undefined) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  hasGlobal(name: string): boolean {
    return this.#numbers.has(name);
  }

  get globalNames(): IterableIterator<string> {
    return this.#numbers.keys();
  }

  getGlobal(name: string): Value {
    const number = this.#numbers.get(name);
    if (name === "NR") return this.nr;
    if (name === "FNR") return this.fnr;
    if (name === "NF") return this.record.count;
    return number === undefined ? undefined : this.globals[number];
  }

  /** Sets a variable, with what depends on it. */
  setGlobal(name: string, value: Scalar): void {
    this.globals[this.globalNumber(name)] = value === undefined ? UNASSIGNED : value;
    this.changed(name, value);
  }

  /** Sets ERRNO and PROCINFO["errno"]; undefined: nothing went wrong. */
  setError(error: FileError | string | undefined): void {
    const code = error instanceof FileError ? (constants.errno[error.code as keyof typeof constants.errno] ?? 0) : 0;
    this.setGlobal("ERRNO", error === undefined ? "" : typeof error === "string" ? error : error.message);
    this.globalArray("PROCINFO").set("errno", code);
  }

  /** The array of that name, made where there is none. */
  globalArray(name: string): AwkArray {
    const number = this.globalNumber(name);
    const value = this.globals[number];
    if (value instanceof AwkArray) return value;
    if (value instanceof Untyped && value.array !== undefined) return value.array;
    if (value !== undefined) throw new FatalError(`attempt to use scalar \`${name}' as an array`);
    const array = new AwkArray(name, this);
    this.globals[number] = array;
    return array;
  }

  /** Text from outside. */
  input(text: string): Input {
    return new Input(text, this.options.nonDecimalData);
  }

  /** The number of a value: with --non-decimal-data a text's own may be hexadecimal or octal too. */
  numberOf(value: Value): number {
    return typeof value === "string" && this.options.nonDecimalData ? leadingAnyNumber(value) : toNumber(value);
  }

  /** A variable without a value was used as a scalar. */
  markScalar(name: string, parameter: number | undefined): void {
    if (parameter === undefined) this.globals[this.globalNumber(name)] ??= UNASSIGNED;
    else this.frame[parameter] ??= UNASSIGNED;
  }

  newArray(name: string): AwkArray {
    return new AwkArray(name, this);
  }

  hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.options.heldBytes) throw new LimitReached("held", this.options.heldBytes, "bytes");
  }

  /** Text that was made longer: throws LimitReached where it is too long to be held. */
  checkLength(text: string): string {
    this.checkHeld(text.length);
    return text;
  }

  checkHeld(length: number): void {
    if (length > this.options.heldBytes) throw new LimitReached("held", this.options.heldBytes, "bytes");
  }

  /** gawk says once that there is text which is none. */
  checkCharacters(text: string): void {
    if (this.#saidStray || !hasStrayByte(text)) return;
    this.#saidStray = true;
    this.warn("Invalid multibyte data detected. There may be a mismatch between your data and your locale");
  }

  /** A special variable was assigned. */
  changed(name: string, value: Scalar): void {
    switch (name) {
      case "NF":
        this.record.count = Math.trunc(toNumber(value));
        this.record.shownCount = { value };
        break;
      case "NR":
        this.nr = toLong(toNumber(value));
        this.shownNr = this.nr === toNumber(value) ? { value } : undefined;
        break;
      case "FNR":
        this.fnr = toLong(toNumber(value));
        this.shownFnr = this.fnr === toNumber(value) ? { value } : undefined;
        break;
      case "CONVFMT":
        this.convertFormat = toText(value, this);
        break;
      case "OFMT":
        this.outputFormat = toText(value, this);
        break;
      case "OFS":
        // A record whose fields changed is joined by the separator of before.
        this.record.settle();
        this.outputSeparator = toText(value, this);
        break;
      case "ORS":
        this.recordSeparator = toText(value, this);
        break;
      case "SUBSEP":
        this.subscriptSeparator = toText(value, this);
        break;
      case "IGNORECASE":
        this.ignoreCase = toBoolean(value);
        // What fields look like keeps the case it was assigned in.
        if (this.#splitBy !== "FPAT") this.#setSplitter();
        this.#setFinder();
        break;
      case "FS":
      case "FPAT":
      case "FIELDWIDTHS":
        this.#splitBy = name;
        this.globalArray("PROCINFO").set("FS", this.options.csv ? "CSV" : name);
        this.#setSplitter();
        break;
      case "RS":
        this.#setFinder();
        this.#setSplitter();
        break;
    }
  }

  #setFinder(): void {
    if (this.options.csv) return;
    const value = this.getGlobal("RS");
    const separator = toText(value, this);
    if (separator === "") this.finder = PARAGRAPHS;
    else if (separator.length === 1 && !(value instanceof Regexp)) this.finder = byteFinder(separator.charCodeAt(0));
    else {
      const atStart = this.regexes.fresh(separator, this.ignoreCase);
      this.finder = regexFinder(atStart, this.regexes.fresh(separator, this.ignoreCase, true));
    }
  }

  #setSplitter(): void {
    const splitter = this.#currentSplitter();
    if (!this.options.csv) this.record.splitter = splitter;
  }

  #currentSplitter(): Splitter {
    const text = toText(this.getGlobal(this.#splitBy), this);
    if (this.#splitBy === "FIELDWIDTHS")
      return text === "FS" ? this.fieldSplitter(toText(this.getGlobal("FS"), this), false) : widthSplitter(text, this.bytesAreCharacters);
    if (this.#splitBy === "FPAT") return patternSplitter(this.regexes.fresh(text, this.ignoreCase));
    const value = this.getGlobal("FS");
    if (value instanceof Regexp) return regexSplitter(this.regexes.fresh(value.source, this.ignoreCase));
    return this.fieldSplitter(text, toText(this.getGlobal("RS"), this) === "");
  }

  /** Source of the splitting in force, as PROCINFO["FS"] reports it. */
  get splitBy(): string {
    return this.#splitBy;
  }

  /** The splitter that a value of FS means; in paragraphs a newline stands between fields too, but not beside an expression. */
  fieldSplitter(separator: string, inParagraphs: boolean): Splitter {
    if (separator === " ") return BLANKS;
    if (separator === "") return characterSplitter(this.bytesAreCharacters);
    if (separator.length === 1) return byteSplitter(separator.charCodeAt(0), inParagraphs);
    return regexSplitter(this.regexes.fresh(separator, this.ignoreCase));
  }

  /** The expression that a value means where one is expected. */
  regexOf(value: Scalar): AwkRegex {
    return this.regexes.get(value instanceof Regexp ? value.source : toText(value, this), this.ignoreCase);
  }

  formatted(format: string, values: readonly Scalar[]): string {
    let pieces = this.#formats.get(format);
    if (pieces === undefined) {
      if (this.#formats.size > 500) this.#formats.clear();
      pieces = parseFormat(format);
      this.#formats.set(format, pieces);
    }
    return this.checkLength(applyFormat(pieces, format, values, this));
  }

  textOf(value: Scalar): string {
    return toText(value, this);
  }

  /** As `print` prints it. */
  outputText(value: Scalar): string {
    return typeof value === "number" ? numberText(value, this.outputFormat) : toText(value, this);
  }

  /** Negative, 0 or positive, as the comparison operators see two values; NaN where one is none of it. */
  compare(left: Scalar, right: Scalar): number {
    if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
    const leftNumber = numericOrNull(left);
    const rightNumber = numericOrNull(right);
    if (leftNumber !== null && rightNumber !== null) {
      return compareNumbers(leftNumber, rightNumber);
    }
    return this.compareTexts(this.#comparedText(left), this.#comparedText(right));
  }

  /** Text of a value in a comparison: an infinity or a NaN counts as empty text, as in gawk. */
  #comparedText(value: Scalar): string {
    return typeof value === "number" && !Number.isFinite(value) ? "" : toText(value, this);
  }

  compareTexts(left: string, right: string): number {
    if (this.ignoreCase && left !== right) return compareIgnoringCase(left, right);
    return left === right ? 0 : left < right ? -1 : 1;
  }

  /** The array or scalar that a global or parameter holds; undefined if it is neither. */
  raw(value: Value): Scalar | AwkArray {
    if (value instanceof Unassigned) return undefined;
    return value instanceof Untyped ? value.array : value;
  }

  get prefix(): string {
    return this.place === undefined ? "" : `${placeText(this.place)} `;
  }

  /** "(FILENAME=x FNR=3) ", once records are read. */
  get where(): string {
    if (this.fnr <= 0 || this.place === undefined) return "";
    return `(FILENAME=${toText(this.getGlobal("FILENAME"), this)} FNR=${this.fnr}) `;
  }

  warn(message: string): void {
    this.report(`${this.prefix}${this.where}warning: ${message}`);
  }

  /** Warns of an escape, once; `prefix` names the place. */
  warnOfEscape(message: string, prefix = `${this.prefix}${this.where}`): void {
    if (isNewsOf(message, this.toldEscapes)) this.report(`${prefix}warning: ${message}`);
  }

  /** A line on standard error, after what was printed before. */
  report(line: string): void {
    if (!this.output.empty) this.pending.push({ stdout: Buffer.from(this.output.take()) });
    this.pending.push({ stderr: `${this.options.name}: ${line}\n` });
  }

  /** Writes the program's own output to standard error. */
  writeError(text: string): void {
    if (this.pending.length === 0) this.#stderr(text);
    else this.pending.push({ stderr: text });
  }
}

const compareNumbers = (left: number, right: number): number => (left === right ? 0 : left < right ? -1 : left > right ? 1 : NaN);
