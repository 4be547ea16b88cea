/** `shelpa-mcp completions SHELL`: the completions of both commands, for a shell to read. */
import { ownBytes } from "../host/own-code.ts";
import type { Given } from "./command.ts";
import { CommandLineError } from "./command-line-error.ts";
import { COMPLETION_SHELLS, type COMPLETIONS } from "./commands.ts";
import { printContent } from "./print.ts";

/** Files in dist/completions, which the build makes. */
const FILES: Readonly<Record<(typeof COMPLETION_SHELLS)[number], readonly string[]>> = {
  bash: ["shelpa.bash", "shelpa-mcp.bash"],
  zsh: ["_shelpa", "_shelpa-mcp"],
  fish: ["shelpa.fish", "shelpa-mcp.fish"],
};

/** Runs it and gives the exit status. Throws CommandLineError. */
export function completions({ operands }: Given<typeof COMPLETIONS.options>): number {
  const shell = COMPLETION_SHELLS.find((name) => name === operands[0]);
  if (shell === undefined) throw new CommandLineError(`completions: '${operands[0]}' is none of ${COMPLETION_SHELLS.join(", ")}`);
  for (const file of FILES[shell]) printContent(ownBytes(`completions/${file}`));
  return 0;
}
