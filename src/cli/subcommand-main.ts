/** `shelpa-mcp WORD …`: one of its subcommands. */
import { subcommandOf } from "./subcommands.ts";
import { withUsageReport } from "./usage-report.ts";

/** Gives the exit status, or undefined where the word is no subcommand. */
export async function subcommandMain(argv: readonly string[]): Promise<number | undefined> {
  let found: ReturnType<typeof subcommandOf>;
  const looked = await withUsageReport("shelpa-mcp", async () => {
    found = subcommandOf(argv);
    return 0;
  });
  if (looked !== 0) return looked;
  return found && (await withUsageReport(found.name, found.run));
}
