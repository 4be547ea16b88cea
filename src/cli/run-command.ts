/** `shelpa-mcp run LINE`: one line as a server for the same root would run it, with this process's streams. */
import { CallLog } from "../audit/call-log.ts";
import { loadPolicy } from "../config/load.ts";
import { callRecord } from "../mcp/call-record.ts";
import { openShell } from "./open-shell.ts";
import type { Given } from "./command.ts";
import type { RUN } from "./commands.ts";
import { complain } from "./print.ts";
import { policySources } from "./policy-sources.ts";
import { runLine } from "./run-line.ts";
import { standardStreams } from "./standard-streams.ts";

/** Name of the client that runs the line, for the audit. */
const CLIENT = "run";

/** Runs it and gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function run({ values, operands }: Given<typeof RUN.options>): Promise<number> {
  const [line = ""] = operands;
  const { cwd } = values;
  const sources = policySources(values);
  const { policy } = await loadPolicy(sources);
  const streams = standardStreams();
  const shell = await openShell({ root: sources.root, policy, aliases: values.alias, isolation: "process", client: CLIENT });
  const calls = new CallLog(sources.root, policy.readOnly ? "none" : policy.audit.calls);
  const session = shell.defaultSession;
  const startedMs = performance.now();
  const { result, exit } = await runLine(session, line, streams, cwd);
  for (const sentence of (result.kind === "completed" && result.advice) || []) complain(sentence, "shelpa");
  calls.note(callRecord(result, { session: session.recordedName, client: CLIENT, command: line, directory: cwd ?? "", startedMs }));
  calls.close();
  await shell.close();
  // Standard input that nobody reads to its end would keep the process.
  streams.end(exit);
  return exit;
}
