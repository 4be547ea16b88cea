/** The end of a text that bash would ask for more lines after: an open quote, here-document or compound command. */
import { hereDocuments } from "./here-document-regions.ts";
import { barredText } from "./parse.ts";
import { parseSource } from "./source-parse.ts";

export type Unfinished =
  /** `closing`: the character that bash looks for. */
  | { readonly kind: "quote"; readonly closing: string }
  | { readonly kind: "here-document"; readonly delimiter: string; readonly lineNumber: number }
  /** A compound command, an operator without its second command, or a backslash at the end. */
  | { readonly kind: "command" };

/** The construct that `text` leaves open at its end; undefined for a text that is whole, or that no further line would mend. */
export function unfinishedIn(text: string): Unfinished | undefined {
  if (barredText(text) !== undefined) return undefined;
  const script = parseSource(text);
  if (script === undefined) return undefined;
  const errors = script.errors ?? [];
  if (errors.some((error) => !isAtEnd(text, error))) return undefined;
  const quotes = errors.filter(({ message }) => message.startsWith(UNTERMINATED));
  const innermost = quotes.at(-1);
  if (innermost !== undefined) return { kind: "quote", closing: closingOf(innermost.message.slice(UNTERMINATED.length)) };
  const open = hereDocuments(script).filter(({ closing }) => closing === undefined);
  const first = open.sort((a, b) => a.pos - b.pos)[0];
  if (first !== undefined) {
    const lineNumber = text.slice(0, first.pos).split("\n").length;
    return { kind: "here-document", delimiter: first.delimiter?.value ?? "", lineNumber };
  }
  if (errors.some(({ message }) => GOES_ON.test(message)) && !ENDS_TOO_SOON.test(text)) return { kind: "command" };
  return endsInBackslash(text) ? { kind: "command" } : undefined;
}

/** The parser's words for a text that ends within a quotation or an expansion. */
const UNTERMINATED = "unterminated ";
/** Its words for a text that ends where a newline may stand. */
const GOES_ON = /^expected (?:.* to close |command after '(?:\||\|&|&&|\|\|)'|compound command as function body)/;
/** Words that bash has the next word on the same line of, and an unfinished operand of `[[`. */
const ENDS_TOO_SOON = /(?:^|[\s;&|(){}])(?:for|case|select|coproc)\s*$|\[\[(?:(?!\]\]|&&|\|\|).)*[^\s&|(!]\s*$/s;

/** True if nothing follows the place of `error`, be it a comment, or what opens the command that misses its end. */
function isAtEnd(text: string, { message, pos }: { readonly message: string; readonly pos: number }): boolean {
  return message.startsWith(UNTERMINATED) || (message.startsWith("expected ") && /^[\s({]*(?:#.*)?$/.test(text.slice(pos)));
}

function closingOf(construct: string): string {
  switch (construct) {
    case "single quote":
    case "ANSI-C quote":
      return "'";
    case "double quote":
      return '"';
    case "backtick":
      return "`";
    case "parameter expansion":
      return "}";
    case "array subscript":
      return "]";
    default:
      return ")";
  }
}

/** True for a backslash that joins the next line to this one: in a comment, and behind another backslash, it does not. */
function endsInBackslash(text: string): boolean {
  if (!/(?<!\\)(?:\\\\)*\\$/.test(text)) return false;
  // A quote in its place is open, unless it stands in a comment.
  const errors = parseSource(`${text.slice(0, -1)}'`)?.errors ?? [];
  return errors.some(({ message, pos }) => message === `${UNTERMINATED}single quote` && pos === text.length - 1);
}
