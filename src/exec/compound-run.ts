/** Groups, `if`, loops and `case`: lists that run as other lists or words decide. */
import { expandArithmeticText, expandToPattern, expandUnsplit } from "../shell/word-expansion.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import type { CompoundCommand, List, Word } from "../shell/tree.ts";
import { patternMatches } from "../shell/pattern.ts";
import { ExpansionError, ReadonlyError } from "../shell/variables.ts";
import { runCondition } from "./conditional.ts";
import type { ListRun } from "./list-run.ts";
import type { StageOutput, Surroundings } from "./stage.ts";
import { complaintsTold, expanded, expandedArguments } from "./substitution.ts";
import { forHead, sourceOf, trace } from "./trace.ts";
import { toBytes } from "../io/text.ts";

export async function* runCompound(run: ListRun, command: CompoundCommand, surroundings: Surroundings): StageOutput {
  const { shell } = surroundings;
  switch (command.kind) {
    case "group":
      if (command.evaluated !== undefined) return yield* evaluated(run, command.body, surroundings);
      if (!command.subshell) return yield* run.list(command.body, surroundings);
      return yield* run.subshell(shell, surroundings, (own) => run.list(command.body, { ...surroundings, shell: own }));
    case "if":
      return yield* runIf(run, command, surroundings);
    case "loop":
      return yield* inLoop(surroundings, () => runLoop(run, command, surroundings));
    case "for":
      return yield* inLoop(surroundings, () => runFor(run, command, surroundings));
    case "arithmetic-for":
      return yield* inLoop(surroundings, () => runArithmeticFor(run, command, surroundings));
    case "case":
      return yield* runCase(run, command, surroundings);
    case "condition":
      return await runCondition(run, command, surroundings);
    case "arithmetic":
      return (await arithmetic(run, command.expression, "((", command, surroundings)) ? 0 : 1;
  }
}

/** The text of `eval`. */
async function* evaluated(run: ListRun, body: List, surroundings: Surroundings): StageOutput {
  surroundings.shell.traceDepth++;
  try {
    return yield* run.list(body, surroundings);
  } finally {
    surroundings.shell.traceDepth--;
  }
}

async function* runIf(run: ListRun, command: Extract<CompoundCommand, { kind: "if" }>, surroundings: Surroundings): StageOutput {
  for (const { condition, body } of command.clauses) {
    const status = yield* tested(run, condition, surroundings);
    if (surroundings.shell.leaving !== undefined) return status;
    if (status === 0) return yield* run.list(body, surroundings);
  }
  return command.otherwise === undefined ? 0 : yield* run.list(command.otherwise, surroundings);
}

/** A list whose failure is an answer. */
async function* tested(run: ListRun, condition: List, surroundings: Surroundings): StageOutput {
  const { shell } = surroundings;
  shell.conditions++;
  try {
    return yield* run.list(condition, surroundings);
  } finally {
    shell.conditions--;
  }
}

async function* inLoop({ shell }: Surroundings, loop: () => StageOutput): StageOutput {
  shell.loops++;
  try {
    return yield* loop();
  } finally {
    shell.loops--;
  }
}

async function* runLoop(run: ListRun, command: Extract<CompoundCommand, { kind: "loop" }>, surroundings: Surroundings): StageOutput {
  const { shell } = surroundings;
  let status = 0;
  for (;;) {
    const test = yield* tested(run, command.condition, surroundings);
    if (!goesOn(surroundings)) return shell.leaving === undefined ? status : test;
    if ((test === 0) !== (command.runsOn === "success")) return status;
    status = yield* run.list(command.body, surroundings);
    if (!goesOn(surroundings)) return status;
  }
}

