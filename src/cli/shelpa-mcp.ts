/** The command `shelpa-mcp`: which of its commands was asked for, and what is said where none can be run. */
import { ConfigurationError } from "../config/configuration-error.ts";
import { CommandLineError } from "./command-line-error.ts";
import { mcpHelp, readMcpArguments } from "./mcp-arguments.ts";
import { serve } from "./serve-command.ts";
import { subcommandOf } from "./subcommands.ts";
import { VERSION } from "./version.ts";

const EXIT_USAGE = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  let name = "shelpa-mcp";
  try {
    const subcommand = subcommandOf(argv);
    if (subcommand !== undefined) {
      name = subcommand.name;
      return await subcommand.run();
    }
    const command = readMcpArguments(argv, process.env);
    switch (command.kind) {
      case "help":
        process.stdout.write(mcpHelp());
        return 0;
      case "version":
        process.stdout.write(`shelpa-mcp ${VERSION}\n`);
        return 0;
      case "serve":
        return await serve(command.settings, log);
    }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      log(error.message);
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandLineError)) throw error;
    log(error.message);
    process.stderr.write(error.suggestion === undefined ? `Try '${name} --help' for more information.\n` : `try: ${error.suggestion}\n`);
    return EXIT_USAGE;
  }
}

function log(line: string): void {
  process.stderr.write(`shelpa-mcp: ${line}\n`);
}
