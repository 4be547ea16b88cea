/** The grammar of globset's globs: https://docs.rs/globset/latest/globset/#syntax */
import { toBytes } from "../io/text.ts";

/** Text (src/io/text.ts) as a string whose units are its bytes; ASCII stays itself. */
export function byteString(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : toBytes(text).toString("latin1");
}

/** Thrown for a glob that is not valid. The message is globset's. */
export class GlobError extends Error {
  override readonly name = "GlobError";
}

/** The tokens of `pattern` (text). A `[` that is not closed is itself where `allowsUnclosed`, or else an error. Throws GlobError. */
export function parseByteGlob(pattern: string, allowsUnclosed: boolean): readonly GlobToken[] {
  return new GlobParser(pattern, allowsUnclosed).parse();
}

/** Deepest nesting of `{…}`; a deeper glob is an error. Rust's own limit of nesting is near. */
const MOST_NESTED = 128;

export type GlobToken =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  /** `**` and a slash in front: nothing, or whole components. */
  | { readonly kind: "prefix" }
  /** A slash and `**` at the end: one byte at least. */
  | { readonly kind: "suffix" }
  /** `/`, `**`, `/`. */
  | { readonly kind: "between" }
  | { readonly kind: "set"; readonly has: Uint8Array; readonly negated: boolean }
  | { readonly kind: "choice"; readonly options: readonly (readonly GlobToken[])[] };

class GlobParser {
  readonly #characters: readonly string[];
  readonly #allowsUnclosed: boolean;
  #foundUnclosed = false;
  #at = 0;
  #previous: string | undefined;
  #current: string | undefined;
  readonly #branches: GlobToken[][] = [[]];
  readonly #choices: number[] = [];

  constructor(pattern: string, allowsUnclosed: boolean) {
    this.#characters = [...pattern];
    this.#allowsUnclosed = allowsUnclosed;
  }

  parse(): readonly GlobToken[] {
    for (let character = this.#take(); character !== undefined; character = this.#take()) {
      if (character === "?") this.#push({ kind: "any" });
      else if (character === "*") this.#star();
      else if (character === "[" && !this.#foundUnclosed) this.#class();
      else if (character === "{") this.#open();
      else if (character === "}") this.#close();
      else if (character === "," && this.#choices.length > 0) this.#branches.push([]);
      else if (character === "\\") this.#escape();
      else this.#literal(character);
    }
    if (this.#choices.length > 0) throw new GlobError("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)");
    return this.#top;
  }

  get #top(): GlobToken[] {
    return this.#branches[this.#branches.length - 1] as GlobToken[];
  }

  #take(): string | undefined {
    this.#previous = this.#current;
    this.#current = this.#characters[this.#at];
    if (this.#current !== undefined) this.#at++;
    return this.#current;
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #push(token: GlobToken): void {
    this.#top.push(token);
  }

  #literal(character: string): void {
    const text = byteString(character);
    const last = this.#top.at(-1);
    // A slash stands alone: `**` after it takes it away again.
    if (last?.kind === "literal" && text !== "/" && !last.text.endsWith("/"))
      this.#top[this.#top.length - 1] = { kind: "literal", text: last.text + text };
    else this.#push({ kind: "literal", text });
  }

  #escape(): void {
    const character = this.#take();
    if (character === undefined) throw new GlobError("dangling '\\'");
    this.#literal(character);
  }

  #open(): void {
    if (this.#choices.length >= MOST_NESTED) throw new GlobError("alternate groups are nested too deep");
    this.#choices.push(this.#branches.length);
    this.#branches.push([]);
  }

  #close(): void {
    const start = this.#choices.pop();
    if (start === undefined) throw new GlobError("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)");
    const options = this.#branches.splice(start).filter((option) => !isEmptyRegex(option));
    this.#push({ kind: "choice", options });
  }

  #twoStars(): void {
    this.#push({ kind: "star" });
    this.#push({ kind: "star" });
  }

  #star(): void {
    const previous = this.#previous;
    if (this.#peek() !== "*") return this.#push({ kind: "star" });
    this.#take();
    const next = this.#peek();
    if (this.#top.length === 0) {
      if (next !== undefined && next !== "/") return this.#twoStars();
      this.#push({ kind: "prefix" });
      this.#take();
      return;
    }
    if (previous !== "/" && (this.#branches.length <= 1 || (previous !== "," && previous !== "{"))) return this.#twoStars();
    let isSuffix = true;
    if (next === "/") isSuffix = false;
    else if (next !== undefined && !((next === "," || next === "}") && this.#branches.length >= 2)) return this.#twoStars();
    if (next === undefined || next === "/") this.#take();
    const replaced = this.#top.pop();
    if (replaced?.kind === "prefix" || replaced?.kind === "suffix") this.#push(replaced);
    else this.#push({ kind: isSuffix ? "suffix" : "between" });
  }

  #class(): void {
    const saved = { at: this.#at, previous: this.#previous, current: this.#current };
    const negated = this.#peek() === "!" || this.#peek() === "^";
    if (negated) this.#take();
    const ranges: [string, string][] = [];
    let first = true;
    let inRange = false;
    const member = (character: string): void => {
      const last = ranges.at(-1);
      if (!inRange || last === undefined) ranges.push([character, character]);
      else {
        last[1] = character;
        if ((last[0].codePointAt(0) ?? 0) > (character.codePointAt(0) ?? 0))
          throw new GlobError(`invalid range; '${last[0]}' > '${character}'`);
      }
      inRange = false;
    };
    for (;;) {
      const character = this.#take();
      if (character === undefined) {
        if (!this.#allowsUnclosed) throw new GlobError("unclosed character class; missing ']'");
        this.#at = saved.at;
        this.#previous = saved.previous;
        this.#current = saved.current;
        this.#foundUnclosed = true;
        return this.#literal("[");
      }
      if (character === "]" && !first) break;
      if (character === "-" && !first && !inRange) inRange = true;
      else member(character);
      first = false;
    }
    if (inRange) {
      inRange = false;
      member("-");
    }
    this.#push({ kind: "set", has: byteSet(ranges), negated });
  }
}

/** Tells whether globset writes `tokens` as an empty regex, and so leaves them out of a choice. */
function isEmptyRegex(tokens: readonly GlobToken[]): boolean {
  return tokens.every((token) => token.kind === "choice" && token.options.length === 0);
}

/** A range of longer characters is one of their bytes: the last byte of the first to the first of the last. */
function byteSet(ranges: readonly (readonly [string, string])[]): Uint8Array {
  const has = new Uint8Array(256);
  const set = (from: number, to: number): void => {
    if (from > to) throw new GlobError("invalid range");
    has.fill(1, from, to + 1);
  };
  for (const [low, high] of ranges) {
    const first = byteString(low);
    const last = byteString(high);
    if (low === high) for (const unit of first) set(unit.charCodeAt(0), unit.charCodeAt(0));
    else {
      for (const unit of first.slice(0, -1) + last.slice(1)) set(unit.charCodeAt(0), unit.charCodeAt(0));
      set(first.charCodeAt(first.length - 1), last.charCodeAt(0));
    }
  }
  return has;
}