async function* runFor(run: ListRun, command: Extract<CompoundCommand, { kind: "for" }>, surroundings: Surroundings): StageOutput {
  let status = 0;
  const head = forHead(run, command);
  for (const { text, data, operandOnly } of await expandedArguments(run, command.words, surroundings)) {
    await trace(surroundings, head);
    try {
      surroundings.shell.set(command.name, { text, typed: data !== true && operandOnly !== true });
    } catch (thrown) {
      if (!(thrown instanceof ReadonlyError)) throw thrown;
      await surroundings.stderr(toBytes(`${run.place(command.span, surroundings.shell)}: ${thrown.message}\n`));
      return 1;
    }
    status = yield* run.list(command.body, surroundings);
    if (!goesOn(surroundings)) return status;
  }
  return status;
}

async function* runArithmeticFor(
  run: ListRun,
  command: Extract<CompoundCommand, { kind: "arithmetic-for" }>,
  surroundings: Surroundings,
): StageOutput {
  let status = 0;
  const evaluate = (word: Word): Promise<boolean | undefined> => arithmetic(run, word, "((", command, surroundings);
  if ((await evaluate(command.start)) === undefined) return 1;
  for (;;) {
    if (isEmpty(command.condition)) await trace(surroundings, "(( 1 ))");
    const holds = isEmpty(command.condition) ? true : await evaluate(command.condition);
    if (holds === undefined) return 1;
    if (!holds) return status;
    status = yield* run.list(command.body, surroundings);
    if (!goesOn(surroundings)) return status;
    if ((await evaluate(command.step)) === undefined) return 1;
  }
}

const isEmpty = ({ parts }: Word): boolean => parts.every((part) => part.kind === "text" && part.text.trim() === "");

/** Tells whether the loop has another round, after `break` and `continue` in this one. */
function goesOn({ shell }: Surroundings): boolean {
  const { leaving } = shell;
  if (leaving === undefined) return true;
  if ("status" in leaving) return false;
  if (leaving.levels > 1) {
    shell.leaving = { kind: leaving.kind, levels: leaving.levels - 1 };
    return false;
  }
  shell.leaving = undefined;
  return leaving.kind === "continue";
}

async function* runCase(run: ListRun, command: Extract<CompoundCommand, { kind: "case" }>, surroundings: Surroundings): StageOutput {
  const { shell } = surroundings;
  await trace(surroundings, `case ${sourceOf(run, command.word.span)} in`);
  const { text } = await expanded(run, expandUnsplit(command.word, shell), surroundings);
  let status = 0;
  let fallsThrough = false;
  for (const { patterns, body, after } of command.items) {
    if (!fallsThrough && !(await matchesAny(run, patterns, text, surroundings))) continue;
    status = yield* run.list(body, surroundings);
    if (shell.leaving !== undefined || after === "stop") return status;
    fallsThrough = after === "fall-through";
  }
  return status;
}

async function matchesAny(run: ListRun, patterns: readonly Word[], text: string, surroundings: Surroundings): Promise<boolean> {
  const { extglob, nocasematch } = surroundings.shell.options;
  const options = { extended: extglob, caseFold: nocasematch };
  for (const pattern of patterns) {
    if (patternMatches(await expanded(run, expandToPattern(pattern, surroundings.shell), surroundings), text, options)) return true;
  }
  return false;
}

/** True if the value is not 0; undefined where the expression has no value, after its error was printed. */
async function arithmetic(
  run: ListRun,
  word: Word,
  keyword: string,
  command: CompoundCommand,
  surroundings: Surroundings,
): Promise<boolean | undefined> {
  try {
    const text = await expanded(run, expandArithmeticText(word, surroundings.shell), surroundings);
    const shown = command.kind === "arithmetic-for" ? text.trimStart() : text;
    await trace(surroundings, `(( ${shown === "" && command.kind === "arithmetic-for" ? "1" : shown} ))`);
    const value = evaluateArithmetic(text, surroundings.shell);
    await complaintsTold(surroundings);
    return value !== 0n;
  } catch (thrown) {
    if (!(thrown instanceof ExpansionError) || thrown.exit !== 1) throw thrown;
    const prefix = thrown instanceof ReadonlyError ? "" : `${keyword}: `;
    await surroundings.stderr(toBytes(`${run.place(command.span, surroundings.shell)}: ${prefix}${thrown.message}\n`));
    return undefined;
  }
}
