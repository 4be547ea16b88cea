/**
 * Matches of one POSIX pattern in a buffer that may hold several lines, with the places of its groups: what sed and
 * awk need beyond the line search. Leftmost, then longest; linear in the buffer without back-references.
 */
import { buildAutomaton, EDGE, OTHER_SIDE, WORD_SIDE } from "../regex/automaton.ts";
import { wordSides } from "../regex/character-class.ts";
import { LazyDfa } from "../regex/lazy-dfa.ts";
import { parsePosix, type ParsedRegex } from "../regex/posix-parser.ts";
import { compilePosix, withoutBackReferences, type LineMatcher } from "../regex/posix-matcher.ts";
import { canBeEmpty, hasBackReference, some, transform, type Assertion, type RegexTree } from "../regex/regex-tree.ts";
import { literalsOf } from "../regex/required-text.ts";
import { reversed } from "../regex/reversed.ts";
import { SubmatchMachine } from "../regex/submatch.ts";
import { ALL_CHARACTERS, FIRST_STRAY_BYTE, holds, minus, oneSymbol, SYMBOL_COUNT, unionOf, type SymbolSet } from "../regex/symbol-set.ts";
import { packedSymbolBefore } from "../regex/utf8-step.ts";
import { WideBytes, wideText } from "../regex/byte-characters.ts";
import { toBytes } from "../io/text.ts";

export interface BufferSearchOptions {
  readonly syntax: "basic" | "extended";
  readonly foldCase: boolean;
  /** `^` and `$` stand at every line in the buffer, not only at its edges; the byte that ends a line. */
  readonly lineSeparator?: number;
  /** Every byte is a character; a pattern that comes parsed was made of what `wideText` gave. */
  readonly bytesAreCharacters?: boolean;
  /** As PosixDialect.emptyRanges. */
  readonly emptyRanges?: boolean;
  /** As PosixDialect.looseRepeats. */
  readonly looseRepeats?: boolean;
}

/** Groups whose places are kept at least, the whole match among them. */
const KEPT_GROUPS = 10;

/** No symbol: in a buffer nothing ends the text but its end. */
const NO_LINE_END = -1;

export class BufferSearch {
  /** Number of groups in the pattern. */
  readonly groupCount: number;
  /**
   * GNU goes on by one byte after an empty match, and finds another one within a character, where its dfa treats the
   * pattern byte by byte: no case folded, no question about words, no set of characters that are not ASCII but `.`.
   */
  readonly isEmptyWithinCharacters: boolean;
  readonly bytesAreCharacters: boolean;
  /** After `find`: start and end of the match and of each group; -1 for a group that took no part or does not exist. */
  readonly offsets: Int32Array;
  readonly #pattern: string | undefined;
  readonly #options: BufferSearchOptions;
  readonly #tree: RegexTree;
  /** The bytes that the pattern stands for, where it stands for nothing else. */
  readonly literal: Buffer | undefined;
  /** The pattern without back-references where it has any: it says where a match may begin. */
  readonly #linearTree: RegexTree;
  readonly #hasReferences: boolean;
  /** Every place is tried: the automata cannot tell lines and words apart at the same time. */
  readonly #everyPlace: boolean;
  readonly #sides: () => SymbolSet;
  #machine: SubmatchMachine | undefined;
  #floating: LazyDfa | undefined;
  #anchored: LazyDfa | undefined;
  #backwards: LazyDfa | undefined;
  #asksForWords = false;
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;
  #marks = new Uint8Array(256);
  #isMarked = false;
  #window: Buffer = this.#bytes;
  readonly #wide: WideBytes | undefined;
  #isWide = false;

  /** `pattern` as text, or parsed where its dialect is another. Throws PatternError. */
  constructor(pattern: string | ParsedRegex, options: BufferSearchOptions) {
    this.#pattern = typeof pattern === "string" ? pattern : undefined;
    this.#options = options;
    const { lineSeparator } = options;
    const parsed = typeof pattern === "string" ? parsedAs(pattern, options) : pattern;
    this.offsets = new Int32Array(2 * Math.max(KEPT_GROUPS, parsed.groupCount + 1));
    this.#tree = parsed.tree;
    this.groupCount = parsed.groupCount;
    this.#hasReferences = hasBackReference(parsed.tree);
    this.#linearTree = this.#hasReferences ? withoutBackReferences(parsed.tree) : parsed.tree;
    this.bytesAreCharacters = options.bytesAreCharacters === true;
    const literal = literalOf(parsed.tree);
    this.literal = this.bytesAreCharacters && literal?.some((byte) => byte >= 0x80) === true ? undefined : literal;
    this.#wide = this.bytesAreCharacters && this.literal === undefined ? new WideBytes() : undefined;
    const besideSeparator = lineSeparator === undefined ? undefined : minus(EVERY_SYMBOL, oneSymbol(lineSeparator));
    this.#sides = besideSeparator === undefined ? wordSides : () => besideSeparator;
    this.isEmptyWithinCharacters =
      !this.bytesAreCharacters && !options.foldCase && !some(parsed.tree, needsCharacters) && isEmptyAnywhere(parsed.tree);
    this.#everyPlace = lineSeparator !== undefined && some(parsed.tree, (node) => node.kind === "assertion" && asksForWords(node.what));
  }

