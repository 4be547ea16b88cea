/**
 * Globs as Rust's globset reads them (ripgrep, fd, ignore files): `*`, `?`, `**`, `[…]`, `{a,b}`, backslash. They are
 * matched byte by byte, so `?` is one byte of a longer character. Time is at most the glob's length times the path's.
 * https://docs.rs/globset/latest/globset/#syntax
 */
import { parseByteGlob, type GlobToken } from "./byte-glob-parser.ts";

export interface ByteGlobOptions {
  /** `*`, `?` do not match `/` (`**` does). Default true. */
  readonly literalSeparator?: boolean;
  /** ASCII letters match in either case. */
  readonly foldCase?: boolean;
  /** A `[` that is not closed is itself. */
  readonly allowUnclosedClass?: boolean;
}

/** Paths and names here are byte strings: every unit is one byte (see `byteString`). */
export interface ByteGlob {
  matches(path: string): boolean;
  /**
   * Condition on the last component, where that alone decides; undefined otherwise. Lets many globs be asked at once.
   */
  readonly lastComponent: { readonly is: string } | { readonly endsWith: string } | undefined;
}

/** Compiles `pattern` (text). Throws GlobError. */
export function compileByteGlob(pattern: string, options: ByteGlobOptions = {}): ByteGlob {
  const tokens = parseByteGlob(pattern, options.allowUnclosedClass === true);
  return new TokenGlob(tokens, options);
}

/** One glob, by the quickest way that its shape allows. */
class TokenGlob implements ByteGlob {
  readonly matches: (path: string) => boolean;
  readonly lastComponent: ByteGlob["lastComponent"];

  constructor(tokens: readonly GlobToken[], { literalSeparator = true, foldCase = false }: ByteGlobOptions) {
    const automaton = (): ((path: string) => boolean) => automatonMatcher(tokens, literalSeparator, foldCase);
    if (tokens.length === 1 && tokens[0]?.kind === "prefix") {
      this.matches = () => true;
      return;
    }
    if (foldCase) {
      this.matches = automaton();
      return;
    }
    const anywhere = tokens[0]?.kind === "prefix";
    const rest = anywhere ? tokens.slice(1) : tokens;
    const text = textOf(rest);
    if (text !== undefined && !anywhere) {
      this.matches = (path) => path === text;
      return;
    }
    const afterStar = rest[0]?.kind === "star" ? textOf(rest.slice(1)) : undefined;
    if (anywhere && literalSeparator && text !== undefined && text !== "" && !text.includes("/")) {
      this.lastComponent = { is: text };
      this.matches = (path) => path.endsWith(text) && (path.length === text.length || path[path.length - text.length - 1] === "/");
    } else if (anywhere && literalSeparator && afterStar !== undefined && afterStar !== "" && !afterStar.includes("/")) {
      this.lastComponent = { endsWith: afterStar };
      this.matches = (path) => path.endsWith(afterStar);
    } else if (!anywhere && literalSeparator && afterStar !== undefined && !afterStar.includes("/")) {
      this.matches = (path) => path.endsWith(afterStar) && path.lastIndexOf("/", path.length - afterStar.length) < 0;
    } else {
      const [head, tail, inner] = [literalOf(tokens[0]), literalOf(tokens.at(-1)), longestText(tokens)];
      let exact: ((path: string) => boolean) | undefined;
      this.matches = (path) => path.startsWith(head) && path.endsWith(tail) && path.includes(inner) && (exact ??= automaton())(path);
    }
  }
}

function textOf(tokens: readonly GlobToken[]): string | undefined {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "literal") return undefined;
    text += token.text;
  }
  return text;
}

/** The longest text of neighbouring literals: it stands in every path that matches. */
function longestText(tokens: readonly GlobToken[]): string {
  let longest = "";
  let text = "";
  for (const token of tokens) {
    text = token.kind === "literal" ? text + token.text : "";
    if (text.length > longest.length) longest = text;
  }
  return longest;
}

const literalOf = (token: GlobToken | undefined): string => (token?.kind === "literal" ? token.text : "");

/** Nodes of the automaton: a set steps to `next`; a fork goes to both without reading. */
interface Nodes {
  readonly sets: (Uint8Array | undefined)[];
  readonly next: number[];
  readonly other: number[];
}

const ACCEPT = 0;

