/** The page of `shelpa-mcp` itself, which names its subcommands. Apart, because a server has no use for it. */
import { helpText, phrase, row } from "./command-help.ts";
import { SERVE } from "./commands.ts";
import { summaryOf, SUBCOMMANDS } from "./subcommands.ts";

export function mcpHelp(): string {
  const list = SUBCOMMANDS.map((subcommand) => row(subcommand.word, phrase(summaryOf(subcommand)))).join("");
  return helpText(SERVE, [`Commands ('shelpa-mcp COMMAND --help' tells of each):\n${list}`]);
}
