/**
 * A Perl-compatible pattern over a text of many lines, as PCRE2 runs it in UTF mode with PCRE2_MULTILINE and
 * PCRE2_MATCH_INVALID_UTF: the places of its matches, and of their groups. V8's RegExp finds the matches, the backtracking machine
 * their groups (in JavaScript a repetition forgets them), and whatever V8 does not have.
 */
import { isAscii } from "node:buffer";
import { toText } from "../io/text.ts";
import { PERL_WORD, type PerlClasses } from "./perl-class.ts";
import { PerlMachine } from "./perl-machine.ts";
import { HALF_CHARACTER, parsePerl } from "./perl-parser.ts";
import { perlProgram } from "./perl-program.ts";
import { perlSource } from "./perl-source.ts";
import { ANYTHING, groupsOf, widened, type PerlTree } from "./perl-tree.ts";
import { transform } from "./regex-tree.ts";
import { requiredText, type RequiredText } from "./required-text.ts";
import { FIRST_STRAY_BYTE, type SymbolSet } from "./symbol-set.ts";
import { symbolsIn, textPlaces, UnitPlaces, type Symbols } from "./unit-places.ts";

export interface TextPatternOptions {
  readonly foldCase: boolean;
  /** `.` matches a newline too. */
  readonly dotAll: boolean;
  readonly classes: PerlClasses;
}

/** Bytes `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export class TextPattern {
  readonly names: ReadonlyMap<string, number>;
  /** Text without which there is no match. */
  readonly required: RequiredText | undefined;
  readonly expressions: Expressions | undefined;
  readonly #tree: PerlTree;
  readonly #words: SymbolSet;
  #machine: PerlMachine | undefined;

  /** Throws PatternError. */
  constructor(pattern: string, { foldCase, dotAll, classes }: TextPatternOptions) {
    const { tree, names } = parsePerl(pattern, { foldCase, lineEnd: 10, classes, manyLines: { dotAll } });
    this.names = names;
    this.#tree = tree;
    this.#words = classes.word ?? PERL_WORD;
    const required = requiredText(transform(widened(tree), (node) => (node.kind === "back-reference" ? ANYTHING : node)));
    this.required = required === undefined ? undefined : { ...required, suffices: false };
    this.expressions = expressionsOf(tree, this.#words);
    if (this.expressions === undefined) this.machine();
  }

  /** Throws PatternError where the pattern is too big for it. */
  machine(): PerlMachine {
    this.#machine ??= new PerlMachine(perlProgram(this.#tree, groupsOf(this.#tree)), this.#words);
    return this.#machine;
  }

  /** The matches in `bytes`, which must stay as they are. */
  over(bytes: Buffer): TextMatches {
    return new TextMatches(this, bytes);
  }
}

interface Expressions {
  readonly ascii: RegExp;
  readonly unicode: RegExp;
  /** Matches where `lastIndex` says, or nowhere. */
  readonly sticky: RegExp;
  readonly keepGroups: readonly number[];
}

function expressionsOf(tree: PerlTree, words: SymbolSet): Expressions | undefined {
  const source = perlSource(tree, words);
  if (source === undefined) return undefined;
  const { keepGroups } = source;
  const flags = `${source.foldsReferences ? "i" : ""}${keepGroups.length > 0 ? "d" : ""}`;
  return {
    ascii: new RegExp(source.ascii, `${flags}g`),
    unicode: new RegExp(source.unicode, `${flags}gu`),
    sticky: new RegExp(source.unicode, `${flags}yu`),
    keepGroups,
  };
}

/** A match in units, with the unit at which it began before `\K` moved it. */
interface UnitMatch extends Span {
  readonly from: number;
}

/** A byte that is no character, in text (src/io/text.ts) and as a symbol. */
const STRAY_TEXT = "\udc80";
const STRAY_SYMBOL = FIRST_STRAY_BYTE;
/** A character, between whose bytes a match is looked for. */
const HALVES = [HALF_CHARACTER, HALF_CHARACTER];
const HALVES_TEXT = String.fromCharCode(...HALVES);

/** A part of the text, the way it is searched: units from `begin` to `end`, beside the halves of characters that it cuts. */
interface Window {
  readonly begin: number;
  readonly end: number;
  readonly cutsFirst: boolean;
  readonly cutsLast: boolean;
}

export class TextMatches {
  readonly #pattern: TextPattern;
  readonly #bytes: Buffer;
  readonly #isAscii: boolean;
  #text: string | undefined;
  #textPlaces: UnitPlaces | undefined;
  #symbols: Symbols | undefined;
  /** The search that found the last match, for its groups. */
  #last: { readonly from: number; readonly begin: number; readonly end: number } | undefined;
  /** Byte at which a match stands inside a character. */
  #inside: number | undefined;
  /** Symbols that the machine was not given before its first. */
  #shift = 0;

  constructor(pattern: TextPattern, bytes: Buffer) {
    this.#pattern = pattern;
    this.#bytes = bytes;
    this.#isAscii = isAscii(bytes);
  }

