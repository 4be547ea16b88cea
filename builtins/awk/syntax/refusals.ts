/** Refusals of statements that awk does not run here: the reason, and the command line that does the same. */
import { quoteWord } from "../../../src/display/quote.ts";
import { toText } from "../../../src/io/text.ts";
import type { Program, Refusal, Statement } from "./tree.ts";
import { factsOf } from "../compile/suspension.ts";

export function reasonOf({ kind, what }: Refusal): string {
  switch (kind) {
    case "run":
      return `${what} would start a command, and no external program is ever started here`;
    case "write":
      return `${what} would write a file, and a script writes no files here: its output is given to tee, which records what it replaces`;
    case "load":
      return `${what} would load a library, and there are none`;
  }
}

/**
 * The line that does what was meant: `print | "sort"` becomes a stage of its own, `print > "f"` becomes `| tee f`, and
 * what `"date" | getline now` reads comes from a stage before or is the value of -v. Undefined where there is none.
 */
export function rewritten(words: readonly string[], programAt: number, program: Program): string | undefined {
  const { refusals } = program;
  const [first] = refusals;
  if (first === undefined) return undefined;
  const { source } = first.place;
  const others = refusals.some(({ operator, literal }) => operator !== first.operator || literal !== first.literal);
  if (!source.isOperand || others || first.literal === undefined) return undefined;
  if (first.operator === "system" && refusals.length === 1 && isOnlySystem(source.text)) return shown(first.literal);
  if (first.operator === "getline") return readBefore(words, programAt, program, first);
  if (!everyPrintIsRefused(program) || ![">", ">>", "|"].includes(first.operator)) return undefined;
  const stage = stageOf(
    words,
    programAt,
    edited(source.text, refusals, () => ""),
  );
  if (first.operator === "|") return `${stage} | ${shown(first.literal)}`;
  return `${stage} | tee ${first.operator === ">>" ? "-a " : ""}${quoteWord(shown(first.literal))}`;
}

/** `text` with something else in the place of what is refused. */
function edited(text: string, refusals: readonly Refusal[], instead: (refused: string) => string): string {
  let out = "";
  let from = 0;
  for (const { at, end } of refusals) {
    const before = out + text.slice(from, at);
    const other = instead(text.slice(at, end));
    out = (other === "" ? before.replace(/[ \t]+$/, "") : before) + other;
    from = end;
  }
  return out + text.slice(from);
}

const stageOf = (words: readonly string[], programAt: number, program: string): string =>
  words.map((word, at) => (at === programAt ? quoteWord(shown(program)) : quoteWord(word))).join(" ");

const PRINTS_ONE_LINE = /(?:^|\|\s*)(?:date|pwd|basename|dirname|wc|echo|expr|hostname|whoami)\b[^|]*$/;

/**
 * Rewrites `command | getline`: the command's output becomes standard input, if nothing else is read, or the value of a variable.
 */
function readBefore(words: readonly string[], programAt: number, program: Program, first: Refusal): string | undefined {
  const { source } = first.place;
  const command = shown(first.literal as string);
  if (/[;&\n]/.test(command)) return undefined;
  const { begin, end, rules, beginFile, endFile, functions, refusals } = program;
  if (end.length + rules.length + beginFile.length + endFile.length === 0 && programAt === words.length - 1) {
    const bodies = [...begin, ...[...functions.values()].map(({ body }) => body)];
    if (factsOf(...bodies).records > 0) return undefined;
    return `${command} | ${stageOf(
      words,
      programAt,
      edited(source.text, refusals, (refused) => refused.slice(refused.indexOf("getline", refused.lastIndexOf("|")))),
    )}`;
  }
  const name = /\|\s*getline\s+([A-Za-z_]\w*)$/.exec(source.text.slice(first.at, first.end))?.[1];
  const isStatement = /(?:^|[{;\n])\s*$/.test(source.text.slice(0, first.at)) && /^\s*[;}\n]/.test(source.text.slice(first.end));
  if (name === undefined || !isStatement || refusals.length > 1 || functions.size > 0) return undefined;
  const rest = source.text.slice(first.end).replace(/^[ \t]*;?[ \t]*/, "");
  const [awk = "", ...others] = words;
  // Of several lines each record would read another one.
  if (!PRINTS_ONE_LINE.test(command) && !/^\s*BEGIN\s*\{[^{}]*$/.test(source.text.slice(0, first.at))) return undefined;
  const firstLine = PRINTS_ONE_LINE.test(command) ? command : `${command} | head -n 1`;
  return `${awk} -v ${name}="$(${firstLine})" ${stageOf(others, programAt - 1, source.text.slice(0, first.at) + rest)}`;
}

const isOnlySystem = (program: string): boolean => /^\s*BEGIN\s*\{\s*system\(\s*"[^"\\]*"\s*\)\s*;?\s*\}\s*$/.test(program);

const shown = (bytes: string): string => toText(Buffer.from(bytes, "latin1"));

/** True if no print of the program goes to standard output. */
function everyPrintIsRefused(program: Program): boolean {
  const blocks = [...program.begin, ...program.end, ...program.beginFile, ...program.endFile];
  const bodies = [...program.rules.map(({ body }) => body), ...blocks, ...[...program.functions.values()].map(({ body }) => body)];
  return bodies.every((body) => body?.statements.every(isRefused) ?? false);
}

function isRefused(statement: Statement): boolean {
  switch (statement.kind) {
    case "print":
    case "printf":
      return statement.output === "none" || statement.output === "stderr";
    case "block":
      return statement.statements.every(isRefused);
    case "if":
      return isRefused(statement.then) && (statement.otherwise === undefined || isRefused(statement.otherwise));
    case "while":
    case "do":
    case "for":
    case "for-in":
      return isRefused(statement.body);
    case "switch":
      return statement.cases.every(({ body }) => body.every(isRefused));
    case "expression":
    case "delete":
    case "exit":
    case "return":
    case "break":
    case "continue":
    case "next":
    case "nextfile":
    case "empty":
      return true;
  }
}
