/** The places at which a paragraph is broken: those of the least cost, by GNU fmt's weights, found from the end backwards. */

export interface Word {
  readonly bytes: Uint8Array;
  /** Columns behind it, where another word follows on the line. */
  space: number;
  readonly isParenthesis: boolean;
  isPeriod: boolean;
  readonly isPunctuation: boolean;
  /** True at the end of a sentence. */
  isFinal: boolean;
}

export interface Settings {
  readonly width: number;
  readonly goal: number;
  readonly first: number;
  readonly other: number;
  /** Length of the line before, if this is the rest of a paragraph; else 0. */
  readonly lastLength: number;
}

/** For each word as the first of a line: the word that begins the next one, and the cost of all from there on. */
export interface Breaks {
  readonly next: readonly number[];
  readonly cost: readonly number[];
}

const square = (value: number): number => value * value;
const shortCost = (columns: number): number => square(columns * 10);
/** Halved as whole numbers are. */
const raggedCost = (columns: number): number => shortCost(columns) / 2;
const LINE_COST = square(70);
const SENTENCE_BONUS = square(50);
const NO_BREAK_COST = square(600);
const PARENTHESIS_BONUS = square(40);
const PUNCTUATION_BONUS = square(40);
const widowCost = (length: number): number => Math.trunc(square(200) / (length + 2));
const orphanCost = (length: number): number => Math.trunc(square(150) / (length + 2));

export function bestBreaks(words: readonly Word[], { width, goal, first, other, lastLength }: Settings): Breaks {
  const count = words.length;
  const next = new Array<number>(count + 1).fill(count);
  const cost = new Array<number>(count + 1).fill(0);
  const lineLength = new Array<number>(count + 1).fill(0);
  for (let start = count - 1; start >= 0; start--) {
    let best = Infinity;
    let length = (start === 0 ? first : other) + lengthOf(words, start);
    for (let at = start + 1; ; at++) {
      let total = cost[at] as number;
      if (at < count) {
        total += shortCost(goal - length);
        if (next[at] !== count) total += raggedCost(length - (lineLength[at] as number));
      }
      if (start === 0 && lastLength > 0) total += raggedCost(length - lastLength);
      if (total < best) {
        best = total;
        next[start] = at;
        lineLength[start] = length;
      }
      if (at === count) break;
      length += (words[at - 1] as Word).space + lengthOf(words, at);
      if (length >= width) break;
    }
    cost[start] = best + baseCost(words, start);
  }
  return { next, cost };
}

const lengthOf = (words: readonly Word[], at: number): number => words[at]?.bytes.length ?? 0;

/** The part of the cost of a line that depends on its first word alone. */
function baseCost(words: readonly Word[], at: number): number {
  const word = words[at] as Word;
  const before = words[at - 1];
  let cost = LINE_COST;
  if (before !== undefined) {
    if (before.isPeriod) cost += before.isFinal ? -SENTENCE_BONUS : NO_BREAK_COST;
    else if (before.isPunctuation) cost -= PUNCTUATION_BONUS;
    else if (at > 1 && words[at - 2]?.isFinal === true) cost += widowCost(before.bytes.length);
  }
  if (word.isParenthesis) cost -= PARENTHESIS_BONUS;
  else if (word.isFinal) cost += orphanCost(word.bytes.length);
  return cost;
}
