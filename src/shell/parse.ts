/** A command line → our tree, or every problem that keeps it from being one. Nothing is expanded from files here. */
import { lowerScript } from "./lower.ts";
import type { AllowedOutputs } from "./lowering.ts";
import { unparsable, type SyntaxProblem } from "./problem.ts";
import { type Rewrite, rewritten } from "./rewrite.ts";
import { parseSource } from "./source-parse.ts";
import type { List, Span } from "./tree.ts";

export type ParseResult =
  | { readonly kind: "parsed"; readonly list: List }
  | { readonly kind: "rejected"; readonly problems: readonly [SyntaxProblem, ...SyntaxProblem[]] };

/** Most problems reported at once; a line with more of them is not read to its end by anybody. */
const MOST_PROBLEMS = 20;

/** `<<` in one line, wherever it stands: the library's time grows with the square of the here-documents. */
const MOST_DOUBLE_ANGLES = 2000;

/** The longest command line, in UTF-16 code units. */
export const MOST_LINE_UNITS = 64 * 1024;

/**
 * Reads `line` as bash 5.2 does without a terminal (POSIX 2.3–2.10). Either the tree means what bash would make of
 * the line, or the line is rejected. `outputs` are the redirections into files that may be made; default: none. An empty line, or one of comments, is a list without items.
 */
export function parseLine(line: string, outputs: AllowedOutputs = NO_OUTPUTS): ParseResult {
  const read = readLine(line, outputs);
  if (read.kind === "parsed") return read;
  const problems = inOrder(read.problems);
  const rewrite = read.rewrite;
  // The promise is that every suggestion is itself accepted, so a rewrite is kept only if it parses.
  if (rewrite === undefined || readLine(rewrite.line, outputs === NO_OUTPUTS ? outputs : ALL_OUTPUTS).kind !== "parsed")
    return { kind: "rejected", problems };
  const [first, ...rest] = problems;
  return { kind: "rejected", problems: [{ ...first, rewrite }, ...rest.map((problem) => ({ ...problem, rewrite }))] };
}

type Reading =
  | { readonly kind: "parsed"; readonly list: List }
  | { readonly kind: "rejected"; readonly problems: readonly [SyntaxProblem, ...SyntaxProblem[]]; readonly rewrite: Rewrite | undefined };

const NO_OUTPUTS: AllowedOutputs = () => false;
/** For a rewrite, which the guard looks at again. */
const ALL_OUTPUTS: AllowedOutputs = () => true;

function readLine(line: string, outputs: AllowedOutputs): Reading {
  const barred = barredText(line);
  if (barred !== undefined) return { kind: "rejected", problems: [barred.problem], rewrite: barred.rewrite };
  const script = parseSource(line);
  if (script === undefined) {
    return {
      kind: "rejected",
      problems: [unparsable("nesting", whole(line), "Commands are nested deeper than a line may hold. Take some of the nesting away.")],
      rewrite: undefined,
    };
  }
  const error = script.errors?.[0];
  if (error !== undefined) return { kind: "rejected", problems: [syntaxError(line, error)], rewrite: undefined };
  const { list, problems, edits } = lowerScript(line, script, outputs);
  const [first, ...rest] = problems;
  if (first === undefined && list !== undefined) return { kind: "parsed", list };
  const problem = first ?? unparsable("syntax", whole(line), "Syntax error.");
  return { kind: "rejected", problems: [problem, ...rest], rewrite: edits === undefined ? undefined : rewritten(line, edits) };
}

/** The problem of text that is refused before any of it is parsed; undefined for any other text. */
export function barredText(line: string): { readonly problem: SyntaxProblem; readonly rewrite: Rewrite | undefined } | undefined {
  if (line.length > MOST_LINE_UNITS) {
    const detail = `The line has ${line.length} characters, and at most ${MOST_LINE_UNITS} are read. Give long text as standard input of the call, not in the line.`;
    return { problem: unparsable("line-length", { start: MOST_LINE_UNITS, end: line.length }, detail), rewrite: undefined };
  }
  if (line.split("<<", MOST_DOUBLE_ANGLES + 1).length > MOST_DOUBLE_ANGLES) {
    const detail = `The line has more than ${MOST_DOUBLE_ANGLES} times <<, which is past what a line may hold. Give long text as standard input of the call.`;
    return { problem: unparsable("here-document", whole(line), detail), rewrite: undefined };
  }
  const nul = line.indexOf("\0");
  if (nul >= 0) {
    return {
      problem: unparsable(
        "nul",
        { start: nul, end: nul + 1 },
        "The line holds a NUL character, which no argument can have. Write $'\\n' or printf '\\0' for what was meant.",
      ),
      rewrite: undefined,
    };
  }
  const stray = strayUnit(line);
  if (stray >= 0) {
    return {
      problem: unparsable(
        "encoding",
        { start: stray, end: stray + 1 },
        "The line holds half a surrogate pair, which is no character and no byte. Write the whole character.",
      ),
      rewrite: undefined,
    };
  }
  const [carriage, ...carriages] = strayCarriageReturns(line);
  if (carriage !== undefined) {
    const detail =
      "A carriage return ends a line, and a shell would take it for a part of the last word. Use newlines without carriage returns.";
    return {
      problem: unparsable("carriage-return", { start: carriage, end: carriage + 1 }, detail),
      rewrite: rewritten(
        line,
        [carriage, ...carriages].map((at) => ({ start: at, end: at + 1, text: "", lost: "without carriage returns" })),
      ),
    };
  }
  return undefined;
}

/**
 * Places of the carriage returns that end a line outside of quotes. To bash each is a part of a word: inside quotes it was meant,
 * elsewhere it came from a text with the line ends of another system.
 */
function strayCarriageReturns(line: string): readonly number[] {
  if (!line.includes("\r")) return [];
  const pieces = /\\[^\r]|'[^']*'|"(?:[^"\\]|\\[^])*"|(?<=^|\s)#[^\r\n]*|\r(?=\n|$)/g;
  return [...line.matchAll(pieces)].filter(([piece]) => piece === "\r").map(({ index }) => index);
}

/** Place of a lone surrogate that is not an escaped byte (io/text.ts); -1 if the line has none. */
function strayUnit(line: string): number {
  if (line.isWellFormed()) return -1;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit <= 0xdbff && /[\uDC00-\uDFFF]/.test(line[at + 1] ?? "")) at++;
    else if (unit < 0xdc80 || unit > 0xdcff) return at;
  }
  return -1;
}

function syntaxError(line: string, error: { readonly message: string; readonly pos: number }): SyntaxProblem {
  const start = Math.min(error.pos, Math.max(line.length - 1, 0));
  const construct = /nest/i.test(error.message) ? "nesting" : "syntax";
  const span: Span = { start, end: Math.min(start + 1, line.length) };
  return unparsable(construct, span, `Syntax error: ${error.message}. Quote characters that are meant as text ('...').`);
}

const whole = (line: string): Span => ({ start: 0, end: line.length });

function inOrder(problems: readonly [SyntaxProblem, ...SyntaxProblem[]]): readonly [SyntaxProblem, ...SyntaxProblem[]] {
  const sorted = [...problems].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  // The first is kept, so the list is not empty.
  return sorted.slice(0, MOST_PROBLEMS) as [SyntaxProblem, ...SyntaxProblem[]];
}
