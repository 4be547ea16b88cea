/** A named pipeline as text with its values in it: for the audit and for reports, never to be run. */
import { quoteWord } from "../display/quote.ts";
import type { Span, WordPart } from "./tree.ts";
import { staticText } from "./tree.ts";

/** One argument of a call. */
export interface PipelineArgument {
  /** All of them quoted. */
  readonly parts: readonly WordPart[];
  /** Span of the value in the line. */
  readonly span: Span;
  /** The value as typed. */
  readonly source: string;
}

export interface RenderedDefinition {
  readonly text: string;
  /** The part of the text that comes from `span` of the definition. */
  readonly slice: (span: Span) => string;
}

/** `command` with the values quoted for the place they stand in. */
export function renderDefinition(command: string, values: ReadonlyMap<string, PipelineArgument>): RenderedDefinition {
  const pieces = piecesOf(command, values);
  const slice = ({ start, end }: Span): string => pieces.map((piece) => piece.within(start, end)).join("");
  return { text: slice({ start: 0, end: command.length }), slice };
}

interface Piece {
  readonly within: (start: number, end: number) => string;
}

/** Plain text between placeholders, and the values in their places. */
function piecesOf(command: string, values: ReadonlyMap<string, PipelineArgument>): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const plain = (to: number): void => {
    const piece = { start: from, end: to };
    pieces.push({ within: (start, end) => command.slice(Math.max(start, piece.start), Math.max(start, Math.min(end, piece.end))) });
  };
  for (const { start, end, key, quoted } of placeholders(command)) {
    const value = values.get(key);
    if (value === undefined) continue;
    plain(start);
    const text = textOf(value, quoted);
    pieces.push({ within: (first, last) => (start >= first && end <= last ? text : "") });
    from = end;
  }
  plain(command.length);
  return pieces;
}

interface Placeholder extends Span {
  readonly key: string;
  /** True if it stands in double quotes. */
  readonly quoted: boolean;
}

/** `${key}` and `$key` where the shell would expand them. */
function* placeholders(command: string): Generator<Placeholder> {
  const scanner = /\\[^]|'[^']*'|"|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)|\$\(|\(|\)/g;
  // For each open level of `$( )`: true inside double quotes of its own.
  const levels = [false];
  for (let found = scanner.exec(command); found !== null; found = scanner.exec(command)) {
    const [text, braced, bare] = found;
    const quoted = levels.at(-1) === true;
    const key = braced ?? bare;
    if (text === '"') levels[levels.length - 1] = !quoted;
    else if (text.startsWith("'") && quoted) scanner.lastIndex = found.index + 1;
    else if (text === "$(" || (text === "(" && !quoted)) levels.push(false);
    else if (text === ")" && !quoted && levels.length > 1) levels.pop();
    else if (key !== undefined) yield { start: found.index, end: found.index + text.length, key, quoted };
  }
}

function textOf({ parts, span, source }: PipelineArgument, quoted: boolean): string {
  const text = staticText({ parts, span });
  if (text === undefined) return quoted ? source.replace(/^"([^"]*)"$/, "$1") : source;
  return quoted ? text.replace(/["\\$`]/g, "\\$&") : quoteWord(text);
}
