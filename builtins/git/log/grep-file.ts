/** One file of git grep: its lines that match, and what is shown around them. */
import { lineEnd, lineText, type LineText } from "../../../src/compare/line-text.ts";
import type { GrepExpression } from "./grep-expression.ts";
import type { Print } from "../diff/patch.ts";
import type { FunctionLine } from "../diff/userdiff.ts";

export interface GrepOptions {
  readonly expression: GrepExpression;
  readonly invert: boolean;
  readonly allMatch: boolean;
  readonly quiet: boolean;
  readonly listsNames: boolean;
  readonly listsOthers: boolean;
  readonly counts: boolean;
  readonly onlyMatching: boolean;
  readonly before: number;
  readonly after: number;
  readonly functionName: boolean;
  readonly functionBody: boolean;
  readonly numbers: boolean;
  readonly columns: boolean;
  readonly heading: boolean;
  readonly breaks: boolean;
  readonly names: boolean;
  readonly endsInNull: boolean;
  readonly mostHits: number;
}

export interface GrepSource {
  /** As it is shown. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly isBinary: boolean;
  readonly functionLine: FunctionLine;
  /** A mark stands between this file and what was shown before. */
  readonly isMarked: boolean;
}

/** Prints the hits of a file. Returns true if it has any that were asked for. */
export function grepFile(source: GrepSource, options: GrepOptions, print: Print): boolean {
  const { expression, invert, allMatch } = options;
  const { bytes, isBinary } = source;
  const showsLines = !(options.quiet || options.listsNames || options.listsOthers || options.counts || isBinary);
  if (allMatch && !hasAllTerms(bytes, expression)) return options.listsOthers ? listed(source, options, print) : false;
  // Most files have nothing: that is found out without taking them apart.
  const hasHit = invert ? undefined : expression.isIn(bytes);
  if (hasHit !== undefined) {
    if (!hasHit || options.mostHits === 0)
      return options.listsOthers && options.mostHits !== 0 ? (options.quiet ? true : listed(source, options, print)) : false;
    if (!showsLines && !options.counts) return answered(source, options, print);
  }
  const text = lineText(bytes);
  if (showsLines) return new LinePrinter(source, options, text, print).run();
  let count = 0;
  for (let line = 0; line < text.lineCount && count < options.mostHits; line++) {
    if (expression.test(bytes, text.starts[line] as number, lineEnd(text, line)) === invert) continue;
    count++;
    if (!options.counts || options.quiet || options.listsNames || options.listsOthers) return answered(source, options, print);
  }
  if (options.listsOthers) return options.quiet ? true : listed(source, options, print);
  if (options.counts && count < options.mostHits && hasPhantom(source, options, text, text.lineCount)) count++;
  if (count === 0) return false;
  print(`${options.names ? source.name + (options.endsInNull ? "\0" : ":") : ""}${count}\n`);
  return true;
}

/** Tells whether the empty text after the last line is a hit: it is one if the line before, of `lines` lines, is not. */
function hasPhantom({ bytes }: GrepSource, { expression, invert }: GrepOptions, text: LineText, lines: number): boolean {
  if (invert || lines === 0 || !expression.matchesEnd(bytes)) return false;
  return !expression.test(bytes, text.starts[lines - 1] as number, lineEnd(text, lines - 1));
}

function hasAllTerms(bytes: Buffer, expression: GrepExpression): boolean {
  const hits = new Set<number>();
  const text = lineText(bytes);
  for (let line = 0; line < text.lineCount && hits.size < expression.termCount; line++)
    expression.markTerms(bytes, text.starts[line] as number, lineEnd(text, line), hits);
  return hits.size === expression.termCount;
}

/** There is a hit, and its line is not shown. */
function answered(source: GrepSource, options: GrepOptions, print: Print): boolean {
  if (options.quiet) return !options.listsOthers;
  if (options.listsOthers) return false;
  if (options.listsNames) return listed(source, options, print);
  print(`Binary file ${source.name} matches\n`);
  return true;
}

function listed({ name }: GrepSource, { endsInNull }: GrepOptions, print: Print): boolean {
  print(`${name}${endsInNull ? "\0" : "\n"}`);
  return true;
}

class LinePrinter {
  readonly #source: GrepSource;
  readonly #options: GrepOptions;
  readonly #text: LineText;
  readonly #print: Print;
  /** The last line that was shown, from 1; 0 before the first. */
  #shown = 0;

  constructor(source: GrepSource, options: GrepOptions, text: LineText, print: Print) {
    this.#source = source;
    this.#options = options;
    this.#text = text;
    this.#print = print;
  }

