/**
 * Functions of a line, as the guard sees them: each body is checked once, where it is defined, with arguments that are not known,
 * and a call is a command that needs no builtin of its name. Where it is not certain that a call reaches its function (one is
 * defined in a branch, or unset), the builtin of that name is checked with the same arguments, too.
 */
import { forEachCommand } from "../shell/tree-walk.ts";
import type { List } from "../shell/tree.ts";
import type { State } from "./reach.ts";
import type { StageFacts } from "./rule.ts";

/** Names of the functions that `list` defines anywhere. */
export function lineFunctions(list: List): ReadonlySet<string> {
  const names = new Set<string>();
  forEachCommand(list, (command) => {
    if (command.kind === "function") names.add(command.name);
  });
  return names;
}

/** `facts`, with what is added and left out where the command may be a call of one of `functions`. */
export function callFacts(facts: StageFacts, functions: ReadonlySet<string>, state: State): StageFacts {
  const { name, command, definition } = facts;
  if (name === undefined || !functions.has(name) || command.wrappers !== undefined) return facts;
  if (definition !== undefined && !state.functions.has(name)) return { ...facts, mayCall: true };
  const nothing = { definition: undefined, parsed: undefined, usageError: undefined, paths: [], unnamed: [], runs: [], scripts: [] };
  return { ...facts, ...nothing, mayCall: true };
}
