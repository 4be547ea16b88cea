/** Words of the parser library's tree → ours. */
import type { Word as SourceWord } from "unbash";
import { expandBraces, MixedRange, MOST_BRACE_WORDS, MOST_BRACES, TooManyWords } from "./braces.ts";
import { QUOTED } from "./lower-assignments.ts";
import { type Lowerer, type Lowering, spanOf } from "./lowering.ts";
import { unparsable } from "./problem.ts";
import { expansionsIn, type SourceExpansion } from "./source-expansions.ts";
import type { Expansion, Span, Word } from "./tree.ts";
import { readWordParts, type WordParts } from "./word-parts.ts";
import { readQuotedText, readWordSource, type WordReader } from "./word-source.ts";

/** Use of a word that is not split into several words. */
type PlainWord = "redirect" | "here-string" | "value" | "pattern" | "regex";

export class WordLowerer {
  readonly #lowering: Lowering;
  readonly reader: WordReader;

  constructor(lowering: Lowering, lowerer: Lowerer) {
    this.#lowering = lowering;
    this.reader = {
      line: lowering.line,
      substitution: (found: SourceExpansion, span: Span): Expansion | undefined => lowerer.substitution(found, span),
      processSubstitution: (found: SourceExpansion, span: Span): Expansion | undefined => lowerer.processSubstitution(found, span),
      allowsExtendedGlob: (at) => lowering.allowsExtendedGlob(at),
      refuse: (construct, span) => lowering.refuse(construct, span),
      disagree: (span, what) => lowering.disagree(span, what),
    };
  }

  /** The words `node` gives after brace expansion: none, one or several. */
  word(node: SourceWord, into: Word[], use: "argument" | "redirect" = "argument"): void {
    const source = readWordSource(this.reader, node, expansionsIn(node.parts), "argument");
    if (source === undefined) return;
    const span = spanOf(node);
    const words = this.#braceWords(source.text, span);
    if (words[0] !== source.text && this.#hasOddBraces(node)) {
      const detail =
        "bash counts the braces inside ${…} with those outside it, and here they are not in pairs. Put the expansion in double quotes.";
      this.#lowering.problem(unparsable("brace-words", span, detail));
      return;
    }
    for (const text of words) {
      const tildes = use === "argument" && text === source.text ? "assignment" : "start";
      this.#add(readWordParts(text, { globs: true, tildes, expansions: source.expansions }), span, into);
    }
  }

  /** A word that stays one word: no braces, no globs. Undefined where it is empty or a problem. */
  plain(node: Pick<SourceWord, "pos" | "end" | "parts">, use: PlainWord): Word | undefined {
    const span = spanOf(node);
    const source = readWordSource(this.reader, node, expansionsIn(node.parts), use === "regex" ? "regex" : "plain");
    if (source === undefined) return undefined;
    const tildes = use === "here-string" || use === "value" ? "colons" : "start";
    const words: Word[] = [];
    this.#add(readWordParts(source.text, { globs: false, tildes, expansions: source.expansions }), span, words);
    return words[0];
  }

  /** Tells whether a word with `${…}` has unpaired braces, as in `{a,b}${x#\{}` without the backslash. */
  #hasOddBraces({ pos, end }: SourceWord): boolean {
    const source = this.#lowering.line.slice(pos, end).replace(QUOTED, "_");
    return source.includes("${") && source.split("{").length !== source.split("}").length;
  }

  /** The text of arithmetic, with the expansions in it. */
  arithmetic(span: Span, found: Parameters<typeof readQuotedText>[2]): Word | undefined {
    return readQuotedText(this.reader, span, found, "arithmetic");
  }

  #add(reading: WordParts, span: Span, into: Word[]): void {
    if (reading.kind === "parts") into.push({ parts: reading.parts, span });
    else if (reading.kind === "refused") this.#lowering.refuse(reading.construct, span);
  }

  #braceWords(text: string, span: Span): readonly string[] {
    try {
      return expandBraces(text, this.#lowering.braces);
    } catch (thrown) {
      if (thrown instanceof TooManyWords) {
        const detail = `Braces make more than ${MOST_BRACE_WORDS} words (or a word has more than ${MOST_BRACES} braces), which is past what a line may hold. Use a smaller range, or seq.`;
        this.#lowering.problem(unparsable("brace-words", span, detail));
        return [];
      }
      if (!(thrown instanceof MixedRange)) throw thrown;
      this.#lowering.refuse("brace-range", span);
      return [];
    }
  }
}
