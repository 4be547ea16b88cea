/** One input of join: its lines with their fields, and whether they are in order. */
import type { LineReader } from "../../src/io/line-reader.ts";
import { toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { JoinRequest } from "./request.ts";

/** What ends the stage with exit status 1; the message is GNU join's, without its name. */
export class JoinFailure extends Error {
  override readonly name = "JoinFailure";
}

export interface JoinLine {
  readonly bytes: Buffer;
  /** Start and end of each field. */
  readonly fields: readonly number[];
}

/** The partner of a line without one. */
export const NO_LINE: JoinLine = { bytes: Buffer.alloc(0), fields: [] };

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
    const bytes = this.reader.take();
    return bytes === undefined ? undefined : this.#seen(bytes);
  }

  async next(): Promise<JoinLine | undefined> {
    let bytes: Buffer | undefined;
    try {
      bytes = await this.reader.next();
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      throw new JoinFailure(`read error: ${thrown.message}`);
    }
    return bytes === undefined ? undefined : this.#seen(bytes);
  }

  /** The next line is compared to none before it: a header is in no order. */
  forget(): void {
    this.#previous = undefined;
  }

  #seen(bytes: Buffer): JoinLine {
    const line = { bytes, fields: fieldsOf(bytes, this.#request.tab) };
    this.#lineNumber++;
    if (this.checksOrder && !this.isDisordered && this.#previous !== undefined && this.#request.order !== "ignore") {
      if (compareFields(this.#previous, this.#field, line, this.#field, this.#request.ignoreCase) > 0) this.#complain(line);
    }
    this.#previous = line;
    return line;
  }

  #complain({ bytes }: JoinLine): void {
    const nul = bytes.indexOf(0);
    const message = `${this.#name}:${this.#lineNumber}: is not sorted: ${toText(nul < 0 ? bytes : bytes.subarray(0, nul))}`;
    if (this.#request.order === "fail") throw new JoinFailure(message);
    this.warning = message;
    this.isDisordered = true;
  }
}

function fieldsOf(line: Buffer, tab: number | undefined): readonly number[] {
  const fields: number[] = [];
  if (line.length === 0) return fields;
  let start = 0;
  if (tab === undefined) {
    while (isSeparator(line[start])) if (++start === line.length) return fields;
    do {
      let end = start + 1;
      while (end < line.length && !isSeparator(line[end])) end++;
      fields.push(start, end);
      if (end === line.length) return fields;
      start = end + 1;
      while (start < line.length && isSeparator(line[start])) start++;
    } while (start < line.length);
  } else if (tab !== 0x0a) {
    for (let end = line.indexOf(tab); end >= 0; end = line.indexOf(tab, start)) {
      fields.push(start, end);
      start = end + 1;
    }
  }
  fields.push(start, line.length);
  return fields;
}

const isSeparator = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a;

/** Below 0, 0 or above 0, as the fields are in order; a missing field is an empty one. */
export function compareFields(one: JoinLine, oneField: number, other: JoinLine, otherField: number, ignoreCase: boolean): number {
  const [oneStart, oneEnd] = [one.fields[2 * oneField] ?? 0, one.fields[2 * oneField + 1] ?? 0];
  const [otherStart, otherEnd] = [other.fields[2 * otherField] ?? 0, other.fields[2 * otherField + 1] ?? 0];
  if (!ignoreCase) return one.bytes.compare(other.bytes, otherStart, otherEnd, oneStart, oneEnd);
  const shared = Math.min(oneEnd - oneStart, otherEnd - otherStart);
  for (let at = 0; at < shared; at++) {
    const difference = upper(one.bytes[oneStart + at] as number) - upper(other.bytes[otherStart + at] as number);
    if (difference !== 0) return difference;
  }
  return oneEnd - oneStart - (otherEnd - otherStart);
}

const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);
