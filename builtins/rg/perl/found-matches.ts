/** The matches in lines that the search reports (crates/printer/src/util.rs of ripgrep, find_iter_at_in_context). */
import type { Span, TextMatches } from "../../../src/regex/text-pattern.ts";
import { withoutNewline } from "./line-ranges.ts";

/** Bytes behind the lines of a match that a look-ahead may see. */
const MOST_LOOK_AHEAD = 128;

/**
 * The matches that begin in `lines`. `seen` is the text in which they are looked for again, up to the end of the lines: of the
 * single line, or where matches may go over several, a little further.
 */
export function* matchesIn(
  matches: TextMatches,
  bytes: Buffer,
  range: { readonly lines: Span; readonly seen: Span; readonly multiline: boolean },
): Generator<Span, void> {
  const { lines } = range;
  const { start, end } = textFor(bytes, range);
  let last: number | undefined;
  for (let at = lines.start; at <= end; ) {
    const match = matches.find(at, start, end);
    if (match === undefined) return;
    const isEmpty = match.start === match.end;
    at = isEmpty ? match.end + 1 : match.end;
    // An empty match right behind a match is none.
    if (isEmpty && match.end === last) continue;
    last = match.end;
    if (match.start >= lines.end) return;
    yield match;
  }
}

/** The text in which the matches of `lines` are looked for. */
export function textFor(
  bytes: Buffer,
  { lines, seen, multiline }: { readonly lines: Span; readonly seen: Span; readonly multiline: boolean },
): Span {
  if (!multiline) return withoutNewline(bytes, { start: seen.start, end: lines.end });
  return { start: seen.start, end: Math.min(seen.end, lines.end + MOST_LOOK_AHEAD) };
}
