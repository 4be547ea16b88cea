/** The page of `shelpa-mcp` itself, which names its subcommands. Apart, because a server has no use for it. */
import { helpText, phrase, row } from "./command-help.ts";
import { EXAMPLE_ENTRY, SERVE } from "./commands.ts";
import type { Launch } from "./init/entry.ts";
import { launchHere } from "./init/own-launch.ts";
import { summaryOf, SUBCOMMANDS } from "./subcommands.ts";

/** The page with the entry that starts this very program, as init would write it. */
export const mcpHelpHere = (): string => mcpHelp().replace(EXAMPLE_ENTRY, () => entryOf(launchHere().terminal));

export function mcpHelp(): string {
  const list = SUBCOMMANDS.map((subcommand) => row(subcommand.word, phrase(summaryOf(subcommand)))).join("");
  return helpText(SERVE, [`Commands ('shelpa-mcp COMMAND --help' tells of each):\n${list}`]);
}

function entryOf({ program: [command, ...args] }: Launch): string {
  const words = [...args, "--root", "/path/to/project"].map((word) => JSON.stringify(word)).join(", ");
  return `{ "command": ${JSON.stringify(command)}, "args": [${words}] }`;
}
