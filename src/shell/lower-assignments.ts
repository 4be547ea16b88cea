/** Assignments of the parser library's tree → ours: `NAME=value`, `NAME[subscript]=value`, `NAME=(…)`. */
import type { ArrayValue, Assignment as SourceAssignment, Word as SourceWord } from "unbash";
import { type Lowering, spanOf } from "./lowering.ts";
import type { WordLowerer } from "./lower-words.ts";
import { expansionsIn, type SourceExpansions } from "./source-expansions.ts";
import type { ArrayElement, Assignment, ElementSubscript, Span, Word } from "./tree.ts";
import { WordScanner } from "./word-source.ts";

export class AssignmentLowerer {
  readonly #lowering: Lowering;
  readonly #words: WordLowerer;

  constructor(lowering: Lowering, words: WordLowerer) {
    this.#lowering = lowering;
    this.#words = words;
  }

  /** Undefined where it is a problem, which has been noted. */
  assignment(node: SourceAssignment): Assignment | undefined {
    const { line, problems } = this.#lowering;
    const span = spanOf(node);
    const name = /^[A-Za-z_]\w*/.exec(line.slice(node.pos, node.end))?.[0];
    if (name === undefined || node.name !== name) return this.#disagree(span);
    const before = problems.length;
    let at = node.pos + name.length;
    let subscript: ElementSubscript | undefined;
    if (line[at] === "[") {
      const scanner = new WordScanner(this.#words.reader, expansionsIn(node.index?.parts), { start: at + 1, end: node.end });
      subscript = scanner.subscript();
      if (subscript === undefined) return problems.length > before ? undefined : this.#disagree(span);
      at = scanner.at;
    }
    if ((subscript === undefined) !== (node.index === undefined)) return this.#disagree(span);
    const append = line[at] === "+";
    if (append) at++;
    if (line[at] !== "=" || (node.append === true) !== append) return this.#disagree(span);
    at++;
    const found: Assignment = { name, ...(subscript === undefined ? {} : { subscript }), append, value: { parts: [], span }, span };
    const { value } = node;
    if (value.type === "ArrayValue") {
      if (subscript !== undefined) return void this.#lowering.refuse("array", span);
      const elements = this.#elements(value, at, node.end);
      return problems.length > before ? undefined : { ...found, elements };
    }
    if (at === node.end) return found;
    if (value.pos !== at || value.end !== node.end) return this.#disagree(span);
    const word = this.#words.plain(value, "value");
    return problems.length > before ? undefined : { ...found, value: word ?? { parts: [], span: spanOf(value) } };
  }

  /** Tells whether bash would expand braces in the value of `declare NAME=value`. */
  hasBraces({ pos, end, value }: SourceAssignment): boolean {
    return value.type === "Word" && hasBraces(this.#lowering.line.slice(pos, end));
  }

  #elements(node: ArrayValue, start: number, end: number): readonly ArrayElement[] {
    const { line, gaps } = this.#lowering;
    const elements: ArrayElement[] = [];
    if (line[start] !== "(" || node.pos !== start || line[end - 1] !== ")" || node.end !== end) {
      this.#disagree({ start, end });
      return elements;
    }
    let at = start + 1;
    for (const [index, word] of node.elements.entries()) {
      if (!/^\n*$/.test(gaps.between(at, word.pos) ?? "?") || (index > 0 && word.pos === at)) this.#disagree(spanOf(word));
      elements.push(this.#element(word));
      at = word.end;
    }
    if (!/^\n*$/.test(gaps.between(at, end - 1) ?? "?")) this.#disagree({ start: at, end });
    return elements;
  }

  #element(node: SourceWord): ArrayElement {
    const found = expansionsIn(node.parts);
    const pair = this.#pair(node, found);
    const source = this.#lowering.line.slice(node.pos, node.end);
    if (pair !== undefined) return { words: [], whole: wholePair(pair, spanOf(node)), source, pair };
    const words: Word[] = [];
    this.#words.word(node, words);
    const [only, ...others] = words;
    const isOne = only !== undefined && others.length === 0;
    const whole = isOne ? withoutPatterns(only) : (this.#words.plain(node, "value") ?? { parts: [], span: spanOf(node) });
    return { words, whole, source, pair: undefined };
  }

  /** `[subscript]=value`; undefined where the element is another word, like `[ab]*`. */
  #pair(node: SourceWord, found: SourceExpansions): ArrayElement["pair"] {
    const { line } = this.#lowering;
    if (line[node.pos] !== "[" || hasBraces(line.slice(node.pos, node.end))) return undefined;
    const close = closingBracket(line, node.pos + 1, node.end, found);
    if (close === undefined || !/^\+?=/.test(line.slice(close + 1, Math.min(close + 3, node.end)))) return undefined;
    const scanner = new WordScanner(this.#words.reader, found, { start: node.pos + 1, end: node.end });
    const subscript = scanner.subscript();
    if (subscript === undefined) return undefined;
    const append = line[close + 1] === "+";
    const start = close + (append ? 3 : 2);
    const span = { start, end: node.end };
    const value = start === node.end ? undefined : this.#words.plain({ pos: start, end: node.end, parts: node.parts }, "value");
    return { subscript, append, value: value ?? { parts: [], span } };
  }

  #disagree(span: Span): undefined {
    this.#lowering.disagree(span, "an assignment is not what it seems");
  }
}

/** A pair as associative arrays take it in a list of keys and values. */
function wholePair({ subscript, append, value }: NonNullable<ArrayElement["pair"]>, span: Span): Word {
  const text = (inner: string): Word["parts"][number] => ({ kind: "text", text: inner, quoted: true });
  return { parts: [text("["), ...subscript.key.parts, text(append ? "]+=" : "]="), ...value.parts], span };
}

function withoutPatterns({ parts, span }: Word): Word {
  return { parts: parts.map((part) => (part.kind === "glob" ? { kind: "text", text: part.source, quoted: false } : part)), span };
}

/** The bracket that closes one just before `from`; undefined where none does. */
function closingBracket(line: string, from: number, end: number, found: SourceExpansions): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < end; at++) {
    const expansion = found.get(at);
    const character = line[at];
    if (expansion !== undefined) at = Math.max(at, expansion.end - 1);
    else if (character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === "'") {
      const close = line.indexOf("'", at + 1);
      if (close < 0) return undefined;
      at = close;
    } else if (character === "[") depth++;
    else if (character === "]" && depth-- === 0) return at;
  }
  return undefined;
}

function hasBraces(source: string): boolean {
  return /\{.*(,|\.\.).*\}/s.test(source.replace(QUOTED, "_").replace(/\$\{[^}]*\}/g, "_"));
}

/** Text that quotes or a backslash take from the shell, roughly: `"$(… "…" …)"` is more. */
export const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;
