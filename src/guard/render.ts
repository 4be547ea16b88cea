/**
 * Violations for people and for the wire: the one file that renders them. Match on `code` and `reason`, never on text.
 */
import { characterWidth } from "../display/character-width.ts";
import { byteLengthOf } from "../io/text.ts";
import { escapeOf, showName, showText } from "../display/visible.ts";
import { VIOLATION_REASONS, type Violation } from "./violation.ts";

/**
 * The line, a caret line under the span, the reason, and last `try:` with a line that works.
 * ```
 * tail -f app.log | grep ERROR
 *      ^^ DISALLOWED_FLAG: tail -f never ends, and a pipeline here must finish
 * try: tail -n 200 app.log | grep ERROR
 * ```
 */
export function renderViolation(line: string, violation: Violation): string {
  const { position } = violation;
  const said = reasonAndDetail(violation);
  if (position === undefined) return said + suggestionOf(violation);
  const { text, before, carets } = pointed(line, position.start, position.end);
  return `${text}\n${" ".repeat(before)}${"^".repeat(carets)} ${said}${suggestionOf(violation)}`;
}

/** The text of an answer over MCP: the reason comes first, because some clients show one line (DESIGN §6). */
export function renderAnswer(line: string, violation: Violation): string {
  const { position } = violation;
  if (position === undefined) return reasonAndDetail(violation) + suggestionOf(violation);
  const { text, before, carets } = pointed(line, position.start, position.end);
  // Indented, so that the typed line cannot pass for a line of ours.
  return `${reasonAndDetail(violation)}${INDENT}${text}\n${INDENT}${" ".repeat(before)}${"^".repeat(carets)}\n${suggestionOf(violation)}`;
}

/** The reasons of a refusal one after the other, and one suggestion for the whole line: each is already a line of which all runs. */
export function renderRefusal(line: string, violations: readonly Violation[]): string {
  return suggestedOnce(violations, violations.length - 1)
    .map((violation) => renderAnswer(line, violation))
    .join("");
}

/** `violations` with the first suggestion at the one at `place`, and none at the others. */
export function suggestedOnce(violations: readonly Violation[], place: number): readonly Violation[] {
  const chosen = violations.find((each) => shownSuggestion(each) !== undefined);
  return violations.map(({ suggestion: _, lost: __, ...rest }, at) => {
    const { suggestion, lost } = at === place ? (chosen ?? { suggestion: undefined }) : { suggestion: undefined };
    return { ...rest, suggestion, ...(lost === undefined ? {} : { lost }) };
  });
}

/**
 * Data that an answer with an error shows, with the first character spelled out of each line that begins as lines of such an answer
 * do. Lines that begin as other lines of ours are marked by display/visible.ts.
 */
export const markedInError = (text: string): string => text.replace(BEGINS_AS_ERROR, escapeOf);

/** Line before the output of a call that ended in an error. */
export const OUTPUT_UNTIL_THEN = "output until then:";

const BEGINS_AS_ERROR = new RegExp(
  `^(?=(?:[Tt]ry|[Ii]nstead|[Nn]ext(?: \\([^)\\n]*\\))?|[Nn]ote|[Oo]utput until then|${VIOLATION_REASONS.join("|")}):).`,
  "gm",
);

/** `structuredContent` of a refusal. Positions are bytes of the line in UTF-8. */
export interface WireError {
  readonly error: {
    readonly code: Violation["code"];
    readonly reason: Violation["reason"];
    readonly detail: string;
    /** A line that does all that the refused one would have done. */
    readonly suggestion: string | null;
    /** A line that is near it, and what it lacks. */
    readonly instead: { readonly line: string; readonly lost: string } | null;
    readonly position: { readonly start: number; readonly end: number; readonly stage: number } | null;
  };
}

export function wireError(line: string, violation: Violation): WireError {
  const { code, reason, detail, position } = violation;
  const { suggestion, lost } = shownSuggestion(violation) ?? {};
  const byteAt = (unit: number): number => byteLengthOf(line.slice(0, unit));
  return {
    error: {
      code,
      reason,
      detail: showName(detail),
      suggestion: lost === undefined ? (suggestion ?? null) : null,
      instead: suggestion === undefined || lost === undefined ? null : { line: suggestion, lost },
      position: position === undefined ? null : { start: byteAt(position.start), end: byteAt(position.end), stage: position.stage },
    },
  };
}

const reasonAndDetail = ({ reason, detail }: Violation): string => `${reason}: ${showName(detail)}\n`;

const INDENT = "  ";

const suggestionOf = (violation: Violation): string => {
  const text = suggestionText(violation);
  return text === "" ? "" : `${text}\n`;
};

