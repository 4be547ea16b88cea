/** Refusals of statements that awk does not run here: the reason, and the command line that does the same. */
import { quoteWord } from "../../../src/display/quote.ts";
import type { OutputPolicy } from "../../../src/builtin/output-files.ts";
import { toText } from "../../../src/io/text.ts";
import type { Program, Refusal, Statement } from "./tree.ts";

export function reasonOf({ kind, what }: Refusal): string {
  switch (kind) {
    case "run":
      return `${what} would start a coprocess, and a command here is only read or only written to`;
    case "write":
      return `${what} would write a file, and a script writes no files here: its output is given to tee, which records what it replaces`;
    case "load":
      return `${what} would load a library, and there are none`;
  }
}

/** Losses where tee writes what a print would have: awk opens its file at the first print to it. */
export const lostByTee = ({ operator }: Pick<Refusal, "operator">): string =>
  `the exit status is tee's; where nothing is printed, the file is ${operator === ">>" ? "made" : "made or emptied"} all the same`;

/** Refusals of what the policy does not allow. */
export const refusedIn = ({ refusals }: Program, policy: OutputPolicy | undefined): readonly Refusal[] =>
  refusals.filter(({ file }) => file === undefined || policy?.accepts(shown(file.name), file.isPrefix) !== true);

/** The line that does what was meant: `print > "f"` becomes `| tee f`, `|& getline` becomes `| getline`. Undefined where there is none. */
export function rewritten(words: readonly string[], programAt: number, program: Program, refusals: readonly Refusal[]): string | undefined {
  const [first] = refusals;
  if (first === undefined) return undefined;
  const { source } = first.place;
  if (!source.isOperand) return undefined;
  if (refusals.every(({ what }) => what.endsWith("|& getline"))) {
    return stageOf(
      words,
      programAt,
      edited(source.text, refusals, (refused) => refused.slice(0, 1) + refused.slice(2)),
    );
  }
  const others = refusals.some(({ operator, literal }) => operator !== first.operator || literal !== first.literal);
  if (others || first.literal === undefined || program.commands.length > 0) return undefined;
  if (!everyPrintIsRefused(program) || ![">", ">>"].includes(first.operator)) return undefined;
  const stage = stageOf(
    words,
    programAt,
    edited(source.text, refusals, () => ""),
  );
  return `${stage} | tee ${first.operator === ">>" ? "-a " : ""}${quoteWord(shown(first.literal))} >/dev/null`;
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
      return statement.output !== undefined && statement.output !== "stdout";
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
