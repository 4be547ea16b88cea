/**
 * A command whose name is the value of a variable (`"$@"`, `"${cmd[@]}"`): which one it is shows when it starts. Its name has been
 * typed somewhere in the line, and the guard lets it do nothing but read.
 */
import type { Argument } from "../builtin/arguments.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { quoteWord } from "../display/quote.ts";
import { foreignCommand } from "../guard/foreign-commands.ts";
import { NAME_FROM_DATA } from "../guard/nested-stage.ts";
import { CHANGES } from "../guard/failing-parts.ts";
import type { PlannedCommand } from "../guard/plan.ts";
import { UNNAMABLE } from "../shell/problem.ts";
import { isOfBash } from "../shell/bash-builtins.ts";
import { StageRefused } from "./late-refusal.ts";
import type { SimpleCommand } from "../shell/tree.ts";
import type { ListRun } from "./list-run.ts";
import type { ShellState } from "./shell-state.ts";

/** Throws StageRefused for a name that came from data, and for what is no command that only reads. */
export async function chosenCommand(
  { context }: ListRun,
  { wrappers }: SimpleCommand,
  named: Argument,
  shell: ShellState,
): Promise<PlannedCommand & { readonly name: string }> {
  const { text: name } = named;
  // A script of its own would have to stand in its words, which are not known before.
  const scripts: ReadonlySet<string> = new Set();
  if (named.data === true || named.operandOnly === true) throw refused(name, NAME_FROM_DATA);
  if (wrappers === undefined && shell.functions.has(name)) return { name, definition: undefined, mayCall: true, scripts };
  if (UNNAMABLE.includes(name)) throw refused(name, "The shell reads it where it stands in the line, and not behind a variable.");
  const definition = await context.catalogue.load(name);
  if (definition !== undefined) return { name, definition: reading(name, definition), mayCall: false, scripts };
  const base = name.split("/").at(-1) ?? "";
  const foreign = foreignCommand(base);
  if (base !== name || isOfBash(name) || (foreign?.rule !== undefined && CHANGES.has(foreign.rule)))
    throw refused(name, foreign?.why ?? "No program is ever started here.");
  context.cursors.note(`not run: ${quoteWord(name)} is no builtin of this server. ${foreign?.why ?? ""}`.trimEnd());
  return { name, definition: undefined, mayCall: false, scripts };
}

function reading(name: string, definition: BuiltinDefinition): BuiltinDefinition {
  if (definition.navigates !== undefined) throw refused(name, "It moves the session, and must be spelled out for that.");
  return definition;
}

const refused = (name: string, why: string): StageRefused =>
  new StageRefused({
    code: "GUARD_VIOLATION",
    reason: "DISALLOWED_CMD",
    detail: `${quoteWord(name)} stands where a command must be, behind a variable. ${why} What stood before it has run, and the rest has not.`,
    suggestion: undefined,
    position: undefined,
  });
