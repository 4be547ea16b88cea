/**
 * Perl-compatible patterns (-P) over lines. The linear automaton of the pattern (or, where it looks around, of a wider
 * one) says which lines match; V8's RegExp says where, because there the first alternative wins and not the longest. What V8
 * does not have is the backtracking machine's.
 */
import { isAscii } from "node:buffer";
import { sequenceLength, toText } from "../io/text.ts";
import { PatternError } from "./pattern-error.ts";
import { PERL_WORD, type PerlClasses } from "./perl-class.ts";
import { parsePerl } from "./perl-parser.ts";
import { MachineLines } from "./machine-lines.ts";
import { perlSource, type PerlSource } from "./perl-source.ts";
import { isRegular, widened, type PerlTree } from "./perl-tree.ts";
import { hasBackReference } from "./regex-tree.ts";
import { LinearMatcher, withoutBackReferences, type LineMatcher, type LineMatches } from "./posix-matcher.ts";
import type { RequiredText } from "./required-text.ts";
import type { SymbolSet } from "./symbol-set.ts";

export interface PerlOptions {
  readonly foldCase: boolean;
  readonly extent: "any" | "word" | "line";
  readonly lineEnd: number;
  /** Given: `\w` and the like go past ASCII. */
  readonly classes?: PerlClasses;
  /** The pattern was made of what `wideText` gave. */
  readonly bytesAreCharacters?: boolean;
}

/** Compiles one pattern. Throws PatternError. */
export function compilePerl(patterns: readonly string[], options: PerlOptions): LineMatcher {
  const [pattern, ...others] = patterns;
  if (others.length > 0) throw new PatternError("the -P option only supports a single pattern");
  const tree = pattern === undefined ? NEVER : withExtent(parsePerl(pattern, options).tree, options.extent);
  return linesOf(tree, options.lineEnd, options.classes?.word ?? PERL_WORD);
}

/** The lines that `tree` matches. `words`: what a word is made of. Throws PatternError where it is too big. */
export function linesOf(tree: PerlTree, lineEnd: number, words: SymbolSet): LineMatcher {
  const source = perlSource(tree, words);
  return source === undefined ? new MachineLines(tree, lineEnd, words) : new PerlLines(tree, source, lineEnd, words);
}

const NEVER: PerlTree = { kind: "set", set: [] };

class PerlLines implements LineMatcher {
  readonly required: RequiredText | undefined;
  readonly scan: LineMatcher["scan"];
  readonly #linear: LinearMatcher;
  /** True if the automaton alone decides which lines match. */
  readonly #isLinear: boolean;
  readonly #ascii: RegExp;
  readonly #unicode: RegExp;
  readonly #keepGroups: readonly number[];

  constructor(tree: PerlTree, source: PerlSource, lineEnd: number, words: SymbolSet) {
    this.#isLinear = isRegular(tree);
    const wide = widened(tree);
    this.#linear = new LinearMatcher(hasBackReference(wide) ? withoutBackReferences(wide) : wide, lineEnd, () => words);
    const required = this.#linear.required;
    this.required = required === undefined || this.#isLinear ? required : { ...required, suffices: false };
    this.scan = this.#isLinear ? this.#linear.scan : undefined;
    this.#keepGroups = source.keepGroups;
    const flags = `g${source.foldsReferences ? "i" : ""}${source.keepGroups.length > 0 ? "d" : ""}`;
    this.#ascii = new RegExp(source.ascii, flags);
    this.#unicode = new RegExp(source.unicode, `${flags}u`);
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    if (!this.#linear.test(bytes, from, to)) return false;
    if (this.#isLinear) return true;
    const { text, regex } = this.#textOf(bytes, from, to);
    regex.lastIndex = 0;
    return regex.test(text);
  }

  matchesIn(bytes: Buffer, from: number, to: number): LineMatches {
    const { text, regex, ascii } = this.#textOf(bytes, from, to);
    // A place in the text and the byte it stands at: both only move on.
    let index = 0;
    let byte = from;
    const byteAt = (wanted: number): number => {
      if (ascii) return from + wanted;
      if (wanted < index) [index, byte] = [0, from];
      while (index < wanted) {
        const width = sequenceLength(bytes, byte) || 1;
        byte += width;
        index += width === 4 ? 2 : 1;
      }
      return byte;
    };
    const indexAt = (wanted: number): number => {
      if (ascii) return wanted - from;
      if (wanted < byte) [index, byte] = [0, from];
      while (byte < wanted) {
        const width = sequenceLength(bytes, byte) || 1;
        byte += width;
        index += width === 4 ? 2 : 1;
      }
      return index;
    };
    const matches: LineMatches = {
      start: -1,
      end: -1,
      find: (at) => {
        regex.lastIndex = indexAt(at);
        const found = regex.exec(text);
        if (found === null) return false;
        const start = this.#keptFrom(found) ?? found.index;
        const end = found.index + found[0].length;
        matches.start = byteAt(start);
        matches.end = byteAt(end);
        return true;
      },
    };
    return matches;
  }

  /** The start of the match as `\K` moved it; undefined if no `\K` was met. */
  #keptFrom(found: RegExpExecArray): number | undefined {
    let start: number | undefined;
    for (const group of this.#keepGroups) {
      const place = found.indices?.[group]?.[0];
      if (place !== undefined && (start === undefined || place > start)) start = place;
    }
    return start;
  }

  #textOf(bytes: Buffer, from: number, to: number): { text: string; regex: RegExp; ascii: boolean } {
    const line = bytes.subarray(from, to);
    if (isAscii(line)) return { text: bytes.toString("latin1", from, to), regex: this.#ascii, ascii: true };
    return { text: toText(line), regex: this.#unicode, ascii: false };
  }
}

function withExtent(tree: PerlTree, extent: "any" | "word" | "line"): PerlTree {
  if (extent === "any") return tree;
  const [before, after] = extent === "line" ? (["line-start", "line-end"] as const) : (["no-word-before", "no-word-after"] as const);
  return { kind: "sequence", parts: [{ kind: "assertion", what: before }, tree, { kind: "assertion", what: after }] };
}
