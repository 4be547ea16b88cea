/**
 * Brace expansion, by bash's own algorithm (braces.c of bash 5.2) on the text of a word with its quotes still on,
 * because its corners ({a,b}{, {a..b,c}, {{a,b}) follow from the algorithm and not from a grammar.
 * The word holds no expansions (`$x`, `$(…)`): those are refused before.
 */

/** The number of words and the amount of text that one line may still expand to. */
export interface BraceBudget {
  words: number;
  units: number;
}

/** Words a line may have after brace expansion. {1..10000} passes; {1..100}{1..101} does not. */
export const MOST_BRACE_WORDS = 10_000;

/** UTF-16 units of all words a line's braces expand to. */
const MOST_BRACE_UNITS = 1 << 22;

/** Opening braces in one word: the algorithm looks ahead to the end of the word for each of them. */
export const MOST_BRACES = 256;

export function braceBudget(): BraceBudget {
  return { words: MOST_BRACE_WORDS, units: MOST_BRACE_UNITS };
}

export class TooManyWords extends Error {
  override readonly name = "TooManyWords";
}

/** A range such as {Z..a}, through the characters between the letters. */
export class MixedRange extends Error {
  override readonly name = "MixedRange";
}

/** The words `text` expands to, quotes kept. Throws TooManyWords and MixedRange. */
export function expandBraces(text: string, budget: BraceBudget): readonly string[] {
  if (!text.includes("{")) return [text];
  let braces = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) braces++;
  if (braces > MOST_BRACES) throw new TooManyWords();
  const words = expand(text, budget);
  if (words.length > 1) spend(budget, words);
  return words;
}

function spend(budget: BraceBudget, words: readonly string[]): void {
  budget.words -= words.length;
  for (const word of words) budget.units -= word.length;
  if (budget.words < 0 || budget.units < 0) throw new TooManyWords();
}

function expand(text: string, budget: BraceBudget): readonly string[] {
  const open = firstExpandable(text);
  if (open < 0) return [text];
  const preamble = text.slice(0, open);
  const close = gobble(text, open + 1, "}");
  const amble = text.slice(open + 1, close);
  let middle: readonly string[];
  if (hasComma(amble)) {
    middle = expandAmble(amble, budget);
  } else {
    const sequence = expandSequence(amble, budget);
    if (sequence !== undefined) middle = sequence;
    else if (close + 1 < text.length) middle = [text.slice(open, close + 1)];
    else return [text];
  }
  const before = middle.map((word) => preamble + word);
  const postamble = text.slice(close + 1);
  return postamble === "" ? before : join(before, expand(postamble, budget), budget);
}

/** The position of the first `{` that has its `}` and something to expand; -1 if no brace has. */
function firstExpandable(text: string): number {
  for (let at = 0; ; at++) {
    at = gobble(text, at, "{");
    if (at >= text.length) return -1;
    if (gobble(text, at + 1, "}") < text.length) return at;
  }
}

/** The position at or after `from` of the unquoted `wanted` at level 0, or the text's length. */
function gobble(text: string, from: number, wanted: "{" | "}" | ","): number {
  let level = 0;
  let quote = "";
  let separators = wanted === "}" ? 0 : 1;
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "\\" && quote !== "'") {
      at++;
      continue;
    }
    if (quote !== "") {
      if (character === quote) quote = "";
      continue;
    }
    if (character === '"' || character === "'") {
      quote = character;
      continue;
    }
    if (character === wanted && level === 0 && separators > 0) {
      if (character === "{" && isBlank(text[at - 1]) && (isBlank(text[at + 1]) || text[at + 1] === "}")) continue;
      return at;
    }
    if (character === "{") level++;
    else if (character === "}" && level > 0) level--;
    else if (wanted === "}" && level === 0 && (character === "," || (text.startsWith("..", at) && text[at + 2] !== "}"))) separators++;
  }
  return text.length;
}

const isBlank = (character: string | undefined): boolean => character === undefined || /[ \t\n]/.test(character);

/** Tells whether there is a comma without a backslash before it (quotes do not count here, as in bash). */
function hasComma(amble: string): boolean {
  for (let at = 0; at < amble.length; at++) {
    if (amble[at] === "\\") at++;
    else if (amble[at] === ",") return true;
  }
  return false;
}

function expandAmble(amble: string, budget: BraceBudget): readonly string[] {
  const words: string[] = [];
  for (let from = 0; ; ) {
    const comma = gobble(amble, from, ",");
    for (const word of expand(amble.slice(from, comma), budget)) words.push(word);
    if (words.length > budget.words) throw new TooManyWords();
    if (comma >= amble.length) return words;
    from = comma + 1;
  }
}

function join(before: readonly string[], after: readonly string[], budget: BraceBudget): readonly string[] {
  if (before.length * after.length > budget.words) throw new TooManyWords();
  let units = 0;
  const words: string[] = [];
  for (const left of before) {
    for (const right of after) {
      units += left.length + right.length;
      if (units > budget.units) throw new TooManyWords();
      words.push(left + right);
    }
  }
  return words;
}

/** `1..9`, `01..10..2`, `a..e`; undefined where the text is no range. */
function expandSequence(amble: string, budget: BraceBudget): readonly string[] | undefined {
  const match = /^([^.]|[^.].*?)\.\.(.*?)(?:\.\.([+-]?\d+))?$/s.exec(amble);
  if (match === null) return undefined;
  const [, left = "", right = "", step = "1"] = match;
  if (!isLong(step)) return undefined;
  if (/^[A-Za-z]$/.test(left) && /^[A-Za-z]$/.test(right)) return letters(left, right, integer(step), budget);
  if (!/^[+-]?\d+$/.test(left) || !/^[+-]?\d+$/.test(right) || !isLong(left) || !isLong(right)) return undefined;
  const padded = /^-?0\d/.test(left) || /^-?0\d/.test(right);
  const width = padded ? Math.max(left.length, right.length) : 0;
  return count(integer(left), integer(right), integer(step), budget).map((value) => padInteger(value, width));
}

function letters(left: string, right: string, step: bigint, budget: BraceBudget): readonly string[] {
  if (left < "a" !== right < "a") throw new MixedRange();
  const codes = count(BigInt(left.charCodeAt(0)), BigInt(right.charCodeAt(0)), step, budget);
  return codes.map((code) => String.fromCharCode(Number(code)));
}

function count(from: bigint, to: bigint, step: bigint, budget: BraceBudget): readonly bigint[] {
  const size = step === 0n ? 1n : step < 0n ? -step : step;
  const distance = to > from ? to - from : from - to;
  if (distance / size >= BigInt(Math.max(budget.words, 1))) throw new TooManyWords();
  const values: bigint[] = [];
  for (let done = 0n; done <= distance; done += size) values.push(to > from ? from + done : from - done);
  return values;
}

/** C's `%0*d`: zeros after the sign. */
function padInteger(value: bigint, width: number): string {
  const digits = (value < 0n ? -value : value).toString();
  const sign = value < 0n ? "-" : "";
  return sign + digits.padStart(width - sign.length, "0");
}

const integer = (digits: string): bigint => BigInt(digits.replace(/^\+/, ""));

const isLong = (digits: string): boolean => {
  const value = integer(digits);
  return value >= -(2n ** 63n) && value < 2n ** 63n;
};