  /**
   * A matcher of the same pattern for whole lines; undefined if the search spans lines, has no pattern as text, or treats
   * bytes as characters.
   */
  lineMatcher(lineEnd: number): LineMatcher | undefined {
    if (this.#options.lineSeparator !== undefined || this.#pattern === undefined || this.#wide !== undefined) return undefined;
    const { syntax, foldCase, emptyRanges = false } = this.#options;
    return compilePosix([this.#pattern], { syntax, foldCase, lineEnd, emptyRanges });
  }

  /** The buffer to search in from now on: `bytes` from `from` to `to`, which stay as they are. */
  load(bytes: Buffer, from: number, to: number): void {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
    this.#isMarked = false;
    this.#isWide = this.#wide?.load(bytes, from, to) === true;
    if (this.#wide !== undefined && this.#isWide) {
      this.#bytes = this.#wide.bytes;
      this.#from = 0;
      this.#to = this.#wide.length;
    }
    if (this.literal !== undefined) this.#window = to === bytes.length ? bytes : bytes.subarray(0, to);
  }

  /** Tells whether there is a match anywhere in the buffer. */
  test(): boolean {
    if (this.literal !== undefined) return this.#window.indexOf(this.literal, this.#from) >= 0;
    if (!this.#everyPlace && !this.#mayMatch()) return false;
    return (!this.#hasReferences && !this.#everyPlace) || this.#find(this.#from, false);
  }

  /** The first match that begins at or after `at`. `withGroups`: fills the places of the groups too. */
  find(at: number, withGroups: boolean): boolean {
    const wide = this.#wide;
    if (wide === undefined || !this.#isWide) return this.#find(at, withGroups);
    if (!this.#find(wide.wide(at), withGroups)) return false;
    const { offsets } = this;
    const last = withGroups ? offsets.length : 2;
    for (let index = 0; index < last; index++) if ((offsets[index] as number) >= 0) offsets[index] = wide.narrow(offsets[index] as number);
    return true;
  }

  #find(at: number, withGroups: boolean): boolean {
    if (this.literal !== undefined) {
      const found = this.#window.indexOf(this.literal, at);
      if (found < 0) return false;
      this.offsets[0] = found;
      this.offsets[1] = found + this.literal.length;
      return true;
    }
    if (this.#everyPlace) return this.#findByMachine(at);
    if (!this.#isMarked && !this.#mark()) return false;
    const length = this.#to - this.#from + 1;
    for (
      let offset = this.#marks.indexOf(1, at - this.#from);
      offset >= 0 && offset < length;
      offset = this.#marks.indexOf(1, offset + 1)
    ) {
      const start = this.#from + offset;
      if (this.#hasReferences) {
        if (this.#submatches().match(this.#bytes, this.#from, this.#to, start, -1, this.offsets)) return true;
        continue;
      }
      const end = this.#longest(start);
      if (withGroups && this.groupCount > 0) {
        if (!this.#submatches().match(this.#bytes, this.#from, this.#to, start, end, this.offsets))
          throw new Error("groups without a match");
      } else {
        this.offsets[0] = start;
        this.offsets[1] = end;
      }
      return true;
    }
    return false;
  }

  #findByMachine(at: number): boolean {
    for (let start = at; start <= this.#to; start++) {
      if (start > this.#from && start < this.#to && ((this.#bytes[start] as number) & 0xc0) === 0x80 && this.#isWithinCharacter(start))
        continue;
      if (this.#submatches().match(this.#bytes, this.#from, this.#to, start, -1, this.offsets)) return true;
    }
    return false;
  }

  #isWithinCharacter(at: number): boolean {
    for (let end = at + 1; end <= Math.min(at + 3, this.#to); end++) {
      if ((packedSymbolBefore(this.#bytes, end, this.#from) & 7) > end - at) return true;
    }
    return false;
  }

  #mayMatch(): boolean {
    this.#floating ??= new LazyDfa(this.#automaton(this.#linearTree), { floating: true });
    return this.#floating.test(this.#bytes, this.#from, this.#to);
  }

  /** Marks every place at which a match begins; false if the buffer has no match. */
  #mark(): boolean {
    if (!this.#mayMatch()) return false;
    this.#backwards ??= new LazyDfa(this.#automaton(reversed(this.#linearTree)), { floating: true });
    const length = this.#to - this.#from + 1;
    if (this.#marks.length < length) this.#marks = new Uint8Array(length * 2);
    else this.#marks.fill(0, 0, length);
    this.#backwards.markBackwards(this.#bytes, this.#from, this.#to, this.#marks);
    this.#isMarked = true;
    return true;
  }

  #longest(at: number): number {
    this.#anchored ??= new LazyDfa(this.#automaton(this.#linearTree), { floating: false });
    let side = EDGE;
    if (at > this.#from) {
      const isWord = this.#asksForWords && holds(this.#sides(), packedSymbolBefore(this.#bytes, at, this.#from) >> 3);
      side = isWord ? WORD_SIDE : OTHER_SIDE;
    }
    return this.#anchored.longest(this.#bytes, at, this.#to, side);
  }

  #automaton(tree: RegexTree): ReturnType<typeof buildAutomaton> {
    const automaton = buildAutomaton(tree, NO_LINE_END, this.#sides);
    this.#asksForWords = automaton.asksForWords;
    return automaton;
  }

  #submatches(): SubmatchMachine {
    const { foldCase, lineSeparator } = this.#options;
    this.#machine ??= new SubmatchMachine(this.#tree, this.groupCount, { foldCase, ...(lineSeparator !== undefined && { lineSeparator }) });
    return this.#machine;
  }
}

function parsedAs(
  text: string,
  { syntax, foldCase, lineSeparator, bytesAreCharacters, emptyRanges = false, looseRepeats = false }: BufferSearchOptions,
): ParsedRegex {
  const pattern = bytesAreCharacters === true ? wideText(toBytes(text).toString("latin1")) : text;
  return parsePosix(pattern, {
    syntax,
    foldCase,
    lineEnd: NO_LINE_END,
    strict: true,
    emptyRanges,
    looseRepeats,
    ...(lineSeparator !== undefined && {
      anchors: { start: "no-word-before", end: "no-word-after" },
      notAny: unionOf([oneSymbol(10), oneSymbol(lineSeparator)]),
    }),
  });
}

const EVERY_SYMBOL: SymbolSet = unionOf([ALL_CHARACTERS, [FIRST_STRAY_BYTE, SYMBOL_COUNT - 1]]);

function asksForWords(what: Assertion): boolean {
  return what === "word-start" || what === "word-end" || what === "word-edge" || what === "not-word-edge";
}

function needsCharacters(node: RegexTree): boolean {
  if (node.kind === "assertion") return asksForWords(node.what);
  if (node.kind !== "set") return false;
  const first = node.set[0] ?? 0;
  const last = node.set.at(-1) ?? 0;
  const isOne = node.set.length === 2 && first === last;
  return last >= 0x80 && !isOne && !isAny(node.set);
}

/** `.`, where it matches the ends of lines too. */
const isAny = (set: SymbolSet): boolean => minus(ALL_CHARACTERS, set).length === 0;

/** Tells whether the tree can match the empty string at any place, without an assertion about its surroundings. */
function isEmptyAnywhere(tree: RegexTree): boolean {
  return canBeEmpty(transform(tree, (node) => (node.kind === "assertion" ? NOTHING : node)));
}

const NOTHING: RegexTree = { kind: "set", set: [] };

/** The bytes of a pattern that matches just one text of characters. */
function literalOf(tree: RegexTree): Buffer | undefined {
  const sets = tree.kind === "set" ? [tree] : tree.kind === "sequence" ? tree.parts : [];
  const window: SymbolSet[] = [];
  for (const part of sets) {
    if (part.kind !== "set" || part.set.length !== 2 || part.set[0] !== part.set[1] || (part.set[0] as number) >= FIRST_STRAY_BYTE)
      return undefined;
    window.push(part.set);
  }
  return window.length === 0 ? undefined : literalsOf([window])?.[0];
}
