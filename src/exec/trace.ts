/** The trace of `set -x` on standard error: each command as bash prints it before it runs (xtrace_print_* in its print_cmd.c). */
import type { Argument } from "../builtin/arguments.ts";
import { toBytes } from "../io/text.ts";
import { staticText, type Command, type ForCommand, type SimpleCommand, type Span, type Word } from "../shell/tree.ts";
import { tracedValue, tracedWord } from "../shell/value-quote.ts";
import type { Value } from "../shell/variables.ts";
import { StageRefused } from "./late-refusal.ts";
import type { ListRun } from "./list-run.ts";
import type { ShellState } from "./shell-state.ts";
import type { Surroundings } from "./stage.ts";
import { expandedArguments, expansionOf } from "./substitution.ts";

/** Words of a simple command and the values set for it, expanded. */
export interface ExpandedCommand {
  readonly args: readonly Argument[];
  readonly assigned: readonly { readonly name: string; readonly value: Value }[];
}

/** Prints `text` as a line of the trace, where there is one. Throws StageRefused for a prefix (PS4) that would be expanded. */
export async function trace({ shell, stderr }: Pick<Surroundings, "shell" | "stderr">, text: string): Promise<void> {
  if (shell.options.xtrace) await stderr(toBytes(`${prefixOf(shell)}${text}\n`));
}

/** Prints a command's words. */
export const traceWords = (around: Pick<Surroundings, "shell" | "stderr">, words: readonly string[]): Promise<void> =>
  trace(around, words.map(tracedWord).join(" "));

/** Prints what sets `target` (`x`, `a[i]+`) to `text`. */
export const traceAssignment = (around: Pick<Surroundings, "shell" | "stderr">, target: string, text: string): Promise<void> =>
  trace(around, `${target}=${tracedValue(text)}`);

function prefixOf(shell: ShellState): string {
  const prompt = shell.get("PS4")?.text ?? "+ ";
  if (/[$`\\!]/.test(prompt)) throw untraceable("a PS4 that is expanded. Set it to plain text");
  const [first = ""] = prompt;
  return first.repeat(shell.traceDepth) + prompt;
}

const untraceable = (what: string): StageRefused =>
  new StageRefused({
    code: "GUARD_VIOLATION",
    reason: "UNSUPPORTED_SYNTAX",
    detail: `set -x does not trace ${what}, or leave set -x out.`,
    suggestion: undefined,
    position: undefined,
  });

/** Expands a command whose words are traced before its redirections are made, and prints it; those of other kinds print themselves. */
export async function traceStart(run: ListRun, command: Command, around: Surroundings): Promise<ExpandedCommand | undefined> {
  switch (command.kind) {
    case "simple":
      return await traceSimple(run, command, around);
    case "group":
      if (command.isRest === true) await trace(around, "exec");
      if (command.evaluated !== undefined) await traceExpanded(run, command.evaluated, around);
      return undefined;
    case "trap":
      await traceExpanded(run, command.words, around);
      return undefined;
    case "declare":
      if (command.items.some((item) => "append" in item && (item.elements !== undefined || item.subscript !== undefined)))
        throw untraceable(`arrays that ${command.name} sets. Set them in a command of their own`);
      return undefined;
    case "condition":
      if (/!\s*\(/.test(sourceOf(run, command.span))) throw untraceable("a negated group in [[ ]]. Negate its parts");
      return undefined;
    default:
      return undefined;
  }
}

async function traceExpanded(run: ListRun, words: readonly Word[], around: Surroundings): Promise<void> {
  const args = await expandedArguments(run, words, around);
  await traceWords(
    around,
    args.map(({ text }) => text),
  );
}

async function traceSimple(run: ListRun, command: SimpleCommand, around: Surroundings): Promise<ExpandedCommand> {
  const args = await expandedArguments(run, command.words, around);
  const assigned = await assignedBefore(run, command, around);
  const before = command.wrapped?.map(staticText) ?? [];
  if (before.includes(undefined) || (command.wrapped !== undefined && command.assignments.length > 0))
    throw untraceable("what sets variables for a command behind env or its like. Write NAME=VALUE before the command");
  if (args.length > 0) await traceWords(around, [...(before as string[]), ...args.map(({ text }) => text)]);
  return { args, assigned };
}

/** Values of `NAME=value` before a command's name; each sees those before it. */
export async function assignedBefore(
  run: ListRun,
  { assignments, span }: SimpleCommand,
  outer: Surroundings,
): Promise<ExpandedCommand["assigned"]> {
  if (assignments.length === 0) return [];
  const { shell } = outer;
  const assigned: { name: string; value: Value }[] = [];
  const restored: (() => void)[] = [];
  try {
    for (const assignment of assignments) {
      const { name } = assignment;
      const value = await expansionOf(run, assignment, outer);
      if (shell.attributes(name)?.includes("r") === true) {
        await outer.stderr(toBytes(`${run.place(span, shell)}: ${name}: readonly variable\n`));
        continue;
      }
      assigned.push({ name, value });
      await traceAssignment(outer, name, value.text);
      if (assignments.length > 1) restored.unshift(shell.temporarily([{ name, value }]).restore);
    }
  } finally {
    for (const restore of restored) restore();
  }
  return assigned;
}

/** `for NAME in WORDS` as typed. */
export function forHead(run: ListRun, { name, words }: ForCommand): string {
  const spans = words.filter(({ span }, at) => span.start !== words[at - 1]?.span.start);
  const typed = spans.map(({ span }) => sourceOf(run, span));
  const [only] = words;
  const isImplied = words.length === 1 && only?.parts[0]?.kind === "parameter" && typed[0] === name;
  return `for ${name} in ${isImplied ? '"$@"' : typed.join(" ")}`;
}

export const sourceOf = (run: ListRun, { start, end }: Span): string => run.context.line.slice(start, end);