  /** The first match at or after byte `at` of the text that goes from byte `begin` to byte `end`. Throws BacktrackLimit. */
  find(at: number, begin: number, end: number): Span | undefined {
    this.#inside = undefined;
    const places = this.#places;
    const unit = places.atOrAfter(at);
    if (places.byteOf(unit) !== at && this.#matchesInside(at === begin)) {
      this.#inside = at;
      return { start: at, end: at };
    }
    if (places.byteOf(unit) > end) return undefined;
    const window = windowOf(places, begin, end);
    let found = this.#findUnits(unit, window);
    // PCRE2 goes on at the next byte that may begin a character.
    while (found !== undefined && found.from > unit && this.#isInside(places.byteOf(found.from)))
      found = this.#findUnits(found.from + 1, window);
    if (found === undefined) return undefined;
    const byteOf = (place: number): number => (place > window.end ? end : places.byteOf(place));
    this.#last = { from: byteOf(found.from), begin, end };
    return { start: byteOf(found.start), end: byteOf(found.end) };
  }

  #isInside(byte: number): boolean {
    return ((this.#bytes[byte] ?? 0) & 0xc0) === 0x80;
  }

  /** A group of the match that `find` gave last; undefined where it took no part. Call `loadGroups` first. */
  group(index: number): Span | undefined {
    const span = this.#pattern.machine().group(index);
    if (span === undefined) return undefined;
    if (this.#inside !== undefined) return { start: this.#inside, end: this.#inside };
    const { places } = this.#symbolsOf();
    return { start: places.byteOf(span.start + this.#shift), end: places.byteOf(span.end + this.#shift) };
  }

  /** Has the machine find the groups of the match that `find` gave last. */
  loadGroups(): void {
    const machine = this.#pattern.machine();
    if (this.#inside !== undefined || this.#pattern.expressions === undefined || this.#last === undefined) {
      if (this.#inside !== undefined) machine.find(HALVES, 1, undefined, true);
      return;
    }
    const { from, begin, end } = this.#last;
    const { places, symbols } = this.#symbolsOf();
    const { begin: first, end: last } = windowOf(places, begin, end);
    machine.find(symbols, places.atOrAfter(from), { begin: first, end: last }, true);
  }

  get #places(): UnitPlaces {
    if (this.#pattern.expressions === undefined) return this.#symbolsOf().places;
    this.#textPlaces ??= this.#isAscii ? new UnitPlaces(undefined, this.#bytes.length) : textPlaces(this.#bytes);
    return this.#textPlaces;
  }

  #symbolsOf(): Symbols {
    this.#symbols ??= symbolsIn(this.#bytes);
    return this.#symbols;
  }

  #textOf(): string {
    this.#text ??= this.#isAscii ? this.#bytes.toString("latin1") : toText(this.#bytes);
    return this.#text;
  }

  /** Tells whether the pattern matches, and then nothing, between the bytes of a character. */
  #matchesInside(isFirst: boolean): boolean {
    const { expressions } = this.#pattern;
    const at = isFirst ? 0 : 1;
    if (expressions === undefined)
      return this.#pattern.machine().find(isFirst ? [STRAY_SYMBOL] : HALVES, at, undefined, true) !== undefined;
    expressions.sticky.lastIndex = at;
    return expressions.sticky.test(isFirst ? STRAY_TEXT : HALVES_TEXT);
  }

  #findUnits(at: number, window: Window): UnitMatch | undefined {
    const { expressions } = this.#pattern;
    return expressions === undefined ? this.#findByMachine(at, window) : this.#findByExpression(expressions, at, window);
  }

  #findByMachine(at: number, window: Window): UnitMatch | undefined {
    const { symbols } = this.#symbolsOf();
    const { begin, end } = window;
    let found: Span | undefined;
    this.#shift = 0;
    if (!window.cutsFirst && !window.cutsLast) found = this.#pattern.machine().find(symbols, at, { begin, end });
    else {
      const part = symbols.slice(begin - (window.cutsFirst ? 1 : 0), end + (window.cutsLast ? 1 : 0));
      if (window.cutsFirst) part[0] = STRAY_SYMBOL;
      if (window.cutsLast) part[part.length - 1] = STRAY_SYMBOL;
      const shift = begin - (window.cutsFirst ? 1 : 0);
      found = moved(this.#pattern.machine().find(part, at - shift), shift);
      this.#shift = shift;
    }
    return found && { ...found, from: found.start };
  }

  #findByExpression({ ascii, unicode, keepGroups }: Expressions, at: number, window: Window): UnitMatch | undefined {
    const text = this.#textOf();
    const { begin, end, cutsFirst, cutsLast } = window;
    let part = begin === 0 && end === text.length ? text : text.slice(begin, end);
    if (cutsFirst || cutsLast) part = `${cutsFirst ? STRAY_TEXT : ""}${part}${cutsLast ? STRAY_TEXT : ""}`;
    const shift = begin - (cutsFirst ? 1 : 0);
    const expression = this.#isAscii ? ascii : unicode;
    expression.lastIndex = at - shift;
    const found = expression.exec(part);
    if (found === null) return undefined;
    const from = found.index + shift;
    let start = from;
    for (const group of keepGroups) start = Math.max(start, (found.indices?.[group]?.[0] ?? 0) + shift);
    return { from, start, end: from + found[0].length };
  }
}

const moved = (span: Span | undefined, by: number): Span | undefined => span && { start: span.start + by, end: span.end + by };

/** The units that lie between two bytes. */
function windowOf(places: UnitPlaces, begin: number, end: number): Window {
  const first = places.atOrAfter(begin);
  const last = places.atOrAfter(end);
  const cutsLast = places.byteOf(last) !== end;
  return { begin: first, end: cutsLast ? places.before(last) : last, cutsFirst: places.byteOf(first) !== begin, cutsLast };
}
