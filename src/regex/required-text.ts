/**
 * Text that every match of a pattern must contain: one of a few short strings, found much faster than the pattern itself. A
 * window is a run of neighbouring symbols, each out of a small set; a literal is a window of single symbols.
 */
import type { RegexTree } from "./regex-tree.ts";
import { FIRST_STRAY_BYTE, membersOf, rangesOf, sizeOf, type SymbolSet } from "./symbol-set.ts";

type Window = readonly SymbolSet[];

export interface RequiredText {
  /** One of these stands in every match. */
  readonly windows: readonly Window[];
  /** True if a line that holds one is sure to match. */
  readonly suffices: boolean;
}

/** Undefined where nothing worth looking for is required. */
export function requiredText(tree: RegexTree): RequiredText | undefined {
  const found = analyse(tree);
  if (found.exact !== undefined && score(found.exact) >= MIN_BITS) {
    return { windows: found.exact, suffices: found.faithful && found.exact.every((window) => window.every(isText)) };
  }
  const best = betterOf(found.required, found.exact);
  return best === undefined || score(best) < MIN_BITS ? undefined : { windows: best, suffices: false };
}

/** The bytes of each window, if all are literals. */
export function literalsOf(windows: readonly Window[]): Buffer[] | undefined {
  if (!windows.every((window) => window.every((set) => set.length === 2 && set[0] === set[1]))) return undefined;
  return windows.map((window) => Buffer.concat(window.map((set) => bytesOfSymbol(set[0] as number))));
}

/** Neighbouring positions of a window, each one byte wide. */
export interface ByteRun {
  readonly length: number;
  /** At 256 × position + byte: 1 where the byte may stand there. */
  readonly members: Uint8Array;
  /** Bits of information at each position: the more, the rarer the bytes that may stand there. */
  readonly bits: readonly number[];
  /** True if it is the whole window. */
  readonly isWhole: boolean;
}

/** The rarest run of bytes in `window`; undefined if none is rare enough to be worth searching for. */
export function byteRun(window: Window): ByteRun | undefined {
  // A character past ASCII that is alone in its set counts as its UTF-8 bytes; in a set with others it ends the run.
  const positions = window.flatMap((set): (readonly number[] | undefined)[] => {
    if (set.length === 2 && set[0] === set[1]) return [...bytesOfSymbol(set[0] as number)].map((byte) => [byte]);
    return (set.at(-1) as number) < 128 ? [membersOf(set)] : [undefined];
  });
  let best: { readonly from: number; readonly to: number; readonly bits: number } | undefined;
  for (let from = 0; from < positions.length; ) {
    let to = from;
    let bits = 0;
    for (; positions[to] !== undefined; to++) bits += rarity(positions[to] as readonly number[]);
    if (to > from && (best === undefined || bits > best.bits)) best = { from, to, bits };
    from = to + 1;
  }
  if (best === undefined || (best.to - best.from < positions.length && best.bits < MIN_PART_BITS)) return undefined;
  const run = positions.slice(best.from, best.to) as (readonly number[])[];
  const members = new Uint8Array(run.length * 256);
  for (const [position, bytes] of run.entries()) for (const byte of bytes) members[position * 256 + byte] = 1;
  return { length: run.length, members, bits: run.map(rarity), isWhole: run.length === positions.length };
}

const rarity = (bytes: readonly number[]): number =>
  -Math.log2(bytes.reduce((chance, byte) => chance + (byte < 128 ? chanceOf(byte) : 0.002), 0));

/** A regular expression without repetition that finds any of `windows` in a latin1 view of the bytes. */
export function windowSource(windows: readonly Window[]): string {
  return windows.map((window) => window.map(positionSource).join("")).join("|");
}

/** Below this many bits of information, too many lines hold the text for looking to pay. */
const MIN_BITS = 4;
/** A part of a window must be rarer than this. */
const MIN_PART_BITS = 12;
const MAX_WINDOWS = 24;
const MAX_WINDOW_SYMBOLS = 24;
/** Sets with more members past ASCII than this end a window. */
const MAX_WIDE_MEMBERS = 8;

interface Analysis {
  /** All that the tree can match, where that is a few windows. */
  readonly exact: readonly Window[] | undefined;
  /** True if `exact` is the whole meaning of the tree: no assertion was left out. */
  readonly faithful: boolean;
  /** The best that every match must contain. */
  readonly required: readonly Window[] | undefined;
}

const NOTHING: Analysis = { exact: undefined, faithful: false, required: undefined };

function analyse(tree: RegexTree): Analysis {
  switch (tree.kind) {
    case "empty":
      return { exact: [[]], faithful: true, required: undefined };
    case "assertion":
      return { exact: [[]], faithful: false, required: undefined };
    case "set":
      return isSmall(tree.set) ? { exact: [[tree.set]], faithful: true, required: undefined } : NOTHING;
    case "group":
      return analyse(tree.body);
    case "back-reference":
      return NOTHING;
    case "choice":
      return analyseChoice(tree.options);
    case "repeat":
      return sequenceOf([{ body: analyse(tree.body), min: tree.min, max: tree.max }]);
    case "sequence":
      return sequenceOf(
        tree.parts.map((part) =>
          part.kind === "repeat" ? { body: analyse(part.body), min: part.min, max: part.max } : { body: analyse(part), min: 1, max: 1 },
        ),
      );
  }
}

