/**
 * The patterns of tree 2.1 (-P, -I, ignore files): `*` and `?` within a name, `**` over directories, `[…]` with `^`,
 * backslash, alternatives with `|`, and a slash at the end for directories. What is no pattern matches everything, as
 * there. Bytes, as in the C locale. Time is at most the pattern's length times the text's, squared for `**`.
 */
import { byteString } from "../../src/glob/byte-glob-parser.ts";

export interface TreePattern {
  /** `text` is a name or a path, as text. */
  matches(text: string, isDirectory: boolean): boolean;
}

export function compileTreePattern(pattern: string, foldCase: boolean): TreePattern {
  const options = byteString(pattern).split("|");
  const isBroken = options.length > 1 && (options[0] === "" || options.at(-1) === "" || options.includes(""));
  return {
    matches(text, isDirectory) {
      if (isBroken) return true;
      const bytes = byteString(text);
      return options.some((option) => new Matching(bytes, option, isDirectory, foldCase).at(0, 0) !== NO);
    },
  };
}

const NO = 0;
const YES = 1;
/** The pattern cannot be read to its end. */
const BROKEN = 2;
type Answer = typeof NO | typeof YES | typeof BROKEN;

class Matching {
  readonly #text: string;
  readonly #pattern: string;
  readonly #isDirectory: boolean;
  readonly #foldCase: boolean;
  /** What was found from a place in the text and one in the pattern, so that no pair is tried twice. */
  readonly #known = new Map<number, Answer>();

  constructor(text: string, pattern: string, isDirectory: boolean, foldCase: boolean) {
    this.#text = text;
    this.#pattern = pattern;
    this.#isDirectory = isDirectory;
    this.#foldCase = foldCase;
  }

  at(textFrom: number, patternFrom: number): Answer {
    const key = textFrom * (this.#pattern.length + 1) + patternFrom;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const answer = this.#find(textFrom, patternFrom);
    this.#known.set(key, answer);
    return answer;
  }

  #find(textFrom: number, patternFrom: number): Answer {
    const pattern = this.#pattern;
    const text = this.#text;
    let at = textFrom;
    let before = "";
    for (let place = patternFrom; place < pattern.length; place++) {
      const character = pattern[place] as string;
      if (character === "*") return this.#star(at, place + 1, before);
      if (character === "[") {
        const bracket = this.#bracket(at, place + 1);
        if (bracket === undefined) return BROKEN;
        if (!bracket.holds) return NO;
        place = bracket.end;
        at++;
      } else if (character === "?") {
        if (at >= text.length) return NO;
        at++;
      } else if (character === "/" && place === pattern.length - 1 && at >= text.length) {
        return this.#isDirectory ? YES : NO;
      } else {
        if (character === "\\" && place + 1 < pattern.length) place++;
        if (at >= text.length || !this.#same(text[at] as string, pattern[place] as string)) return NO;
        at++;
      }
      before = pattern[place] as string;
    }
    return at >= text.length ? YES : NO;
  }

  /** After a star at `place`. */
  #star(textFrom: number, place: number, before: string): Answer {
    const text = this.#text;
    const pattern = this.#pattern;
    let at = textFrom;
    if (place >= pattern.length) return text.includes("/", at) ? NO : YES;
    if (pattern[place] !== "*") {
      while (at < text.length) {
        const found = this.at(at, place);
        if (found !== NO) return found;
        at++;
        if (text[at] === "/") break;
      }
      return at >= text.length || text[at] === "/" ? this.at(at, place) : NO;
    }
    const next = place + 1;
    if (next >= pattern.length) return YES;
    while (at < text.length) {
      const found = this.at(at, next);
      if (found !== NO) return found;
      if (before === "/" && pattern[next] === "/" && next + 1 < pattern.length) {
        const none = this.at(at, next + 1);
        if (none !== NO) return none;
      }
      at++;
      while (at < text.length && text[at] !== "/") at++;
    }
    return this.at(at, next);
  }

  /** undefined where it is not closed. */
  #bracket(at: number, from: number): { readonly holds: boolean; readonly end: number } | undefined {
    const pattern = this.#pattern;
    const byte = this.#folded(this.#text[at] ?? "\0");
    let place = from;
    const negated = pattern[place] === "^";
    if (negated) place++;
    let holds = negated;
    for (; pattern[place] !== "]"; place++) {
      if (pattern[place] === "\\") place++;
      const low = pattern[place];
      if (low === undefined) return undefined;
      if (pattern[place + 1] !== "-") {
        if (byte === this.#folded(low)) holds = !negated;
        continue;
      }
      place += 2;
      if (pattern[place] === "\\") place++;
      const high = pattern[place];
      if (high === undefined) return undefined;
      if (byte >= this.#folded(low) && byte <= this.#folded(high)) holds = !negated;
    }
    return { holds, end: place };
  }

  #same(one: string, other: string): boolean {
    return one === other || (this.#foldCase && this.#folded(one) === this.#folded(other));
  }

  #folded(byte: string): string {
    return this.#foldCase && byte >= "A" && byte <= "Z" ? byte.toLowerCase() : byte;
  }
}
