/** Facts of a command that its kind alone decides, for whoever runs a list of them. */
import type { Command, GroupCommand, ListItem } from "../shell/tree.ts";

/** Tells whether PIPESTATUS is that of the command itself, and not of the last pipeline within it. */
export const hasOwnStatus = (command: Command): boolean =>
  isOfShell(command) || /^(simple|condition|arithmetic)$/.test(command.kind) || (command.kind === "group" && command.subshell);

export const isOfShell = ({ kind }: Command): boolean => kind === "assign" || kind === "declare";

/**
 * Tells whether a failure of the item ends the shell under `set -e`. A failure inside a compound command has done so already, or was
 * the answer of a condition.
 */
export function endsShell({ pipeline: { commands, negated } }: ListItem): boolean {
  const [command] = commands;
  if (negated) return false;
  if (commands.length > 1 || command.kind === "simple" || isOfShell(command)) return true;
  return command.kind === "group" ? command.subshell : command.kind === "condition" || command.kind === "arithmetic";
}

/** Commands that print nothing of their own, and are not reported. */
export const STAGELESS: ReadonlySet<Command["kind"]> = new Set<Command["kind"]>(["assign", "condition", "arithmetic", "function", "trap"]);

/** `exec REDIRECTION…`. */
export const isRest = (command: Command): command is GroupCommand => command.kind === "group" && command.isRest === true;
