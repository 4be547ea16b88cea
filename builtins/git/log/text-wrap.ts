/** `%w(WIDTH,FIRST,REST)`: text broken at spaces, as git breaks it. */
import { textWidth } from "../../../src/display/character-width.ts";
import { toWord } from "../objects/byte-text.ts";

export interface WrapRule {
  readonly width: number;
  /** Columns before the first line, and before the others. Below zero: so many columns of the first line are taken already. */
  readonly first: number;
  readonly rest: number;
}

/** Undefined where the rule says nothing: the text stays as it is. */
export function readWrap(text: string): WrapRule | undefined {
  const [width = 0, first = 0, rest = 0] = text.split(",").map((word) => Number(word.trim()) || 0);
  return width === 0 && first === 0 && rest === 0 ? undefined : { width, first, rest };
}

export function wrappedText(text: string, { width, first, rest }: WrapRule): string {
  if (width <= 0) return text.replace(/[^\n]*\n|[^\n]+$/g, (line, at: number) => " ".repeat(at === 0 ? first : rest) + line);
  let out = "";
  let indent = first;
  let column = Math.abs(first);
  let begin = 0;
  let space = first < 0 ? 0 : -1;
  for (let at = 0; ; ) {
    const unit = text[at];
    if (unit !== undefined && !/[ \t-\r]/.test(unit)) {
      // A character of several bytes is as wide as it is shown.
      let end = at + 1;
      while ((text.charCodeAt(end) & 0xc0) === 0x80) end++;
      column += textWidth(toWord(text.slice(at, end)));
      at = end;
      continue;
    }
    let breaks = column > width && space >= 0;
    if (!breaks) {
      if (unit === undefined && at === begin) return out;
      out += space >= 0 ? text.slice(space, at) : " ".repeat(indent) + text.slice(begin, at);
      if (unit === undefined) return out;
      space = at;
      if (unit === "\t") column |= 7;
      else if (unit === "\n") {
        space++;
        if (text[space] === "\n") {
          out += "\n";
          breaks = true;
        } else if (!/[A-Za-z0-9]/.test(text[space] ?? "")) breaks = true;
        else out += " ";
      }
      if (!breaks) {
        column++;
        at++;
        continue;
      }
    }
    out += "\n";
    at = space + (/[ \t-\r]/.test(text[space] ?? "") ? 1 : 0);
    begin = at;
    space = -1;
    column = rest;
    indent = rest;
  }
}
