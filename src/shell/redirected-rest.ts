/** `exec 3< FILE`: the redirections of a shell from here on, lowered as those of a group that holds all that comes after. */
import { MOST_NESTING } from "./lowering.ts";
import { type ListItem, type SimpleCommand, staticText } from "./tree.ts";

/** `items` of a whole shell. What is left as it is, the guard refuses: `exec` behind `&&`, in a group, with a command. */
export function withRestsRedirected(items: readonly ListItem[], depth = 0): readonly ListItem[] {
  const at = items.findIndex((item) => execOf(item) !== undefined);
  const [item, command] = [items[at], items[at] && execOf(items[at])];
  if (item === undefined || command === undefined || depth >= MOST_NESTING) return items;
  const rest = withRestsRedirected(items.slice(at + 1), depth + 1);
  const span = { start: command.span.start, end: rest.at(-1)?.pipeline.span.end ?? command.span.end };
  const { redirects } = command;
  const group = { kind: "group", subshell: false, isRest: true, body: { items: rest, span }, redirects, span } as const;
  return [...items.slice(0, at), { when: "always", pipeline: { negated: false, commands: [group], span } }];
}

/** The command of an item that is `exec` with redirections alone, and always runs. */
function execOf({ when, pipeline: { negated, timed, commands } }: ListItem): SimpleCommand | undefined {
  const [command, ...others] = commands;
  if (when !== "always" || negated || timed !== undefined || others.length > 0 || command.kind !== "simple") return undefined;
  const { words, assignments, wrappers } = command;
  const isExec = words.length === 1 && assignments.length === 0 && wrappers === undefined && staticText(words[0]) === "exec";
  return isExec ? command : undefined;
}