  run(): boolean {
    const { expression, invert, after, before, functionBody, functionName, mostHits } = this.#options;
    const { bytes } = this.#source;
    let last = 0;
    let hits = 0;
    let showsFunction = false;
    let peeked = 0;
    for (let number = 1; number <= this.#text.lineCount; number++) {
      const [from, to] = this.#span(number);
      if (expression.test(bytes, from, to) !== invert && hits < mostHits) {
        hits++;
        if (before > 0 || functionBody) this.#showBefore(number);
        else if (functionName) this.#showFunctionName(number);
        this.#showLine(number, ":");
        last = number;
        if (functionBody) showsFunction = true;
        continue;
      }
      if (showsFunction && peeked < number) {
        // Empty lines at the end of a function are not shown.
        peeked = number;
        while (peeked <= this.#text.lineCount && this.#isEmpty(peeked)) peeked++;
        if (peeked > this.#text.lineCount || this.#isFunction(peeked)) showsFunction = false;
      }
      if (showsFunction || (last > 0 && number <= last + after)) this.#showLine(number, "-");
    }
    const { lineCount } = this.#text;
    const isPast = !showsFunction && (last === 0 || lineCount > last + after);
    if (isPast && hits < mostHits && hasPhantom(this.#source, this.#options, this.#text, lineCount)) {
      if (before > 0 || functionBody) this.#showBefore(lineCount + 1);
      else if (functionName) this.#showFunctionName(lineCount + 1);
      this.#showLine(lineCount + 1, ":");
      last = lineCount + 1;
    }
    return last > 0;
  }

  #span(number: number): [number, number] {
    if (number > this.#text.lineCount) return [this.#source.bytes.length, this.#source.bytes.length];
    return [this.#text.starts[number - 1] as number, lineEnd(this.#text, number - 1)];
  }

  #isEmpty(number: number): boolean {
    const [from, to] = this.#span(number);
    return /^[ \t-\r]*$/.test(this.#source.bytes.toString("latin1", from, to));
  }

  #isFunction(number: number): boolean {
    return this.#source.functionLine(this.#text, number - 1) !== undefined;
  }

  #showBefore(hit: number): void {
    const { before, functionBody, functionName } = this.#options;
    let from = Math.max(1, hit - before, this.#shown + 1);
    const wanted = from;
    let needsName = functionName;
    let needsComment = false;
    let nameAt = 0;
    if (functionBody) {
      if (this.#isFunction(hit)) needsComment = true;
      else needsName = true;
      from = this.#shown + 1;
    }
    let at = hit;
    while (at > 1 && at > from) {
      at--;
      if (needsComment && (this.#isEmpty(at) || this.#isFunction(at))) {
        needsComment = false;
        from = wanted;
        if (at < from) {
          at++;
          break;
        }
      }
      if (needsName && this.#isFunction(at)) {
        nameAt = at;
        needsName = false;
        if (functionBody) needsComment = true;
        else from = wanted;
      }
    }
    if (functionName && needsName) this.#showFunctionName(at);
    for (; at < hit; at++) this.#showLine(at, at === nameAt ? "=" : "-");
  }

  #showFunctionName(before: number): void {
    for (let at = before - 1; at >= 1; at--) {
      if (at <= this.#shown) return;
      if (this.#isFunction(at)) return this.#showLine(at, "=");
    }
  }

  #showLine(number: number, sign: ":" | "-" | "="): void {
    const { before, after, breaks, functionBody, onlyMatching, expression, invert } = this.#options;
    const { bytes, isMarked } = this.#source;
    const print = this.#print;
    if (breaks && this.#shown === 0) {
      if (isMarked) print("\n");
    } else if (before > 0 || after > 0 || functionBody) {
      if (this.#shown === 0 ? isMarked : number > this.#shown + 1) print("--\n");
    }
    const [from, to] = this.#span(number);
    const first = sign === ":" && (this.#options.columns || onlyMatching) && !invert ? expression.next(bytes, from, to, from) : undefined;
    if (!onlyMatching) {
      this.#showHeader(number, sign === ":" ? (first === undefined ? 1 : first.start - from + 1) : 0, sign);
      print(`${bytes.toString("latin1", from, to)}\n`);
      return;
    }
    if (sign !== ":") return;
    let column = first === undefined ? 1 : first.start - from + 1;
    let at = from;
    for (
      let match = expression.next(bytes, from, to, at);
      match !== undefined && match.end > match.start;
      match = expression.next(bytes, from, to, at)
    ) {
      this.#showHeader(number, column, sign);
      print(`${bytes.toString("latin1", match.start, match.end)}\n`);
      column += match.end - at;
      at = match.end;
    }
  }

  #showHeader(number: number, column: number, sign: string): void {
    const { heading, names, numbers, columns, endsInNull } = this.#options;
    const print = this.#print;
    const end = endsInNull ? "\0" : sign;
    if (heading && this.#shown === 0) print(`${this.#source.name}\n`);
    this.#shown = number;
    if (!heading && names) print(this.#source.name + end);
    if (numbers) print(`${number}${end}`);
    if (columns && column > 0) print(`${column}${end}`);
  }
}
