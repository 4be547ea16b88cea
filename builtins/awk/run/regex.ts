/** Compiled regular expressions, and the cache of the dynamic ones, which are made while the program runs. */
import { BufferSearch } from "../../../src/search/buffer-search.ts";
import { literalsOf, requiredText } from "../../../src/regex/required-text.ts";
import { PatternError } from "../../../src/regex/pattern-error.ts";
import type { ParsedRegex } from "../../../src/regex/posix-parser.ts";
import type { RegexTree } from "../../../src/regex/regex-tree.ts";
import { byteRunOf, runEnd, runStart, type ByteRun } from "./byte-run.ts";
import { latin1 } from "./latin1.ts";
import { FatalError } from "../syntax/program-error.ts";
import { parseRegex } from "../syntax/regex-syntax.ts";

/** Room for text as bytes. What was put in it stays until something else is. */
export class Scratch {
  bytes: Buffer = Buffer.allocUnsafe(1024);

  /** Puts `text` at the start and says how long it is. */
  put(text: string): number {
    const { length } = text;
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafe(length * 2);
    if (length < 48) for (let at = 0; at < length; at++) this.bytes[at] = text.charCodeAt(at);
    else this.bytes.write(text, 0, "latin1");
    return length;
  }
}

export class AwkRegex {
  readonly groupCount: number;
  /** Start and end of the match that was found last and of its groups. */
  readonly offsets: Int32Array;
  /** The text that the expression is, where it is one of at least one byte. */
  readonly literal: string | undefined;
  /** A text of ASCII that stands in every match, where there is one. */
  readonly #required: string | undefined;
  readonly #search: BufferSearch;
  readonly #run: ByteRun | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #to = 0;
  /** Position at which `testRecord` found the text next, at or after `#cursorFrom`. */
  #cursorAt = -1;
  #cursorFrom = 0;
  #cursorEnd = -1;
  #cursorBytes: Buffer | undefined;
  readonly #scratch: Scratch;

  /** Throws PatternError. */
  constructor(parsed: ParsedRegex, scratch: Scratch, bytesAreCharacters: boolean) {
    this.#search = new BufferSearch(parsed, { syntax: "extended", foldCase: false, bytesAreCharacters });
    this.groupCount = parsed.groupCount;
    this.offsets = this.#search.offsets;
    this.literal = literalOf(parsed.tree);
    this.#required = this.literal === undefined ? requiredLiteral(parsed.tree) : undefined;
    this.#scratch = scratch;
    this.#run = this.literal === undefined ? byteRunOf(parsed.tree) : undefined;
  }

  test(text: string): boolean {
    if (this.literal !== undefined) return text.includes(this.literal);
    if (this.#run !== undefined) {
      const { members } = this.#run;
      let at = 0;
      while (at < text.length && members[text.charCodeAt(at)] === 0) at++;
      return at < text.length;
    }
    this.load(text);
    return this.#search.test();
  }

  testBytes(bytes: Buffer, from: number, to: number): boolean {
    if (this.#run !== undefined) return runStart(this.#run, bytes, from, to) < to;
    this.loadBytes(bytes, from, to);
    return this.#search.test();
  }

  /**
   * As `testBytes`, for one record after the other out of the same bytes, which hold input up to `end`: a text is looked
   * for once in all of them, and not in every record.
   */
  testRecord(bytes: Buffer, from: number, to: number, end: number): boolean {
    if (!this.mayMatchRecord(bytes, from, to, end)) return false;
    return (this.literal !== undefined && end > to) || this.testBytes(bytes, from, to);
  }

  /** False where a text that stands in every match is not in the record; true where there is none, or the record stands alone. */
  mayMatchRecord(bytes: Buffer, from: number, to: number, end: number): boolean {
    const literal = this.literal ?? this.#required;
    if (literal === undefined || end <= to) return true;
    if (bytes !== this.#cursorBytes || end !== this.#cursorEnd || from < this.#cursorFrom) {
      this.#cursorBytes = bytes;
      this.#cursorEnd = end;
      this.#cursorAt = -1;
    }
    this.#cursorFrom = from;
    if (this.#cursorAt < from) {
      const found = bytes.indexOf(literal, from, "latin1");
      this.#cursorAt = found < 0 ? Infinity : found;
    }
    return this.#cursorAt + literal.length <= to;
  }

  /** The text to look in from now on with `find`. */
  load(text: string): void {
    const length = this.#scratch.put(text);
    this.loadBytes(this.#scratch.bytes, 0, length);
  }

  loadBytes(bytes: Buffer, from: number, to: number): void {
    if (this.#run === undefined) this.#search.load(bytes, from, to);
    else {
      this.#bytes = bytes;
      this.#to = to;
    }
  }

  /** The first match at or after `at`. */
  find(at: number, withGroups = false): boolean {
    const run = this.#run;
    if (run !== undefined) {
      const { offsets } = this;
      const start = runStart(run, this.#bytes, at, this.#to);
      if (start >= this.#to) return false;
      offsets[0] = start;
      offsets[1] = runEnd(run, this.#bytes, start, this.#to);
      return true;
    }
    return this.#search.find(at, withGroups);
  }
}

function literalOf(tree: RegexTree): string | undefined {
  const parts = tree.kind === "set" ? [tree] : tree.kind === "sequence" ? tree.parts : [];
  let text = "";
  for (const part of parts) {
    // A character past ASCII must not be found within bytes that are no text.
    if (part.kind !== "set" || part.set.length !== 2 || part.set[0] !== part.set[1] || (part.set[0] as number) >= 0x80) return undefined;
    text += String.fromCharCode(part.set[0] as number);
  }
  return text === "" ? undefined : text;
}

function requiredLiteral(tree: RegexTree): string | undefined {
  const [literal, ...others] = literalsOf(requiredText(tree)?.windows ?? []) ?? [];
  if (literal === undefined || others.length > 0 || literal.some((byte) => byte >= 0x80)) return undefined;
  return latin1(literal);
}

/** Expressions kept at most; the program may make any number. */
const MAX_CACHED = 500;

export class RegexCache {
  readonly #warn: (message: string) => void;
  readonly #bytesAreCharacters: boolean;
  readonly #known = new Map<string, AwkRegex>();

  constructor(warn: (message: string) => void, bytesAreCharacters: boolean) {
    this.#bytesAreCharacters = bytesAreCharacters;
    this.#warn = warn;
  }

  /** Throws FatalError. Each expression has room of its own, so that one may be in use while another is tried. */
  get(source: string, ignoreCase: boolean): AwkRegex {
    const key = ignoreCase ? `i${source}` : `c${source}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const regex = this.fresh(source, ignoreCase);
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(key, regex);
    return regex;
  }

  /** As `get`, for a use that lasts: nobody else looks for anything with it meanwhile. `isKnown`: its escapes were told of. */
  fresh(source: string, ignoreCase: boolean, isInside = false, isKnown = isInside): AwkRegex {
    try {
      const bytesAreCharacters = this.#bytesAreCharacters;
      const warn = isKnown ? () => {} : this.#warn;
      return new AwkRegex(
        parseRegex(source, { foldCase: ignoreCase, bytesAreCharacters, isInside, warn }),
        new Scratch(),
        bytesAreCharacters,
      );
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new FatalError(`invalid regexp: ${thrown.message}: /${source}/`);
    }
  }
}
