/**
 * Extended shell patterns (`?(a|b) *(a) +(a) @(a) !(a)`, bash manual §3.5.8.1). A pattern is not tried one way after another: for
 * each part all the places are kept at which it may end, so that the time is a power of the text's length and never exponential;
 * the steps are counted besides.
 */
import { LimitReached } from "../io/limit-reached.ts";
import { folder, type GlobOptions, readPattern, type Token } from "./glob-pattern.ts";

/** Groups within one another. */
const MOST_NESTING = 100;

/** Steps that one match may take. */
const MOST_STEPS = 20_000_000;

type Node = Token | Group;

interface Group {
  readonly kind: "group";
  /** Code of the character before the parenthesis. */
  readonly operator: number;
  readonly alternatives: readonly (readonly Node[])[];
}

/** Places, as indices into the text. */
type Places = ReadonlySet<number>;

const QUESTION = 63,
  STAR = 42,
  PLUS = 43,
  BANG = 33,
  OPEN = 40,
  CLOSE = 41,
  BAR = 124,
  BACKSLASH = 92,
  BRACKET = 91,
  BRACKET_END = 93,
  PERIOD = 46;
const OPERATORS: ReadonlySet<number> = new Set([QUESTION, STAR, PLUS, BANG, 64]);

/** Tells whether the pattern may hold an extended part, so that this file is needed. */
export const mayBeExtended = (pattern: string): boolean => /[?*+@!]\(/.test(pattern);

/** A compiled pattern; undefined for one that ends in a lone backslash, which matches nothing. */
export class ExtendedGlob {
  readonly #nodes: readonly Node[];
  readonly #options: GlobOptions;

  constructor(nodes: readonly Node[], options: GlobOptions) {
    this.#nodes = nodes;
    this.#options = options;
  }

  static compile(pattern: readonly number[], options: GlobOptions): ExtendedGlob | undefined {
    const nodes = readNodes(pattern, options);
    return nodes && new ExtendedGlob(nodes, options);
  }

  /** Begins to match `text`. Throws LimitReached "held". */
  over(text: readonly number[]): { readonly endsFrom: (start: number) => Places } {
    const match = new Match(text, this.#options);
    return { endsFrom: (start) => match.sequence(this.#nodes, new Set([start])) };
  }
}

function readNodes(pattern: readonly number[], options: GlobOptions, depth = 0): readonly Node[] | undefined {
  if (depth > MOST_NESTING) throw new LimitReached("held", MOST_NESTING, "groups of a pattern within one another");
  const nodes: Node[] = [];
  let plainFrom = 0;
  const flush = (to: number): boolean => {
    const tokens = readPattern(pattern.slice(plainFrom, to), options);
    if (tokens === undefined) return false;
    nodes.push(...tokens);
    return true;
  };
  const unclosed = { from: pattern.length };
  for (let at = 0; at < pattern.length; ) {
    const parts =
      OPERATORS.has(pattern[at] as number) && pattern[at + 1] === OPEN && at < unclosed.from ? groupAt(pattern, at + 2) : undefined;
    if (parts === undefined) {
      if (pattern[at + 1] === OPEN && OPERATORS.has(pattern[at] as number)) unclosed.from = Math.min(unclosed.from, at);
      at = nextPlace(pattern, at);
      continue;
    }
    if (!flush(at)) return undefined;
    const alternatives: (readonly Node[])[] = [];
    for (const { start, end } of parts.alternatives) {
      const inner = readNodes(pattern.slice(start, end), options, depth + 1);
      if (inner === undefined) return undefined;
      alternatives.push(inner);
    }
    nodes.push({ kind: "group", operator: pattern[at] as number, alternatives });
    at = parts.end;
    plainFrom = at;
  }
  return flush(pattern.length) ? nodes : undefined;
}

/** The alternatives of the group whose parenthesis ends before `from`; undefined where it is not closed. */
function groupAt(
  pattern: readonly number[],
  from: number,
): { readonly alternatives: readonly { start: number; end: number }[]; readonly end: number } | undefined {
  const alternatives: { start: number; end: number }[] = [];
  let start = from;
  let depth = 0;
  for (let at = from; at < pattern.length; ) {
    const code = pattern[at];
    if (code === OPEN) depth++;
    else if (code === BAR && depth === 0) {
      alternatives.push({ start, end: at });
      start = at + 1;
    } else if (code === CLOSE && depth-- === 0) {
      return { alternatives: [...alternatives, { start, end: at }], end: at + 1 };
    }
    at = nextPlace(pattern, at);
  }
  return undefined;
}

/** The place behind the character, the escaped character or the bracket expression at `at`. */
function nextPlace(pattern: readonly number[], at: number): number {
  if (pattern[at] === BACKSLASH) return at + 2;
  if (pattern[at] !== BRACKET) return at + 1;
  let close = at + 1;
  if (pattern[close] === BANG || pattern[close] === 94) close++;
  for (let first = true; close < pattern.length; first = false) {
    if (pattern[close] === BRACKET_END && !first) return close + 1;
    close += pattern[close] === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

class Match {
  readonly #text: readonly number[];
  readonly #period: boolean;
  readonly #fold: (code: number) => number;
  /** Places at which a group may end that begins at a place. */
  readonly #known = new Map<Group, Map<number, Places>>();
  #steps = 0;

  constructor(text: readonly number[], options: GlobOptions) {
    this.#text = text;
    this.#period = options.period === true;
    this.#fold = folder(options);
  }

  sequence(nodes: readonly Node[], starts: Places): Places {
    let places = starts;
    for (const node of nodes) {
      if (places.size === 0) return places;
      places = node.kind === "group" ? this.#group(node, places) : this.#token(node, places);
    }
    return places;
  }

  #token(token: Token, starts: Places): Places {
    const ends = new Set<number>();
    if (token.kind === "star") {
      let least = Infinity;
      for (const start of starts) {
        this.#step(1);
        if (this.#isGuarded(start)) ends.add(start);
        else least = Math.min(least, start);
      }
      for (let at = least; at <= this.#text.length; at++) ends.add(at);
      this.#step(ends.size);
      return ends;
    }
    for (const start of starts) {
      this.#step(1);
      const code = this.#text[start];
      if (code === undefined) continue;
      const accepted =
        token.kind === "character" ? token.code === this.#fold(code) : !this.#isGuarded(start) && (token.kind === "any" || token.has(code));
      if (accepted) ends.add(start + 1);
    }
    return ends;
  }

  #group(group: Group, starts: Places): Places {
    const ends = new Set<number>();
    for (const start of starts) for (const end of this.#groupFrom(group, start)) ends.add(end);
    this.#step(starts.size + ends.size);
    return ends;
  }

  #groupFrom(group: Group, start: number): Places {
    let known = this.#known.get(group);
    if (known === undefined) this.#known.set(group, (known = new Map<number, Places>()));
    let ends = known.get(start);
    if (ends === undefined) known.set(start, (ends = this.#newGroupFrom(group, start)));
    this.#step(ends.size);
    return ends;
  }

  #newGroupFrom(group: Group, start: number): Places {
    const { operator } = group;
    const once = this.#anyOf(group, start);
    if (operator === BANG) {
      const others = new Set<number>();
      const last = this.#isGuarded(start) ? start : this.#text.length;
      for (let end = start; end <= last; end++) if (!once.has(end)) others.add(end);
      this.#step(last - start);
      return others;
    }
    if (operator === QUESTION) return new Set([start, ...once]);
    if (operator !== STAR && operator !== PLUS) return once;
    const ends = new Set(once);
    // Places that are added while it runs are visited too.
    for (const end of ends) if (end > start) for (const next of this.#anyOf(group, end)) ends.add(next);
    if (operator === STAR) ends.add(start);
    return ends;
  }

  #anyOf({ alternatives }: Group, start: number): Set<number> {
    const ends = new Set<number>();
    for (const alternative of alternatives) for (const end of this.sequence(alternative, new Set([start]))) ends.add(end);
    this.#step(ends.size + 1);
    return ends;
  }

  #isGuarded(at: number): boolean {
    return this.#period && at === 0 && this.#text[0] === PERIOD;
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > MOST_STEPS) throw new LimitReached("held", MOST_STEPS, "steps in matching a pattern");
  }
}
