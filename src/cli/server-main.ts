/** `shelpa-mcp` with options alone: the server, or what is said of it. */
import { readMcpArguments } from "./mcp-arguments.ts";
import { serve } from "./serve-command.ts";
import { log, withUsageReport } from "./usage-report.ts";
import { VERSION } from "./version.ts";

/** Gives the exit status. */
export const serverMain = (argv: readonly string[]): Promise<number> =>
  withUsageReport("shelpa-mcp", async () => {
    const command = readMcpArguments(argv, process.env);
    switch (command.kind) {
      case "help":
        process.stdout.write((await import("./mcp-help.ts")).mcpHelp());
        return 0;
      case "version":
        process.stdout.write(`shelpa-mcp ${VERSION}\n`);
        return 0;
      case "serve":
        return await serve(command.settings, log);
    }
  });
