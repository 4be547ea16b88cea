/** One input of join: its lines with their fields, and whether they are in order. */
import { compareBytes } from "../../src/io/byte-order.ts";
import type { LineReader } from "../../src/io/line-reader.ts";
import { toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { JoinRequest } from "./request.ts";

/** What ends the stage with exit status 1; the message is GNU join's, without its name. */
export class JoinFailure extends Error {
  override readonly name = "JoinFailure";
}

/** A line with its key. What it stands in stays as it is. */
export interface JoinLine {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Where the field to join on stands; a missing one is empty. */
  readonly keyFrom: number;
  readonly keyTo: number;
}

/** The partner of a line without one. */
export const NO_LINE: JoinLine = { bytes: Buffer.alloc(0), from: 0, to: 0, keyFrom: 0, keyTo: 0 };

export class SortedInput {
  readonly reader: LineReader;
  /** Whether a line out of order was met and told. */
  isDisordered = false;
  /** Set once lines were met that have no partner: only then does a wrong order matter. */
  checksOrder: boolean;
  /** What is to be said about the line read last. */
  warning: string | undefined;
  #previous: JoinLine | undefined;
  #lineNumber = 0;
  readonly #name: string;
  readonly #field: number;
  readonly #request: JoinRequest;

  constructor(reader: LineReader, name: string, number: 1 | 2, request: JoinRequest) {
    this.reader = reader;
    this.#name = name;
    this.#field = request.fields[number - 1] as number;
    this.#request = request;
    this.checksOrder = request.order === "fail";
  }

  /** The next line, where the block at hand has one; otherwise `next` must be asked. Throws JoinFailure. */
  take(): JoinLine | undefined {
    return this.reader.step() ? this.#seen() : undefined;
  }

  async next(): Promise<JoinLine | undefined> {
    try {
      return (await this.reader.fill()) ? this.#seen() : undefined;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new JoinFailure(`read error: ${thrown.message}`);
    }
  }

  /** The next line is compared to none before it: a header is in no order. */
  forget(): void {
    this.#previous = undefined;
  }

  #seen(): JoinLine {
    const { block, start, end } = this.reader;
    const keyFrom = fieldStart(block, start, end, this.#field, this.#request.tab);
    const line = { bytes: block, from: start, to: end, keyFrom, keyTo: fieldEnd(block, keyFrom, end, this.#request.tab) };
    this.#lineNumber++;
    if (this.checksOrder && !this.isDisordered && this.#previous !== undefined && this.#request.order !== "ignore") {
      if (compareKeys(this.#previous, line, this.#request.ignoreCase) > 0) this.#complain(line);
    }
    this.#previous = line;
    return line;
  }

  #complain({ bytes, from, to }: JoinLine): void {
    const text = bytes.subarray(from, to);
    const nul = text.indexOf(0);
    const message = `${this.#name}:${this.#lineNumber}: is not sorted: ${toText(nul < 0 ? text : text.subarray(0, nul))}`;
    if (this.#request.order === "fail") throw new JoinFailure(message);
    this.warning = message;
    this.isDisordered = true;
  }
}

/** Where field number `field` (from 0) of the line begins; past its end where it has none. */
function fieldStart(bytes: Buffer, from: number, to: number, field: number, tab: number | undefined): number {
  let start = tab === undefined ? afterBlanks(bytes, from, to) : from;
  for (let left = field; left > 0 && start < to; left--) start = nextField(bytes, fieldEnd(bytes, start, to, tab), to, tab);
  return start;
}

/** Where the field that begins at `start` ends. */
export function fieldEnd(bytes: Buffer, start: number, to: number, tab: number | undefined): number {
  let end = start;
  if (tab === undefined) while (end < to && !isBlank(bytes[end] as number)) end++;
  else if (tab === NO_TAB) end = Math.max(start, to);
  else while (end < to && bytes[end] !== tab) end++;
  return end;
}

/** Where the field begins that follows one which ends at `end`; past `to` where none does. */
export function nextField(bytes: Buffer, end: number, to: number, tab: number | undefined): number {
  if (end >= to) return to + 1;
  return tab === undefined ? afterBlanks(bytes, end + 1, to) : end + 1;
}

/** Where the first field begins; past `to` where there is none. After the last one blanks make another, which is empty. */
export function firstField(bytes: Buffer, from: number, to: number, tab: number | undefined): number {
  if (from === to) return to + 1;
  if (tab !== undefined) return from;
  const start = afterBlanks(bytes, from, to);
  return start === to ? to + 1 : start;
}

function afterBlanks(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(bytes[at] as number)) at++;
  return at;
}

/** A newline, which stands in no line unless they end in NUL: the line is one field. */
export const NO_TAB = 0x0a;

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a;

/** Below 0, 0 or above 0, as the keys are in order. */
export function compareKeys(one: JoinLine, other: JoinLine, ignoreCase: boolean): number {
  if (!ignoreCase) return compareBytes(one.bytes, one.keyFrom, one.keyTo, other.bytes, other.keyFrom, other.keyTo);
  const shared = Math.min(one.keyTo - one.keyFrom, other.keyTo - other.keyFrom);
  for (let at = 0; at < shared; at++) {
    const difference = upper(one.bytes[one.keyFrom + at] as number) - upper(other.bytes[other.keyFrom + at] as number);
    if (difference !== 0) return difference;
  }
  return one.keyTo - one.keyFrom - (other.keyTo - other.keyFrom);
}

const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);
