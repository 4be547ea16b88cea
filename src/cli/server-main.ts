/** `shelpa-mcp` with options alone: the server, or its help or version. */
import { readMcpArguments } from "./mcp-arguments.ts";
import { complain, print } from "./print.ts";
import { serve } from "./serve-command.ts";
import { withUsageReport } from "./usage-report.ts";
import { VERSION } from "./version.ts";

/** Gives the exit status. */
export const serverMain = (argv: readonly string[]): Promise<number> =>
  withUsageReport("shelpa-mcp", async () => {
    const command = readMcpArguments(argv, process.env);
    switch (command.kind) {
      case "help":
        print((await import("./mcp-help.ts")).mcpHelpHere());
        return 0;
      case "version":
        print(`shelpa-mcp ${VERSION}\n`);
        return 0;
      case "serve":
        return await serve(command.settings, complain);
      case "serve workspaces":
        return await (await import("./serve-workspaces.ts")).serveWorkspaces(command.settings);
    }
  });
