/**
 * tac -r: a separator as a regular expression. GNU tac leaves regex(3) at its Emacs syntax: as a basic regular
 * expression, but `+` and `?` repeat as they stand, and there are neither intervals nor character classes.
 */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { BufferSearch } from "../../src/search/buffer-search.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { Separator } from "./records.ts";

/** Throws UsageError with regcomp's words. */
export function compileSeparator(pattern: string): Separator {
  const pieces = pattern.match(PIECE) ?? [];
  const hasAnchor = pieces.some((piece) => piece === "^" || piece === "$");
  const hasReference = pieces.some((piece) => /^\\[1-9]$/.test(piece));
  const basic = pieces.map((piece) => asBasic(piece, hasAnchor, hasReference)).join("");
  try {
    const search = new BufferSearch(basic, {
      syntax: "basic",
      foldCase: false,
      emptyRanges: true,
      ...(hasAnchor && { lineSeparator: 10 }),
    });
    return new PatternSeparator(search);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new UsageError("bad-value", thrown.message);
  }
}

/**
 * A piece of the Emacs syntax in terms of the basic one. There a newline is no character for `.` but one for `[^…]`,
 * which the search has the other way round where it knows lines, and knows nothing of where it does not.
 */
function asBasic(piece: string, hasAnchor: boolean, hasReference: boolean): string {
  if (piece === "+" || piece === "?") return `\\${piece}`;
  if (piece === "\\+" || piece === "\\?") return `[${piece.charAt(1)}]`;
  if (piece === "\\{" || piece === "\\}") return piece.charAt(1);
  if (piece === ".") return hasAnchor ? "." : "[^\n]";
  if (!piece.startsWith("[")) return piece;
  const bracket = piece.replace(/(?<=.)\[:/gs, ":[");
  return hasAnchor && !hasReference && bracket.startsWith("[^") ? `\\(${bracket}\\|\n\\)` : bracket;
}

const PIECE = /\\[^]|\[\^?\]?[^\]]*\]?|[^]/gu;

class PatternSeparator implements Separator {
  readonly step = 1;
  readonly needsWhole = true;
  start = 0;
  end = 0;
  readonly #search: BufferSearch;
  /** How much to look at before going further back, in bytes: about two records. */
  #window = 256;

  constructor(search: BufferSearch) {
    this.#search = search;
  }

  lastIn(bytes: Buffer, to: number, latest: number): boolean {
    const search = this.#search;
    if (latest < 0) return false;
    for (let width = this.#window; ; width *= 4) {
      // What stands before the window decides about `^`, so its first byte is only looked back at.
      const from = Math.max(0, latest - width);
      const first = from === 0 ? 0 : from + 1;
      search.load(bytes, from, to);
      let isFound = false;
      for (let at = first; at <= latest && search.find(at, false); at = (search.offsets[0] as number) + 1) {
        const start = search.offsets[0] as number;
        if (start > latest) break;
        this.start = start;
        this.end = search.offsets[1] as number;
        isFound = true;
      }
      if (isFound) {
        this.#window = Math.min(1 << 16, Math.max(64, 2 * (to - this.start)));
        return true;
      }
      if (from === 0) return false;
    }
  }
}
