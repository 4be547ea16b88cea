/**
 * A word after brace expansion, quotes still on → its parts: quote removal, `~`, and the pieces that stay special
 * to pathname expansion (POSIX 2.6 and 2.13, bash manual §3.5).
 */
import { KNOWN_PARAMETER } from "./parameter-source.ts";
import type { UnsupportedConstruct } from "./problem.ts";
import { beginsExpansion } from "./source-expansions.ts";
import { isList, type Expansion, type WordPart } from "./tree.ts";
import { expansionOf } from "./stand-ins.ts";

export interface WordPartsOptions {
  /** True if `*`, `?` and `[…]` are special (they are not in here-strings and here-document delimiters). */
  readonly globs: boolean;
  /**
   * Places besides the start where bash expands a `~`: in a word as it was typed, after the `=` and `:` of what looks like
   * an assignment (`a=~`); in a here-string and in an assigned value after each `:`.
   */
  readonly tildes: "start" | "assignment" | "colons" | "none";
  /** The expansions that characters of the text stand for (stand-ins.ts). */
  readonly expansions: readonly Expansion[];
}

export type WordParts =
  | { readonly kind: "parts"; readonly parts: readonly WordPart[] }
  /** A word without any character and without quotes, which bash drops: the `{,a}` of `b {,a}`. */
  | { readonly kind: "nothing" }
  /** `~user`, `~1`, `a=~`; a `$` that braces brought together with what it expands: `{$,x}(a)`; `$$`. */
  | { readonly kind: "refused"; readonly construct: UnsupportedConstruct };

/** Tells whether `text` holds no character that means anything to the shell in a word: most words are such. */
export const isPlainText = (text: string): boolean => /^[\w.,/:=+@%-]+$/.test(text);

/** A word in single quotes, without characters that stand for expansions. */
const QUOTED_ALONE = /^'[^'\ud800-\udfff]+'$/;

export function readWordParts(text: string, options: WordPartsOptions): WordParts {
  if (isPlainText(text)) return { kind: "parts", parts: [{ kind: "text", text, quoted: false }] };
  if (QUOTED_ALONE.test(text)) return { kind: "parts", parts: [{ kind: "text", text: text.slice(1, -1), quoted: true }] };
  const units = removeQuotes(text, options.expansions);
  if (units === undefined) return { kind: "refused", construct: "variable" };
  const tilde = options.tildes === "none" ? undefined : tildeIn(text, options.tildes);
  if (tilde === "refused") return { kind: "refused", construct: "tilde" };
  if (units.characters.length === 0)
    return units.sawQuotes ? { kind: "parts", parts: [{ kind: "text", text: "", quoted: true }] } : { kind: "nothing" };
  const isDirectory = tilde === "~+" || tilde === "~-";
  const globs = options.globs && units.expansions.size === 0 && !isDirectory;
  return { kind: "parts", parts: partsOf(units, tilde, globs, true) };
}

/** Builds text and patterns from the results of expansions and the text between them, with the quoted parts marked. */
export function globParts(texts: readonly { readonly text: string; readonly quoted: boolean }[], extended = false): readonly WordPart[] {
  const characters: string[] = [];
  const quoted: boolean[] = [];
  for (const piece of texts) {
    for (const character of piece.text) {
      characters.push(character);
      quoted.push(piece.quoted);
    }
  }
  return partsOf({ characters, quoted, sawQuotes: true, expansions: new Map() }, undefined, true, extended);
}

function partsOf(units: Units, tilde: Tilde | undefined, globs: boolean, extended: boolean): readonly WordPart[] {
  const parts = new PartsBuilder();
  const hasLists = [...units.expansions.values()].some((each) => each.kind === "parameter" && isList(each));
  const unclosed = new Uint8Array(units.characters.length + 1);
  let at = 0;
  if (tilde !== undefined) {
    parts.add(tilde === "~" ? { kind: "home" } : directoryPart(tilde));
    at = tilde.length;
  }
  while (at < units.characters.length) {
    const character = units.characters[at] as string;
    const quoted = units.quoted[at] as boolean;
    const expansion = units.expansions.get(at);
    if (expansion !== undefined) {
      const quotation = hasLists && quoted ? units.quotations?.get(at) : undefined;
      parts.add({ ...expansion, quoted, ...(quotation === undefined ? {} : { quotation }) });
      at++;
      continue;
    }
    if (character === "") {
      // Quotes around nothing: beside an expansion they make a field of what may else be none.
      parts.add({ kind: "text", text: "", quoted: true });
      at++;
      continue;
    }
    if (globs && !quoted) {
      const group = extended && "?*+@!".includes(character) ? groupAt(units, at) : undefined;
      if (group !== undefined) {
        parts.add({ kind: "glob", source: group.source });
        at = group.end;
        continue;
      }
      if (character === "*" || character === "?") {
        parts.add({ kind: "glob", source: character });
        at++;
        continue;
      }
      const bracket = character === "[" ? bracketAt(units, at, unclosed) : undefined;
      if (bracket !== undefined) {
        parts.add({ kind: "glob", source: bracket.source });
        at = bracket.end;
        continue;
      }
    }
    parts.addText(character, quoted);
    at++;
  }
  return parts.finish();
}

