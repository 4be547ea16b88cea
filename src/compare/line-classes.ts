/** Equal numbers for lines that count as the same: compared whole, or as -b -E -i -w -Z reduce them. */
import { KeyNumbers } from "./key-numbers.ts";
import type { LineText } from "./line-text.ts";

export type WhiteSpaceRule =
  | { readonly kind: "exact" }
  /** -E, -Z and both. */
  | { readonly kind: "partly"; readonly expandTabs: boolean; readonly dropTrailing: boolean }
  /** -b: any white space is one space, at the end none. */
  | { readonly kind: "amount" }
  /** -w */
  | { readonly kind: "all" }
  /** Without a carriage return at the end (git's --ignore-cr-at-eol). */
  | { readonly kind: "carriage-return" };

export interface LineRule {
  readonly whiteSpace: WhiteSpaceRule;
  readonly ignoreCase: boolean;
  readonly tabColumns: number;
  /** A last line without a newline is the same as one with it (-e and -f cannot say the difference). */
  readonly completesLines: boolean;
}

/** Numbers lines by class, with the same numbers for both files. Class 0 is unused. */
export class LineClasses {
  readonly #rule: LineRule;
  readonly #numbers: KeyNumbers;
  readonly #forgetsEnd: boolean;

  /** `lines`: estimate of the number of lines. */
  constructor(rule: LineRule, lines: number) {
    this.#rule = rule;
    this.#numbers = new KeyNumbers(lines);
    const { whiteSpace } = rule;
    this.#forgetsEnd =
      whiteSpace.kind === "amount" ||
      whiteSpace.kind === "all" ||
      whiteSpace.kind === "carriage-return" ||
      (whiteSpace.kind === "partly" && whiteSpace.dropTrailing);
  }

  get count(): number {
    return this.#numbers.count + 1;
  }

  /** The classes of lines `from` (inclusive) to `to` (exclusive). The bytes of `text` must stay as they are. */
  classesOf(text: LineText, from: number, to: number): Int32Array {
    const { bytes, starts } = text;
    const { whiteSpace, ignoreCase, completesLines } = this.#rule;
    const isExact = whiteSpace.kind === "exact" && !ignoreCase;
    const classes = new Int32Array(to - from);
    for (let line = from; line < to; line++) {
      const start = starts[line] as number;
      let end = starts[line + 1] as number;
      // Without its newline a last line is another one, unless lines are compared without their ends.
      const isWhole = bytes[end - 1] === 10;
      if (isWhole) end--;
      const isCut = !isWhole && !completesLines && !this.#forgetsEnd;
      if (isExact && !isCut) {
        classes[line - from] = this.#numbers.numberOf(bytes, start, end);
      } else {
        const key = Buffer.from(this.#keyOf(bytes, start, end, isWhole) + (isCut ? "\n" : ""), "latin1");
        classes[line - from] = this.#numbers.numberOf(key, 0, key.length);
      }
    }
    return classes;
  }

  #keyOf(bytes: Buffer, start: number, end: number, isWhole: boolean): string {
    const { whiteSpace, ignoreCase, tabColumns } = this.#rule;
    let key = bytes.toString("latin1", start, end);
    switch (whiteSpace.kind) {
      case "exact":
        break;
      case "carriage-return":
        // At the end of a file that lacks its newline it counts.
        if (isWhole && key.endsWith("\r")) key = key.slice(0, -1);
        break;
      case "all":
        key = key.replace(SPACES, "");
        break;
      case "amount":
        key = withoutTrailing(key).replace(SPACES, " ");
        break;
      case "partly":
        if (whiteSpace.dropTrailing) key = withoutTrailing(key);
        if (whiteSpace.expandTabs) key = expanded(key, tabColumns);
        break;
    }
    return ignoreCase ? key.replace(UPPER, (letters) => letters.toLowerCase()) : key;
  }
}

/** isspace(3) of bytes in C.UTF-8. */
const SPACES = /[\t-\r ]+/g;
const UPPER = /[A-Z]+/g;

function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 9 && code <= 13);

/** Tabs as the spaces they stand for; a backspace goes a column back, a carriage return to the first. */
function expanded(text: string, tabColumns: number): string {
  if (!text.includes("\t")) return text;
  let shown = "";
  let column = 0;
  for (const character of text) {
    if (character === "\t") {
      const width = tabColumns - (column % tabColumns);
      shown += " ".repeat(width);
      column += width;
      continue;
    }
    shown += character;
    if (character === "\b") column -= column > 0 ? 1 : 0;
    else if (character === "\r") column = 0;
    else column++;
  }
  return shown;
}
