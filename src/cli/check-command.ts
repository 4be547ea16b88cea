/** `shelpa-mcp check LINE`: the risk assessment of a line, as a server for the same root would make it. Nothing runs. */
import { loadPolicy } from "../config/load.ts";
import { assessmentText } from "../guard/assessment-text.ts";
import type { Given } from "./command.ts";
import type { CHECK } from "./commands.ts";
import { openShell } from "./open-shell.ts";
import { policySources } from "./policy-sources.ts";
import { print, printJson } from "./print.ts";

/** Runs it and gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function check({ values, operands }: Given<typeof CHECK.options>): Promise<number> {
  const sources = policySources(values);
  const { policy } = await loadPolicy(sources);
  const shell = await openShell({ root: sources.root, isolation: "none", policy, client: "check" });
  try {
    const assessment = await shell.defaultSession.assess(operands[0] as string, values.cwd === undefined ? {} : { cwd: values.cwd });
    if (values.json) printJson(assessment);
    else print(assessmentText(assessment));
    return assessment.allowed ? 0 : 1;
  } finally {
    await shell.close();
  }
}