/** `~+` and `~-` at the start of a word: the directory, or the characters where the variable is not set. */
function directoryPart(tilde: "~+" | "~-"): WordPart {
  const word = { parts: [{ kind: "text", text: tilde, quoted: true }], span: { start: 0, end: 0 } } as const;
  const operation = { kind: "default", orEmpty: false, word } as const;
  return { kind: "parameter", name: tilde === "~+" ? "PWD" : "OLDPWD", operation, quoted: true };
}

type Tilde = "~" | "~+" | "~-";

/** The characters of a word with, for each, whether it was quoted. */
interface Units {
  readonly characters: readonly string[];
  readonly quoted: readonly boolean[];
  readonly sawQuotes: boolean;
  /** Expansions by the index of the character that stands for them. */
  readonly expansions: ReadonlyMap<number, Expansion>;
  /** The pair of quotes around each expansion, by the same index. */
  readonly quotations?: ReadonlyMap<number, number>;
}

function removeQuotes(text: string, known: readonly Expansion[]): Units | undefined {
  const characters: string[] = [];
  const quoted: boolean[] = [];
  const expansions = new Map<number, Expansion>();
  const quotations = new Map<number, number>();
  let quotation = 0;
  let sawQuotes = false;
  let quote: "" | "'" | '"' = "";
  let quotedFrom = 0;
  const addExpansion = (expansion: Expansion): void => {
    expansions.set(characters.length, expansion);
    quotations.set(characters.length, quotation);
    characters.push("");
    quoted.push(quote !== "");
  };
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    at += character.length;
    if (quote === "'" ? character === "'" : character === '"' && quote === '"') {
      if (characters.length === quotedFrom) {
        characters.push("");
        quoted.push(true);
      }
      quote = "";
      continue;
    }
    if (quote === "" && (character === "'" || character === '"')) {
      quote = character;
      quotation++;
      sawQuotes = true;
      quotedFrom = characters.length;
      continue;
    }
    const expansion = quote === "'" ? undefined : expansionOf(character, known);
    if (expansion !== undefined) {
      addExpansion(expansion);
      continue;
    }
    if (quote !== "'" && character === "$" && (beginsExpansion(text[at]) || (quote === "" && /['"]/.test(text[at] ?? "")))) {
      const name = parameterName(text, at);
      if (name === undefined || !KNOWN_PARAMETER.test(name)) return undefined;
      addExpansion({ kind: "parameter", name, operation: undefined, ...(/^\d/.test(name) ? { bare: true as const } : {}) });
      at += name.length;
      continue;
    }
    if (quote !== "'" && character === "`") return undefined;
    if (quote !== "'" && character === "\\" && at < text.length) {
      const next = String.fromCodePoint(text.codePointAt(at) as number);
      at += next.length;
      sawQuotes = true;
      if (quote === '"' && !/[$`"\\]/.test(next)) {
        characters.push("\\");
        quoted.push(true);
      }
      characters.push(next);
      quoted.push(true);
      continue;
    }
    characters.push(character);
    quoted.push(quote !== "");
  }
  if (expansions.size > 0) return { characters, quoted, sawQuotes, expansions, quotations };
  const kept = characters.map((character) => character !== "");
  return { characters: characters.filter((_, at) => kept[at]), quoted: quoted.filter((_, at) => kept[at]), sawQuotes, expansions };
}

/** The name after a `$`: one digit, one special character, or a whole name. */
function parameterName(text: string, at: number): string | undefined {
  const naming = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
  naming.lastIndex = at;
  return naming.exec(text)?.[0];
}

/** Tells whether the word begins with a `~` that bash expands. One that bash expands elsewhere is refused rather than guessed. */
function tildeIn(text: string, tildes: "start" | "assignment" | "colons"): Tilde | "refused" | undefined {
  if (tildes === "colons" && text.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, "_").includes(":~")) return "refused";
  if (text.startsWith("~")) {
    const prefix = /^~[^/]*/.exec(text)?.[0] ?? "";
    if (prefix === "~" || prefix === "~+" || prefix === "~-") return prefix;
    return /['"\\]/.test(prefix) ? undefined : "refused";
  }
  return tildes === "assignment" && /^[A-Za-z_]\w*(\[.*\])?\+?=(.*[=:])?~/s.test(text) ? "refused" : undefined;
}

/**
 * A bracket expression at `open`: where it ends, and its text with quoted characters escaped. `unclosed` remembers
 * from where no `]` can be reached, so that a word of many `[` is read once and not once for each.
 */
function bracketAt(units: Units, open: number, unclosed: Uint8Array): { readonly source: string; readonly end: number } | undefined {
  const plain = (at: number): string | undefined => (units.quoted[at] === false ? units.characters[at] : undefined);
  let source = "[";
  let at = open + 1;
  if (plain(at) === "!" || plain(at) === "^") source += units.characters[at++];
  for (let first = true; at < units.characters.length; first = false) {
    const character = units.characters[at] as string;
    if (character === "/" || (!first && unclosed[at] === 1)) break;
    if (plain(at) === "]" && !first) return { source: `${source}]`, end: at + 1 };
    if (!first) unclosed[at] = 1;
    const named = plain(at) === "[" ? namedSetAt(units, at) : undefined;
    if (named !== undefined) {
      source += named.source;
      at = named.end;
      continue;
    }
    source += (units.quoted[at] as boolean) ? `\\${character}` : character;
    at++;
  }
  return undefined;
}

/** An extended pattern at `start`: where it ends, and its text with quoted characters escaped. */
function groupAt({ characters, quoted }: Units, start: number): { readonly source: string; readonly end: number } | undefined {
  if (characters[start + 1] !== "(" || quoted[start + 1] === true) return undefined;
  let source = characters[start] as string;
  let depth = 0;
  for (let at = start + 1; at < characters.length; at++) {
    const character = characters[at] as string;
    if (quoted[at] === true) {
      source += character.replace(SPECIAL, "\\$&");
      continue;
    }
    source += character;
    if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return { source, end: at + 1 };
  }
  return undefined;
}

/** Characters that a pattern gives a meaning, extended ones included. */
const SPECIAL = /[*?[\]\\!^+@(|)-]/g;

/** `[:alpha:]`, `[=a=]` or `[.a.]` inside a bracket expression. */
function namedSetAt(units: Units, open: number): { readonly source: string; readonly end: number } | undefined {
  const mark = units.characters[open + 1];
  if (mark === undefined || !":=.".includes(mark) || units.quoted[open + 1] === true) return undefined;
  const stop = Math.min(units.characters.length - 1, open + 2 + MOST_NAME);
  for (let at = open + 2; at < stop; at++) {
    if (units.quoted[at] === true || units.characters[at] === "/") return undefined;
    if (units.characters[at] === mark && units.characters[at + 1] === "]" && units.quoted[at + 1] === false) {
      const inner = units.characters.slice(open + 2, at).join("");
      return { source: `[${mark}${inner}${mark}]`, end: at + 2 };
    }
  }
  return undefined;
}

/** The longest class has 6 letters, the longest name of a collating element fewer than this. */
const MOST_NAME = 64;

/** Joins characters of the same kind into one text part. */
class PartsBuilder {
  readonly #parts: WordPart[] = [];
  #text = "";
  #quoted = false;

  addText(character: string, quoted: boolean): void {
    if (this.#text !== "" && quoted !== this.#quoted) this.#flush();
    this.#text += character;
    this.#quoted = quoted;
  }

  add(part: WordPart): void {
    this.#flush();
    this.#parts.push(part);
  }

  finish(): readonly WordPart[] {
    this.#flush();
    return this.#parts;
  }

  #flush(): void {
    if (this.#text !== "") this.#parts.push({ kind: "text", text: this.#text, quoted: this.#quoted });
    this.#text = "";
  }
}
