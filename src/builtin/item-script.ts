/**
 * `sh -c 'wc -l {}'` behind `xargs -I{}` and `find -exec`: the same as `sh -c 'wc -l "$1"' sh {}`, so that the item is an argument and
 * never text of the shell. An item that the script's own shell would have read as more than the word it is, is not accepted.
 */
import { quoteAlways } from "../display/quote.ts";
import type { Argument } from "./arguments.ts";

/** The command with its items as arguments. */
export interface ItemScript {
  /** Without an item: the item is not known yet. */
  command(item?: string): readonly Argument[];
  /** Tells whether the script with `item` in it means the same. */
  accepts(item: string): boolean;
}

/** Undefined where `words` are no script of a shell with `replace` in it, or it cannot be written with an argument. */
export function itemScript(words: readonly string[], replace: string | undefined): ItemScript | undefined {
  const [name, flag, typed, ...others] = words;
  if (name === undefined || typed === undefined || replace === undefined || replace === "" || others.length > 0) return undefined;
  if (!/^(?:ba|da)?sh$/.test(name) || !/^-[a-z]*c$/.test(flag ?? "") || flag?.includes(replace) === true) return undefined;
  const made = withArgument(typed, replace);
  if (made === undefined) return undefined;
  const before: readonly Argument[] = [{ text: name }, { text: flag ?? "" }, { text: made.script, typedAs: typed }, { text: name }];
  return {
    command: (item) => [...before, { text: item ?? replace, operandOnly: true, ...(item === undefined ? { unknown: true } : {}) }],
    accepts: (item) => [...made.quotes].every((quote) => ACCEPTED[quote].test(item)),
  };
}

/** Message about an item that is not accepted. */
export const notAWord = (item: string): string =>
  `${quoteAlways(item)} would be read as text of the shell: write "$1" in the script, and give the item behind it (sh -c 'COMMAND "$1"' _ {})`;

/** Quotes around a place of the item. */
type Quote = "" | "'" | '"';

/** Items that are one word, and the same word, where they stand. */
const ACCEPTED: Readonly<Record<Quote, RegExp>> = {
  "": /^[\p{L}\p{N}_./,+@%:=^-]+$/u,
  "'": /^[^']*$/,
  '"': /^[^$`"\\]*$/,
};

/**
 * Arguments of its own; a comment, a `case` or a here-document, which could hold a lone quote or parenthesis; a regular expression, where
 * quotes mean something.
 */
const NOT_REWRITTEN = /\$(?:[@*#\d'"]|\{[#!]?[@*\d]|\{#\})|`|<<|=~|(?:^|[\s;&|()])#|\bcase\b/;

/** True where the item would stand, outside of quotes, in a name, an operator or a brace expansion. */
const isPartOfSyntax = (script: string, replace: string): boolean => {
  const item = literal(replace);
  return new RegExp(`~${item}|${item}(?:[<>(=[]|\\+=)|\\{[^{}\\s]*${item}|${item}[^{}\\s]*\\}`).test(script);
};

/** `script` with `"$1"` in the places of `replace`; undefined where that may mean something else. */
export function withArgument(script: string, replace = "{}"): { readonly script: string; readonly quotes: ReadonlySet<Quote> } | undefined {
  /** The quote that is open in each substitution, the innermost last; "" for none. */
  const open = [""];
  const quotes = new Set<Quote>();
  let written = "";
  /** All but what stands in single quotes. */
  let syntax = "";
  for (const [piece] of script.matchAll(new RegExp(`${literal(replace)}|\\$\\(\\(?|\\\\[^]|[^]`, "g"))) {
    const quote = open.at(-1) ?? "";
    if (piece === replace) {
      const around = quote === "'" || quote === '"' ? quote : "";
      if (around !== "'" && /[$\\]$/.test(written)) return undefined;
      if (around !== "'") syntax += around === '"' ? "x" : piece;
      written += around === "'" ? `'"$1"'` : around === '"' ? "$1" : '"$1"';
      quotes.add(around);
      continue;
    }
    if (quote === "'") {
      // A backslash means nothing there, also before the quote that ends it.
      written += piece;
      if (piece.endsWith("'")) open[open.length - 1] = "";
      continue;
    }
    written += piece;
    syntax += piece;
    if (piece.startsWith("$(")) open.push(...(piece === "$((" ? ["(", ""] : [""]));
    else if (piece === '"') open[open.length - 1] = quote === '"' ? "" : '"';
    else if (piece === "'" && quote === "") open[open.length - 1] = "'";
    else if (piece === "(" && quote === "") open.push("");
    else if (piece === ")" && quote === "" && open.length > 1) open.pop();
    else if (piece === ")" && quote === "(" && open.length > 1) open.pop();
  }
  const isOther = NOT_REWRITTEN.test(syntax) || isPartOfSyntax(syntax, replace);
  return quotes.size === 0 || isOther ? undefined : { script: written, quotes };
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