/** `try: LINE`, `instead: LINE  # what it lacks`; "" where there is none. It can be copied with the comment, which is one of the shell. */
export function suggestionText(violation: Pick<Violation, "suggestion" | "lost">): string {
  const shown = shownSuggestion(violation);
  if (shown === undefined) return "";
  const { suggestion, lost } = shown;
  if (lost === undefined) return `try: ${suggestion}`;
  // Behind the end of a here-document stands nothing else.
  return `instead: ${suggestion}${suggestion.includes("\n") ? "\n" : "  "}# ${lost}`;
}

/** To be copied as it is, so nothing in it is spelled out: one that would need it, or of which a line reads as ours, is not made. */
function shownSuggestion({
  suggestion,
  lost,
}: Pick<Violation, "suggestion" | "lost">): { suggestion: string; lost: string | undefined } | undefined {
  return isPlain(suggestion) ? { suggestion, lost: lost === undefined ? undefined : showName(lost) } : undefined;
}

const isPlain = (suggestion: string | undefined): suggestion is string =>
  suggestion !== undefined && showText(suggestion) === suggestion && !/\n(?:try|instead|[A-Z]+(?:_[A-Z]+)*): /.test(suggestion);

/** Columns of the command line that are shown; a longer one is cut around the span. */
const SHOWN_COLUMNS = 100;
/** UTF-16 units that are looked at of the span, and on each side of it. Room for characters of two units, and for combining ones. */
const MOST_UNITS = 400;

interface Pointed {
  readonly text: string;
  /** Columns before the first caret. */
  readonly before: number;
  readonly carets: number;
}

/** The one line of a multi-line command that holds `start`, cut to the columns shown, with the position of the carets. */
function pointed(line: string, start: number, end: number): Pointed {
  const lineStart = line.lastIndexOf("\n", start - 1) + 1;
  const newline = line.indexOf("\n", start);
  const lineEnd = newline < 0 ? line.length : newline;
  const markedEnd = Math.min(end, lineEnd);
  // Only what can be shown is looked at: a line may be of millions of characters.
  const from = betweenCharacters(line, Math.max(lineStart, start - MOST_UNITS));
  const markedTo = betweenCharacters(line, Math.min(markedEnd, start + MOST_UNITS));
  const to = betweenCharacters(line, Math.min(lineEnd, markedEnd + MOST_UNITS));
  const before = cells(line.slice(from, start));
  const marked = cells(line.slice(start, markedTo));
  const after = cells(line.slice(markedEnd, to));
  const shownMarked = takeColumns(marked, SHOWN_COLUMNS);
  const room = SHOWN_COLUMNS - columns(shownMarked);
  // Two thirds of the remaining columns go before the span, unless one side has room to spare.
  const afterColumns = Math.min(columns(after), Math.max(Math.floor(room / 3), room - columns(before)));
  const shownBefore = takeColumns([...before].reverse(), room - afterColumns).reverse();
  const shownAfter = takeColumns(after, afterColumns);
  const isMarkedCut = markedTo < markedEnd || shownMarked.length < marked.length;
  const head = from > lineStart || shownBefore.length < before.length ? "…" : "";
  const tail = isMarkedCut || to < lineEnd || shownAfter.length < after.length ? "…" : "";
  const shown = [...shownBefore, ...shownMarked, ...(isMarkedCut ? [] : shownAfter)];
  return {
    text: `${head}${shown.map((cell) => cell.text).join("")}${tail}`,
    before: head.length + columns(shownBefore),
    carets: Math.max(1, columns(shownMarked)),
  };
}

/** `at`, or one less where a surrogate pair would be cut in two. */
function betweenCharacters(text: string, at: number): number {
  const isInPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
  return isInPair ? at - 1 : at;
}

/** One character as it is shown, and its width in columns. */
interface Cell {
  readonly text: string;
  readonly columns: number;
}

const columns = (row: readonly Cell[]): number => row.reduce((sum, cell) => sum + cell.columns, 0);

function takeColumns(row: readonly Cell[], limit: number): Cell[] {
  const taken: Cell[] = [];
  let used = 0;
  for (const cell of row) {
    used += cell.columns;
    if (used > limit) break;
    taken.push(cell);
  }
  return taken;
}

function cells(text: string): readonly Cell[] {
  return Array.from(text, (character): Cell => {
    if (character === "\t") return { text: " ", columns: 1 };
    const shown = showName(character);
    if (shown !== character) return { text: shown, columns: shown.length };
    const width = characterWidth(character.codePointAt(0) as number);
    return { text: character, columns: width < 0 ? 1 : width };
  });
}
