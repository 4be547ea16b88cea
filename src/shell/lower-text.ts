/** Commands that stand in the line as text for another command (`trap TEXT`, `eval TEXT`): a list of the line's own. */
import type { ParsedScript } from "unbash";
import type { LoweredScript } from "./lower.ts";
import type { Lowering } from "./lowering.ts";
import { parseSource } from "./source-parse.ts";
import { staticText, type List, type Word } from "./tree.ts";

/** `lowerScript` of lower.ts, within another text. */
export type LowerWithin = (line: string, script: ParsedScript, outer: Lowering) => LoweredScript;

export class TextLowerer {
  readonly #lowering: Lowering;
  readonly #lower: LowerWithin;

  constructor(lowering: Lowering, lower: LowerWithin) {
    this.#lowering = lowering;
    this.#lower = lower;
  }

  /** The text that `word` gives; undefined where it is not in the line. `"… $$ …"` is: the number is the same when the text is read. */
  textOf(word: Word): string | undefined {
    const source = this.#lowering.line.slice(word.span.start, word.span.end);
    const isNumbered = word.parts.every((part) => part.kind === "text" || (part.kind === "parameter" && part.name === "$"));
    return isNumbered && /^"[^'"\\{]*"$/.test(source) ? source.slice(1, -1) : staticText(word);
  }

  /** The commands of `words`, joined by blanks; undefined where that is not literally a piece of the line. */
  listOf(words: readonly [Word, ...Word[]]): List | undefined {
    const { line } = this.#lowering;
    const texts = words.map((word) => this.textOf(word));
    const span = { start: words[0].span.start, end: (words.at(-1) as Word).span.end };
    const source = line.slice(span.start, span.end);
    const text = texts.join(" ");
    if (texts.includes(undefined)) return undefined;
    const isQuoted = words.length === 1 && (source === `'${text}'` || source === `"${text}"`);
    if (!isQuoted && source !== text) return undefined;
    const start = span.start + (isQuoted ? 1 : 0);
    // As long as the line up to there, so that every place in it is the place in the line.
    const padded = line.slice(0, start).replace(/[^\n]/g, " ") + text;
    const list = this.#lowering.nested(span, () => this.#listIn(padded, span));
    return { items: list?.items ?? [], span };
  }

  #listIn(padded: string, span: List["span"]): List | undefined {
    const script = parseSource(padded);
    const error = script === undefined ? "it is nested too deeply" : script.errors?.[0]?.message;
    if (script === undefined || error !== undefined) {
      this.#lowering.disagree(span, error ?? "");
      return undefined;
    }
    const { list, problems } = this.#lower(padded, script, this.#lowering);
    for (const problem of problems) this.#lowering.problem(problem);
    return problems.length > 0 ? undefined : list;
  }
}
