/** Commands whose name is the value of a variable that the text of the line does not give away (`"$@"`). */
import type { CommandOrigin } from "../shell/named-pipeline.ts";
import type { Command, Word } from "../shell/tree.ts";
import { mayWrite } from "./failing-parts.ts";
import type { GuardContext, StageFacts } from "./rule.ts";

/**
 * Stages whose name is the value of a variable, in a line that changes nothing: each is checked when it starts, where it may do
 * nothing but read (exec/chosen-command.ts).
 */
export function chosenWhenRun(
  stages: readonly StageFacts[],
  ofScripts: readonly StageFacts[],
  origins: ReadonlyMap<Command, CommandOrigin>,
  context: GuardContext,
): ReadonlySet<StageFacts> {
  // The variables of a script hold data.
  if (context.strict || context.scriptDepth !== undefined) return new Set();
  const chosen = stages.filter(({ name, command }) => name === undefined && isVariable(command.words[0]) && !origins.has(command));
  if (chosen.length > 0 && [...stages, ...ofScripts].some((stage) => mayWrite(stage, context))) return new Set();
  return new Set(chosen);
}

const isVariable = ({ parts }: Word): boolean => parts.length > 0 && parts.every(({ kind }) => kind === "parameter" || kind === "text");
