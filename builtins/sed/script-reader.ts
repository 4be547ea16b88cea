/**
 * The text of a script as a cursor over bytes (a string with one unit per byte), which knows how to say where it is:
 * "-e expression #1, char 5" or "file NAME line 2".
 */

import { toText } from "../../src/io/text.ts";
/** One -e, one -f, or the first operand. */
export interface ScriptChunk {
  readonly text: string;
  /** The file's name for -f; for -e its number, counted from 1. */
  readonly origin: string | number;
  /** Dialect set by the flags in front of the chunk, which change how it is read. */
  readonly dialect: ScriptDialect;
}

export interface ScriptDialect {
  /** Line end of a pattern with M: newline or NUL. */
  readonly separator: number;
  /** Regular expressions are extended. */
  readonly extended: boolean;
  /** True if GNU sed's additions to POSIX are unknown. */
  readonly posix: boolean;
  /** e, r and w are errors. */
  readonly sandbox: boolean;
}

/** A script that cannot be used: sed's own words, with the place. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly exit: number;

  constructor(message: string, exit = 1) {
    super(message);
    this.exit = exit;
  }
}

/** Place of an error that sed finds while running, in its words: the end of the script. */
export function placeAtEnd(chunks: readonly ScriptChunk[]): string {
  const last = chunks.at(-1);
  if (last === undefined || typeof last.origin === "number") return `-e expression #${last?.origin ?? 1}, char 0`;
  return `file ${last.origin} line ${last.text.split("\n").length}`;
}

export class ScriptReader {
  readonly #chunk: ScriptChunk;
  readonly text: string;
  at = 0;
  /** True if a newline that was read just now counts for the line of an error, because GNU sed has read on past it. */
  isPastLine = false;

  constructor(chunk: ScriptChunk) {
    this.#chunk = chunk;
    this.text = chunk.text;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next byte, or "" at the end. */
  next(): string {
    return this.at < this.text.length ? (this.text[this.at++] as string) : "";
  }

  peek(): string {
    return this.text[this.at] ?? "";
  }

  skipWhile(set: string): void {
    while (!this.atEnd && set.includes(this.peek())) this.at++;
  }

  /** A decimal number, if one stands here; past 64 bits it begins anew. */
  number(): number | undefined {
    const from = this.at;
    while (/^[0-9]$/.test(this.peek())) this.at++;
    const digits = this.text.slice(from, this.at);
    return digits === "" ? undefined : digits.length < 16 ? Number(digits) : Number(BigInt.asUintN(64, BigInt(digits)));
  }

  error(message: string): ScriptError {
    return new ScriptError(`${this.#place(this.at)}: ${message}`);
  }

  /** An error that is told of without a place in the line: for what is only known later. */
  errorAtStart(message: string): ScriptError {
    return new ScriptError(`${this.#place(0)}: ${message}`);
  }

  /** Error at the place at which an unmatched `{` is reported. */
  lineError(at: number, message: string): ScriptError {
    return typeof this.#chunk.origin === "number" ? this.errorAtStart(message) : new ScriptError(`${this.#place(at)}: ${message}`);
  }

  #place(at: number): string {
    const { origin } = this.#chunk;
    if (typeof origin === "number") return `-e expression #${origin}, char ${at}`;
    let line = 1;
    for (
      let index = this.text.indexOf("\n");
      index >= 0 && index < (this.isPastLine ? at : at - 1);
      index = this.text.indexOf("\n", index + 1)
    )
      line++;
    return `file ${origin} line ${line}`;
  }
}

/** A part of a script, which is held a byte a character, as text. */
export const scriptText = (part: string): string => toText(Buffer.from(part, "latin1"));
