/**
 * The text between the nodes of the parsed line. The parser library is tolerant, so every character that no node covers is
 * read again here: blanks, comments and line continuations are skipped, newlines and operators are returned, here-document
 * bodies are passed over (and must be passed, each once, at the newline where bash reads them).
 */

export interface HereDocumentRegion {
  /** Position of its operator `<<`. */
  readonly operator: number;
  readonly start: number;
  /** Just past the newline after the delimiter line (or the end of the line). */
  readonly end: number;
}

export class Gaps {
  readonly #line: string;
  readonly #regions: readonly HereDocumentRegion[];
  readonly #passed = new Set<HereDocumentRegion>();

  constructor(line: string, regions: readonly HereDocumentRegion[]) {
    this.#line = line;
    this.#regions = [...regions].sort((a, b) => a.operator - b.operator);
  }

  /** The operators and newlines from `from` to `to`; undefined where something stands there that cannot. */
  between(from: number, to: number): string | undefined {
    let found = "";
    let at = from;
    while (at < to) {
      const character = this.#line[at] as string;
      if (character === " " || character === "\t") {
        at++;
      } else if (character === "\\" && this.#line[at + 1] === "\n") {
        at += 2;
      } else if (character === "#" && this.#beginsComment(at)) {
        const newline = this.#line.indexOf("\n", at);
        at = newline < 0 || newline > to ? to : newline;
      } else if (character === "\n") {
        const next = this.#passBodies(at);
        if (next === undefined) return undefined;
        found += "\n";
        at = next;
      } else if (OPERATOR_CHARACTERS.includes(character)) {
        found += character;
        at++;
      } else {
        return undefined;
      }
    }
    return at === to || at >= this.#line.length ? found : undefined;
  }

  /**
   * The text between `from` and the reserved word `keyword`, and the place of that word; undefined if anything else stands
   * there.
   */
  toKeyword(from: number, keyword: string): { readonly gap: string; readonly start: number; readonly end: number } | undefined {
    const finding = new RegExp(`(?<![^\\s;&|(){}])${keyword.replace(/[[\]]/g, "\\$&")}(?![^\\s;&|()<>\\\\])`, "g");
    finding.lastIndex = from;
    for (let found = finding.exec(this.#line); found !== null; found = finding.exec(this.#line)) {
      const gap = this.between(from, found.index);
      if (gap !== undefined) return { gap, start: found.index, end: found.index + keyword.length };
      if (!this.#mayReach(from, found.index)) return undefined;
    }
    return undefined;
  }

  /** Tells whether a word found at `to` may be inside a comment or the body of a here-document. */
  #mayReach(from: number, to: number): boolean {
    return /[#\n]/.test(this.#line.slice(from, to));
  }

  /** True if every here-document was passed over exactly where bash reads its body. */
  get complete(): boolean {
    return this.#passed.size === this.#regions.length;
  }

  /** The place at which reading goes on after the newline at `newline`; undefined if a body should begin there and does not. */
  #passBodies(newline: number): number | undefined {
    let at = newline + 1;
    for (const region of this.#regions) {
      if (region.operator > newline || region.end <= newline) continue;
      if (region.start !== at) return undefined;
      this.#passed.add(region);
      at = region.end;
    }
    return at;
  }

  /** `#` begins a comment only where a word could begin. Line continuations do not separate. */
  #beginsComment(at: number): boolean {
    let before = at;
    while (this.#line.slice(before - 2, before) === "\\\n") before -= 2;
    return before === 0 || " \t\n;&|(){}".includes(this.#line[before - 1] as string);
  }
}

const OPERATOR_CHARACTERS = ";&|(){}!";