/** A set of states that is followed byte by byte. */
function automatonMatcher(tokens: readonly GlobToken[], literalSeparator: boolean, foldCase: boolean): (path: string) => boolean {
  const nodes: Nodes = { sets: [undefined], next: [-1], other: [-1] };
  const start = new NodeWriter(nodes, literalSeparator, foldCase).write(tokens, ACCEPT);
  const count = nodes.sets.length;
  const mark = new Int32Array(count).fill(-1);
  const pending: number[] = [];
  let step = 0;
  let current: number[] = [];
  let following: number[] = [];
  const add = (into: number[], from: number): void => {
    pending.push(from);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (mark[node] === step) continue;
      mark[node] = step;
      if (node === ACCEPT || nodes.sets[node] !== undefined) into.push(node);
      else {
        pending.push(nodes.next[node] as number);
        const other = nodes.other[node] as number;
        if (other >= 0) pending.push(other);
      }
    }
  };
  return (path) => {
    if (step > 0x3fffffff - path.length) {
      mark.fill(-1);
      step = 0;
    }
    step++;
    current.length = 0;
    add(current, start);
    for (let at = 0; at < path.length && current.length > 0; at++) {
      const byte = path.charCodeAt(at);
      step++;
      following.length = 0;
      for (const node of current) if (nodes.sets[node]?.[byte] === 1) add(following, nodes.next[node] as number);
      [current, following] = [following, current];
    }
    return current.includes(ACCEPT);
  };
}

class NodeWriter {
  readonly #nodes: Nodes;
  readonly #foldCase: boolean;
  /** Set of the bytes that `*` and `?` match. */
  readonly #wild: Uint8Array;
  readonly #dot = new Uint8Array(256).fill(1);

  constructor(nodes: Nodes, literalSeparator: boolean, foldCase: boolean) {
    this.#nodes = nodes;
    this.#foldCase = foldCase;
    this.#wild = literalSeparator ? allBut(47) : this.#dot;
  }

  /** Builds the states from the end, so that each token knows the state after it. */
  write(tokens: readonly GlobToken[], then: number): number {
    let next = then;
    for (let at = tokens.length - 1; at >= 0; at--) next = this.#token(tokens[at] as GlobToken, next);
    return next;
  }

  #token(token: GlobToken, then: number): number {
    switch (token.kind) {
      case "literal": {
        let next = then;
        for (let at = token.text.length - 1; at >= 0; at--) next = this.#set(this.#one(token.text.charCodeAt(at)), next);
        return next;
      }
      case "any":
        return this.#set(this.#wild, then);
      case "star":
        return this.#loop(this.#wild, then);
      case "prefix": {
        const slash = this.#set(this.#one(47), then);
        return this.#fork(this.#fork(slash, then), this.#loop(this.#dot, slash));
      }
      case "suffix":
        return this.#set(this.#one(47), this.#loop(this.#dot, then));
      case "between": {
        const slash = this.#set(this.#one(47), then);
        return this.#fork(slash, this.#set(this.#one(47), this.#loop(this.#dot, slash)));
      }
      case "set": {
        const has = this.#foldCase ? bothCases(token.has) : token.has;
        return this.#set(token.negated ? has.map((member) => 1 - member) : has, then);
      }
      case "choice": {
        if (token.options.length === 0) return then;
        return token.options.map((option) => this.write(option, then)).reduce((one, other) => this.#fork(one, other));
      }
    }
  }

  #add(set: Uint8Array | undefined, next: number, other: number): number {
    this.#nodes.next.push(next);
    this.#nodes.other.push(other);
    return this.#nodes.sets.push(set) - 1;
  }

  #set(set: Uint8Array, next: number): number {
    return this.#add(set, next, -1);
  }

  #fork(one: number, other: number): number {
    return this.#add(undefined, one, other);
  }

  #loop(set: Uint8Array, then: number): number {
    const fork = this.#fork(then, -1);
    this.#nodes.other[fork] = this.#set(set, fork);
    return fork;
  }

  #one(byte: number): Uint8Array {
    const has = new Uint8Array(256);
    has[byte] = 1;
    return this.#foldCase ? bothCases(has) : has;
  }
}

function allBut(byte: number): Uint8Array {
  const has = new Uint8Array(256).fill(1);
  has[byte] = 0;
  return has;
}

function bothCases(has: Uint8Array): Uint8Array {
  const both = has.slice();
  for (let letter = 65; letter <= 90; letter++) if (has[letter] === 1 || has[letter + 32] === 1) both[letter] = both[letter + 32] = 1;
  return both;
}
