/**
 * A compiled POSIX pattern: tells whether a line matches, and finds its matches, leftmost and then longest (XBD 9.1). Time
 * is linear in the line for every pattern without a back-reference.
 */
import { buildAutomaton, OTHER_SIDE, type Automaton } from "./automaton.ts";
import { wordCharacters, wordSides } from "./character-class.ts";
import { LazyDfa } from "./lazy-dfa.ts";
import { fixedTree, parsePosix } from "./posix-parser.ts";
import { assertion, canBeEmpty, choice, hasBackReference, sequence, transform, type Assertion, type RegexTree } from "./regex-tree.ts";
import type { SymbolSet } from "./symbol-set.ts";
import { requiredText, type RequiredText } from "./required-text.ts";
import { reversed } from "./reversed.ts";
import { sideBefore, SubmatchMachine, type SubmatchOptions } from "./submatch.ts";

export interface PosixOptions {
  readonly syntax: "basic" | "extended" | "fixed";
  readonly foldCase?: boolean;
  /** A match must be the whole line (-x), or stand between non-word characters (-w). */
  readonly extent?: "any" | "word" | "line";
  /** The byte that ends a line: newline (default) or 0. */
  readonly lineEnd?: number;
  readonly warn?: (message: string) => void;
  /** As PosixDialect.emptyRanges. */
  readonly emptyRanges?: boolean;
}

/** A compiled pattern as line search uses it. Lines are given without their line end. */
export interface LineMatcher {
  /** Tells whether the line matches. */
  test(bytes: Buffer, from: number, to: number): boolean;
  /** The matches of one line; valid until the next call, and while the bytes stay. */
  matchesIn(bytes: Buffer, from: number, to: number): LineMatches;
  /** LazyDfa.scan over whole lines; undefined if lines must be tested one by one. */
  readonly scan: ((bytes: Buffer, from: number, to: number) => number) | undefined;
  /** Text that each matching line must contain. */
  readonly required: RequiredText | undefined;
}

/** A cursor over the matches of one line. */
export interface LineMatches {
  start: number;
  end: number;
  /** Moves to the first match that begins at or after `at`; false if no match does. */
  find(at: number): boolean;
}

/** Compiles alternatives, any of which may match. Throws PatternError. */
export function compilePosix(patterns: readonly string[], options: PosixOptions): LineMatcher {
  const { syntax, foldCase = false, extent = "any", lineEnd = 10, emptyRanges = false } = options;
  const trees: RegexTree[] = [];
  let groups = 0;
  for (const pattern of patterns) {
    if (syntax === "fixed") {
      trees.push(fixedTree(pattern, { foldCase }));
      continue;
    }
    const parsed = parsePosix(pattern, { syntax, foldCase, lineEnd, emptyRanges, ...(options.warn && { warn: options.warn }) });
    trees.push(renumbered(parsed.tree, groups));
    groups += parsed.groupCount;
  }
  const tree = withExtent(joined(trees), extent);
  const words = extent === "word" ? wordCharacters : wordSides;
  const linear = new LinearMatcher(hasBackReference(tree) ? withoutBackReferences(tree) : tree, lineEnd, words);
  if (hasBackReference(tree)) return new BackReferenceLines(tree, groups, { foldCase, words }, linear);
  return extent === "word" && trees.some(canBeEmpty) ? new WordLines(linear, new LinearMatcher(joined(trees), lineEnd, words)) : linear;
}

/** Matches by automata alone. */
export class LinearMatcher implements LineMatcher {
  readonly required: RequiredText | undefined;
  readonly scan: (bytes: Buffer, from: number, to: number) => number;
  readonly #tree: RegexTree;
  readonly #lineEnd: number;
  readonly #words: () => SymbolSet;
  readonly #automaton: Automaton;
  readonly #floating: LazyDfa;
  #anchored: LazyDfa | undefined;
  #backwards: LazyDfa | undefined;
  #marks = new Uint8Array(256);