function analyseChoice(options: readonly RegexTree[]): Analysis {
  if (options.length > MAX_WINDOWS) return NOTHING;
  const parts = options.map(analyse);
  const exact = parts.flatMap((part) => part.exact ?? []);
  const allExact = parts.every((part) => part.exact !== undefined) && exact.length <= MAX_WINDOWS;
  const bests = parts.map((part) => betterOf(part.required, part.exact));
  const all = bests.flatMap((best) => best ?? []);
  return {
    exact: allExact ? exact : undefined,
    faithful: parts.every((part) => part.faithful),
    required: bests.every((best) => best !== undefined) && all.length <= MAX_WINDOWS ? all : undefined,
  };
}

interface Part {
  readonly body: Analysis;
  readonly min: number;
  readonly max: number;
}

function sequenceOf(parts: readonly Part[]): Analysis {
  let current: readonly Window[] = [[]];
  let best: readonly Window[] | undefined;
  let exact = true;
  let faithful = true;
  const breakHere = (): void => {
    best = betterOf(best, current);
    current = [[]];
    exact = false;
  };
  for (const { body, min, max } of parts) {
    if (!body.faithful) faithful = false;
    if (min > 0) best = betterOf(best, body.required);
    if (body.exact === undefined) {
      if (max > 0) breakHere();
      continue;
    }
    const copies = Math.min(min, 8);
    for (let copy = 0; copy < copies; copy++) {
      const joined = product(current, body.exact);
      if (joined === undefined) breakHere();
      current = joined ?? body.exact;
    }
    if (copies === max) continue;
    breakHere();
    // Whatever the number of copies, what follows stands right after the last ones.
    for (let copy = 0; copy < Math.min(copies, 2); copy++) current = product(current, body.exact) ?? current;
  }
  if (exact) return { exact: current, faithful, required: best };
  return { exact: undefined, faithful: false, required: betterOf(best, current) };
}

function product(left: readonly Window[], right: readonly Window[]): readonly Window[] | undefined {
  if (left.length * right.length > MAX_WINDOWS) return undefined;
  const joined = left.flatMap((head) => right.map((tail) => [...head, ...tail]));
  return joined.some((window) => window.length > MAX_WINDOW_SYMBOLS) ? undefined : joined;
}

function betterOf(a: readonly Window[] | undefined, b: readonly Window[] | undefined): readonly Window[] | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return score(b) > score(a) ? b : a;
}

/** Bits of information in one of the windows, about: the more, the rarer it is met by chance. */
function score(windows: readonly Window[]): number {
  let chance = 0;
  for (const window of windows) chance += 2 ** -window.reduce((bits, set) => bits + bitsOf(set), 0);
  return -Math.log2(chance);
}

function bitsOf(set: SymbolSet): number {
  let chance = 0;
  for (const [first, last] of rangesOf(set)) {
    for (let symbol = first; symbol <= Math.min(last, 127); symbol++) chance += chanceOf(symbol);
    if (last > 127) chance += 0.002 * Math.min(sizeOf([Math.max(first, 128), last]), 10);
  }
  return chance === 0 ? 12 : -Math.log2(Math.min(chance, 1));
}

/** Rough share of an ASCII character in source code and logs. */
function chanceOf(symbol: number): number {
  if (symbol >= 0x61 && symbol <= 0x7a) return "etaoinsrlc".includes(String.fromCharCode(symbol)) ? 0.05 : 0.015;
  if (symbol === 0x20) return 0.14;
  if (symbol >= 0x30 && symbol <= 0x39) return 0.015;
  if (symbol >= 0x41 && symbol <= 0x5a) return 0.005;
  return symbol < 0x20 ? 0.002 : 0.008;
}

/** Tells whether no stray byte is in the set: such a byte may also be part of a character. */
const isText = (set: SymbolSet): boolean => (set.at(-1) ?? 0) < FIRST_STRAY_BYTE;

function isSmall(set: SymbolSet): boolean {
  const wide = rangesOf(set).filter(([, last]) => last > 127);
  return sizeOf(wide.flatMap(([first, last]) => [Math.max(first, 128), last])) <= MAX_WIDE_MEMBERS && set.length > 0;
}

function positionSource(set: SymbolSet): string {
  const ascii = rangesOf(set)
    .filter(([first]) => first < 128)
    .map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(Math.min(last, 127))}`))
    .join("");
  const wide = membersOf(rangesOf(set).flatMap(([first, last]) => (last > 127 ? [Math.max(first, 128), last] : [])));
  const sources = wide.map((symbol) => [...bytesOfSymbol(symbol)].map(hex).join(""));
  if (ascii !== "") sources.unshift(`[${ascii}]`);
  return sources.length === 1 ? (sources[0] as string) : `(?:${sources.join("|")})`;
}

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

function bytesOfSymbol(symbol: number): Buffer {
  return symbol >= FIRST_STRAY_BYTE ? Buffer.of(symbol - FIRST_STRAY_BYTE + 0x80) : Buffer.from(String.fromCodePoint(symbol));
}
