/**
 * Finds the id of a JSON-RPC request in bytes that are not parsed: a line that is too long to be held, or has too many members.
 * One pass over the bytes as they come; it keeps one name or id of at most 1 KiB.
 */
import { isUtf8 } from "node:buffer";

/** Longest id that is found, in bytes as it is written. */
const MOST_TOKEN_BYTES = 1 << 10;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENS_OBJECT = 0x7b;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/** The id of the request in `line`; null where it has none, or is no request. */
export function requestId(line: Uint8Array): string | number | null {
  const scan = new RequestIdScan();
  scan.push(line);
  return scan.id;
}

/** A scan that goes on with each chunk of the line. */
export class RequestIdScan {
  #place: "before" | "inside" | "string" | "scalar" | "done" = "before";
  /** Objects and arrays that are open. */
  #depth = 0;
  /** True after a colon of the outermost object: what comes is a value, and no name. */
  #isValue = false;
  /** True behind a backslash in a string. */
  #isEscaped = false;
  /** Name of the member that is read; undefined where it is none of those that matter. */
  #name: string | undefined;
  /** True while the string or scalar that is read is kept. */
  #isKept = false;
  readonly #token = Buffer.alloc(MOST_TOKEN_BYTES);
  #tokenBytes = 0;
  #id: string | number | null = null;
  readonly #names = new Set<string>();

  /** The id of the request, as far as it has been read; null for an answer, whose id is one that we gave. */
  get id(): string | number | null {
    const isAnswer = !this.#names.has("method") && (this.#names.has("result") || this.#names.has("error"));
    return isAnswer ? null : this.#id;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#place !== "done") {
      if (this.#place === "string") at = this.#string(bytes, at);
      else if (this.#place === "scalar") at = this.#scalar(bytes, at);
      else this.#structure(bytes[at++] as number);
    }
  }

  /** One byte outside strings and scalars. */
  #structure(byte: number): void {
    if (isBetweenTokens(byte)) return;
    if (this.#place === "before") {
      if (byte === OPENS_OBJECT) this.#open();
      else if (!BYTE_ORDER_MARK.has(byte)) this.#place = "done";
    } else if (byte === QUOTE) this.#begin("string", byte);
    else if (opens(byte)) {
      // An id of many parts is none, also where one stands before it.
      if (this.#depth === 1 && this.#isValue && this.#name === "id") this.#id = null;
      this.#open();
    } else if (closes(byte)) {
      if (--this.#depth === 0) this.#place = "done";
    } else if (this.#depth === 1 && byte === COLON) this.#isValue = true;
    else if (this.#depth === 1 && byte === COMMA) this.#isValue = false;
    else if (this.#depth === 1 && this.#isValue) {
      this.#begin("scalar", byte);
    }
  }

  #open(): void {
    this.#depth++;
    this.#place = "inside";
  }

  #begin(place: "string" | "scalar", first: number): void {
    this.#place = place;
    this.#isKept = this.#depth === 1 && (!this.#isValue || this.#name === "id");
    this.#token[0] = first;
    this.#tokenBytes = 1;
  }

  /** Reads on in a string; returns the place behind what it has read. */
  #string(bytes: Uint8Array, from: number): number {
    let at = from;
    let isEscaped = this.#isEscaped;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) break;
    }
    this.#isEscaped = isEscaped;
    const end = Math.min(at + 1, bytes.length);
    this.#keep(bytes, from, end);
    if (at < bytes.length) this.#end();
    return end;
  }

  #scalar(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && !endsScalar(bytes[at] as number)) at++;
    this.#keep(bytes, from, at);
    if (at < bytes.length) this.#end();
    return at;
  }

  #keep(bytes: Uint8Array, from: number, end: number): void {
    if (!this.#isKept) return;
    if (this.#tokenBytes + end - from <= MOST_TOKEN_BYTES) this.#token.set(bytes.subarray(from, end), this.#tokenBytes);
    this.#tokenBytes += end - from;
  }

  #end(): void {
    this.#place = "inside";
    if (this.#depth !== 1) return;
    if (!this.#isValue) {
      const name = this.#tokenBytes <= MOST_NAME_BYTES ? this.#kept() : undefined;
      this.#name = typeof name === "string" && NAMES.has(name) ? name : undefined;
      if (this.#name !== undefined) this.#names.add(this.#name);
    } else if (this.#name === "id") {
      const value = this.#tokenBytes <= MOST_TOKEN_BYTES ? this.#kept() : undefined;
      this.#id = typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value)) ? value : null;
    }
  }

  /** The value that the kept token writes; undefined where it is no JSON. */
  #kept(): unknown {
    const token = this.#token.subarray(0, this.#tokenBytes);
    if (!isUtf8(token)) return undefined;
    try {
      return JSON.parse(token.toString("utf8"));
    } catch {
      return undefined;
    }
  }
}

/** Members that tell whose id it is. */
const NAMES: ReadonlySet<string> = new Set(["id", "method", "result", "error"]);

/** Longest way to write one of them: each character as six, and the quotes. */
const MOST_NAME_BYTES = 6 * "method".length + 2;

const opens = (byte: number): boolean => byte === OPENS_OBJECT || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isBetweenTokens = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
const endsScalar = (byte: number): boolean => byte === COMMA || closes(byte) || isBetweenTokens(byte);