  constructor(tree: RegexTree, lineEnd: number, words: () => SymbolSet = wordSides) {
    this.#tree = tree;
    this.#lineEnd = lineEnd;
    this.#words = words;
    this.required = requiredText(tree);
    this.#automaton = buildAutomaton(tree, lineEnd, this.#words);
    const floating = new LazyDfa(this.#automaton, { floating: true });
    this.#floating = floating;
    this.scan = (bytes, from, to) => floating.scan(bytes, from, to, lineEnd);
  }

  /** Tells whether all its automata are built and have at most `most` states: then a byte takes one step, whatever the input. */
  complete(most: number): boolean {
    this.#backwards ??= this.#backwardsAutomaton();
    return this.#floating.complete(most) && this.completeAnchored(most) && this.#backwards.complete(most);
  }

  /** Tells the same of the one automaton that `longest` needs. */
  completeAnchored(most: number): boolean {
    this.#anchored ??= new LazyDfa(this.#automaton, { floating: false });
    return this.#anchored.complete(most);
  }

  /** The place to which the last search for a match's end has read. */
  get readTo(): number {
    return this.#anchored?.readTo ?? 0;
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    return this.#floating.test(bytes, from, to);
  }

  matchesIn(bytes: Buffer, from: number, to: number): LineMatches {
    const marks = this.#markStarts(bytes, from, to);
    const length = to - from + 1;
    const matches: LineMatches = {
      start: -1,
      end: -1,
      find: (at) => {
        const offset = marks.indexOf(1, at - from);
        if (offset < 0 || offset >= length) return false;
        matches.start = from + offset;
        matches.end = this.longest(bytes, from, to, matches.start);
        if (matches.end < matches.start) throw new Error("a match that begins and never ends: the automata disagree");
        return true;
      },
    };
    return matches;
  }

  /** End of the longest match that begins at `at`, or -1. */
  longest(bytes: Buffer, from: number, to: number, at: number): number {
    this.#anchored ??= new LazyDfa(this.#automaton, { floating: false });
    const side = sideBefore(bytes, from, at, this.#words);
    return this.#anchored.longest(bytes, at, to, this.#automaton.asksForWords || at === from ? side : OTHER_SIDE);
  }

  #backwardsAutomaton(): LazyDfa {
    return new LazyDfa(buildAutomaton(reversed(this.#tree), this.#lineEnd, this.#words), { floating: true });
  }

  #markStarts(bytes: Buffer, from: number, to: number): Uint8Array {
    this.#backwards ??= this.#backwardsAutomaton();
    const length = to - from + 1;
    if (this.#marks.length < length) this.#marks = new Uint8Array(length * 2);
    else this.#marks.fill(0, 0, length);
    this.#backwards.markBackwards(bytes, from, to, this.#marks);
    return this.#marks;
  }
}

/**
 * Whole words of a pattern that can be empty. As GNU grep has it, a match that is not a word is tried shorter, but
 * never as an empty one: an empty match counts only where the longest at its place is empty.
 */
class WordLines implements LineMatcher {
  readonly required = undefined;
  readonly scan = undefined;
  readonly #words: LinearMatcher;
  readonly #anything: LinearMatcher;

  constructor(words: LinearMatcher, anything: LinearMatcher) {
    this.#words = words;
    this.#anything = anything;
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    return this.#words.test(bytes, from, to) && this.matchesIn(bytes, from, to).find(from);
  }

  matchesIn(bytes: Buffer, from: number, to: number): LineMatches {
    const words = this.#words.matchesIn(bytes, from, to);
    const matches: LineMatches = {
      start: -1,
      end: -1,
      find: (at) => {
        let found = words.find(at);
        while (found && words.end === words.start && this.#anything.longest(bytes, from, to, words.start) !== words.start) {
          found = words.find(words.start + 1);
        }
        matches.start = words.start;
        matches.end = words.end;
        return found;
      },
    };
    return matches;
  }
}

/** Back-references: the automaton of a wider pattern says which lines may match, the backtracking machine whether they do. */
class BackReferenceLines implements LineMatcher {
  readonly required: RequiredText | undefined;
  readonly scan = undefined;
  readonly #linear: LinearMatcher;
  readonly #exact: SubmatchMachine;
  readonly #extent = new Int32Array(2);

  constructor(tree: RegexTree, groups: number, options: SubmatchOptions, linear: LinearMatcher) {
    this.#linear = linear;
    this.required = linear.required === undefined ? undefined : { ...linear.required, suffices: false };
    this.#exact = new SubmatchMachine(tree, groups, options);
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    return this.#linear.test(bytes, from, to) && this.#find(bytes, from, to, from, true, NO_MATCH);
  }

  matchesIn(bytes: Buffer, from: number, to: number): LineMatches {
    const matches: LineMatches = {
      start: -1,
      end: -1,
      find: (at) => this.#find(bytes, from, to, at, false, matches),
    };
    return matches;
  }

  #find(bytes: Buffer, from: number, to: number, at: number, anyWillDo: boolean, into: { start: number; end: number }): boolean {
    const maybe = this.#linear.matchesIn(bytes, from, to);
    for (let next = at; maybe.find(next); next = maybe.start + 1) {
      if (!this.#exact.match(bytes, from, to, maybe.start, -1, this.#extent, anyWillDo)) continue;
      into.start = maybe.start;
      into.end = this.#extent[1] as number;
      return true;
    }
    return false;
  }
}

const NO_MATCH = { start: -1, end: -1 };

function withExtent(tree: RegexTree, extent: "any" | "word" | "line"): RegexTree {
  if (extent === "any") return tree;
  const [before, after]: [Assertion, Assertion] = extent === "line" ? ["line-start", "line-end"] : ["no-word-before", "no-word-after"];
  return sequence([assertion(before), tree, assertion(after)]);
}

/** The alternatives as one tree. Many of them share their beginnings, as a trie does, to keep the automaton small. */
function joined(trees: readonly RegexTree[]): RegexTree {
  if (trees.length < 16) return choice(trees);
  const byHead = new Map<string, RegexTree[]>();
  const others: RegexTree[] = [];
  for (const tree of trees) {
    const head = tree.kind === "sequence" ? tree.parts[0] : tree;
    if (head?.kind !== "set") {
      others.push(tree);
      continue;
    }
    const key = head.set.join();
    byHead.set(key, [...(byHead.get(key) ?? []), tree]);
  }
  const options = [...byHead.values()].map((group) => {
    if (group.length === 1) return group[0] as RegexTree;
    const first = group[0] as RegexTree;
    const head = first.kind === "sequence" ? (first.parts[0] as RegexTree) : first;
    return sequence([head, joined(group.map((tree) => (tree.kind === "sequence" ? sequence(tree.parts.slice(1)) : sequence([]))))]);
  });
  return choice([...options, ...others]);
}

function renumbered(tree: RegexTree, offset: number): RegexTree {
  if (offset === 0) return tree;
  return transform(tree, (node) =>
    node.kind === "group" || node.kind === "back-reference" ? { ...node, index: node.index + offset } : node,
  );
}

/** A pattern that matches at least what `tree` does: each reference stands for anything its group can match. */
export function withoutBackReferences(tree: RegexTree): RegexTree {
  const bodies = new Map<number, RegexTree>();
  return transform(tree, (node) => {
    if (node.kind === "group")
      bodies.set(
        node.index,
        transform(node.body, (inner) => (inner.kind === "assertion" ? { kind: "empty" } : inner)),
      );
    return node.kind === "back-reference" ? (bodies.get(node.index) ?? { kind: "empty" }) : node;
  });
}
