/** -r: lines with every match replaced (crates/matcher/src/interpolate.rs and crates/printer/src/util.rs of ripgrep). */
import type { Span, TextMatches } from "../../../src/regex/text-pattern.ts";
import { toBytes } from "../../../src/io/text.ts";
import { matchesIn, textFor } from "./found-matches.ts";

/** A piece of the replacement: text as it is, or a group. */
type Piece = Buffer | { readonly group: number };

/** Replacement text as ripgrep reads it: `$1`, `$name`, `${name}`, `$$`; a name that no group has stands for nothing. */
export class Replacement {
  readonly #pieces: readonly Piece[];
  readonly #usesGroups: boolean;

  constructor(text: string, names: ReadonlyMap<string, number>) {
    this.#pieces = piecesOf(text, names);
    this.#usesGroups = this.#pieces.some((piece) => !Buffer.isBuffer(piece) && piece.group > 0);
  }

  /** The lines with their matches replaced, and the places of the replacements in them. */
  of(
    matches: TextMatches,
    bytes: Buffer,
    range: { readonly lines: Span; readonly seen: Span; readonly multiline: boolean },
  ): { readonly bytes: Buffer; readonly places: readonly Span[] } {
    const { lines } = range;
    const text = textFor(bytes, range);
    const parts: Buffer[] = [];
    const places: Span[] = [];
    let length = 0;
    const add = (part: Buffer): void => {
      parts.push(part);
      length += part.length;
    };
    let last = lines.start;
    for (const match of matchesIn(matches, bytes, range)) {
      add(bytes.subarray(last, match.start));
      last = match.end;
      const start = length;
      for (const part of this.#partsFor(match, matches, bytes)) add(part);
      places.push({ start, end: length });
    }
    add(bytes.subarray(last, last > lines.end ? text.end : Math.min(text.end, lines.end)));
    if (!range.multiline) add(bytes.subarray(text.end, lines.end));
    return { bytes: Buffer.concat(parts), places };
  }

  #partsFor(match: Span, matches: TextMatches, bytes: Buffer): readonly Buffer[] {
    if (this.#usesGroups) matches.loadGroups();
    return this.#pieces.map((piece) => {
      if (Buffer.isBuffer(piece)) return piece;
      const span = piece.group === 0 ? match : matches.group(piece.group);
      return span === undefined ? NOTHING : bytes.subarray(span.start, span.end);
    });
  }
}

const NOTHING = Buffer.alloc(0);
/** The highest number that is a group's; any higher is taken for a name. */
const MOST_GROUP = 2 ** 32 - 1;

function piecesOf(text: string, names: ReadonlyMap<string, number>): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(/\$\$|\$(?:\{([0-9A-Za-z_]+)\}|([0-9A-Za-z_]+))/g)) {
    pieces.push(toBytes(text.slice(from, found.index)));
    from = found.index + found[0].length;
    const name = found[1] ?? found[2];
    if (name === undefined) pieces.push(Buffer.from("$"));
    else {
      const group = /^[0-9]+$/.test(name) && Number(name) <= MOST_GROUP ? Number(name) : names.get(name);
      if (group !== undefined) pieces.push({ group });
    }
  }
  pieces.push(toBytes(text.slice(from)));
  return pieces;
}
