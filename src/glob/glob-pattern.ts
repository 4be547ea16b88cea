/** A shell pattern, read into its steps: characters, `?`, `*`, brackets (POSIX 2.14). */
import { characterClass } from "./character-class.ts";

export interface GlobOptions {
  /** FNM_PERIOD: a leading `.` (with `pathname` also one after `/`) is matched by a `.` in the pattern alone. */
  readonly period?: boolean;
  /** FNM_PATHNAME: `/` is matched by a `/` in the pattern alone. */
  readonly pathname?: boolean;
  /** FNM_CASEFOLD. */
  readonly caseFold?: boolean;
  /** FNM_EXTMATCH: `@(a|b)` and the like; not with `pathname`. */
  readonly extended?: boolean;
}

/** One step of a compiled pattern. */
export type Token =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly has: (code: number) => boolean };

const STAR = 42,
  QUESTION = 63,
  OPEN = 91,
  CLOSE = 93,
  BACKSLASH = 92,
  SLASH = 47,
  BANG = 33,
  CARET = 94,
  HYPHEN = 45;

/** The tokens of `pattern`; undefined for one that ends in a lone backslash, which matches nothing. */
export function readPattern(pattern: readonly number[], options: GlobOptions): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const fold = folder(options);
  const unclosed = new Uint8Array(pattern.length);
  for (let at = 0; at < pattern.length; ) {
    const code = pattern[at] as number;
    if (code === STAR) {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
      at++;
    } else if (code === QUESTION) {
      tokens.push({ kind: "any" });
      at++;
    } else if (code === BACKSLASH) {
      const next = pattern[at + 1];
      if (next === undefined) return undefined;
      tokens.push({ kind: "character", code: fold(next) });
      at += 2;
    } else {
      const bracket = code === OPEN ? readBracket(pattern, at, options, unclosed) : undefined;
      tokens.push(bracket === undefined ? { kind: "character", code: fold(code) } : { kind: "set", has: bracket.has });
      at = bracket?.end ?? at + 1;
    }
  }
  return tokens;
}

/**
 * The bracket expression that begins at `open`; undefined where it is not closed. `unclosed` remembers from where no
 * `]` can be reached, so that many `[` take no more than one reading.
 */
function readBracket(
  pattern: readonly number[],
  open: number,
  options: GlobOptions,
  unclosed: Uint8Array,
): { readonly has: (code: number) => boolean; readonly end: number } | undefined {
  const members: ((code: number) => boolean)[] = [];
  const fold = folder(options);
  let invalid = false;
  let at = open + 1;
  const negated = pattern[at] === BANG || pattern[at] === CARET;
  if (negated) at++;
  for (let first = true; ; first = false) {
    const code = pattern[at];
    if (code === undefined) return undefined;
    if (code === CLOSE && !first) break;
    if (!first) {
      if (unclosed[at] === 1) return undefined;
      unclosed[at] = 1;
    }
    const named = readNamed(pattern, at);
    if (named !== undefined && named.kind === "class") {
      if (named.has === undefined) invalid = true;
      else members.push(named.has);
      at = named.end;
      continue;
    }
    const low = named ?? readMember(pattern, at);
    if (low === undefined) return undefined;
    at = low.end;
    if (pattern[at] === HYPHEN && pattern[at + 1] !== undefined && pattern[at + 1] !== CLOSE) {
      const highNamed = readNamed(pattern, at + 1);
      const high = highNamed !== undefined && highNamed.kind !== "class" ? highNamed : readMember(pattern, at + 1);
      if (high === undefined) return undefined;
      const [from, to] = [fold(low.code), fold(high.code)];
      members.push((value) => fold(value) >= from && fold(value) <= to);
      at = high.end;
    } else {
      const wanted = fold(low.code);
      members.push((value) => fold(value) === wanted);
    }
  }
  if (invalid) return { has: () => false, end: at + 1 };
  const has = memo((code) => members.some((isMember) => isMember(code)) !== negated);
  return { has: options.pathname === true ? (code) => code !== SLASH && has(code) : has, end: at + 1 };
}

interface Member {
  readonly kind: "character";
  readonly code: number;
  readonly end: number;
}

/** Code points of the longest `[:class:]` or `[.element.]` that is looked for. */
const MOST_NAME = 64;

interface NamedClass {
  readonly kind: "class";
  /** Undefined for a name that no class or collating element has. */
  readonly has: ((code: number) => boolean) | undefined;
  readonly end: number;
}

function readMember(pattern: readonly number[], at: number): Member | undefined {
  const from = pattern[at] === BACKSLASH ? at + 1 : at;
  const code = pattern[from];
  return code === undefined ? undefined : { kind: "character", code, end: from + 1 };
}

/**
 * `[:class:]`, `[.x.]` or `[=x=]`. In C.UTF-8 every equivalence class and collating element is one character.
 * A class or an element that does not exist makes the whole bracket match nothing, as in glibc.
 */
function readNamed(pattern: readonly number[], at: number): Member | NamedClass | undefined {
  const mark = pattern[at + 1];
  if (pattern[at] !== OPEN || (mark !== 58 && mark !== 46 && mark !== 61)) return undefined;
  let close = at + 2;
  const stop = Math.min(pattern.length, at + MOST_NAME);
  while (close + 1 < stop && !(pattern[close] === mark && pattern[close + 1] === CLOSE)) close++;
  if (close + 1 >= stop) return mark === 46 ? { kind: "class", has: undefined, end: at + 2 } : undefined;
  const inner = pattern.slice(at + 2, close);
  const end = close + 2;
  if (mark === 58) return { kind: "class", has: characterClass(String.fromCodePoint(...inner.slice(0, 16))), end };
  const [code] = inner;
  if (code === undefined || inner.length > 1) return { kind: "class", has: undefined, end };
  return { kind: "character", code, end };
}

/** Sets are asked about ASCII most of the time: the answer is kept. */
function memo(has: (code: number) => boolean): (code: number) => boolean {
  const known = new Int8Array(128);
  return (code) => {
    if (code >= 128) return has(code);
    if (known[code] === 0) known[code] = has(code) ? 1 : -1;
    return known[code] === 1;
  };
}

export function folder(options: GlobOptions): (code: number) => number {
  return options.caseFold === true ? lowered : (code) => code;
}

/** towlower(3): one character to one character. */
function lowered(code: number): number {
  return singleCodePoint(String.fromCodePoint(code).toLowerCase(), code);
}

function singleCodePoint(text: string, otherwise: number): number {
  const code = text.codePointAt(0) ?? otherwise;
  return text.length === (code > 0xffff ? 2 : 1) ? code : otherwise;
}
