/** `shelpa-mcp check LINE`: the risk assessment of a line, as a server for the same root would make it. Nothing runs. */
import { resolve } from "node:path";
import { loadPolicy } from "../config/load.ts";
import { assessmentText } from "../guard/assessment-text.ts";
import { Shell } from "../session/shell.ts";
import { FileError } from "../workspace/file-error.ts";
import { COMMON, readCommand, rootOrHere } from "./command-arguments.ts";
import { CommandLineError } from "./command-line-error.ts";

const CHECK_HELP = `Usage: shelpa-mcp check [--root DIR] [--config FILE] [--profile NAME] [--cwd DIR] [--json] LINE
Tell whether a server for DIR would run LINE, how bad that would be, and what it would read and write. Nothing runs.

      --read-only, --strict   as for a server
      --cwd DIR               where in the root LINE would start
      --json                  one JSON object

Exit status: 0 where the line is allowed, 1 where it is not, 2 on bad usage.
`;

/** Runs it and gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function checkCommand(argv: readonly string[]): Promise<number> {
  if (argv.includes("--help") || argv.includes("-h")) {
    process.stdout.write(CHECK_HELP);
    return 0;
  }
  const options = {
    ...COMMON,
    config: { type: "string" },
    profile: { type: "string" },
    "read-only": { type: "boolean" },
    strict: { type: "boolean" },
    cwd: { type: "string" },
    json: { type: "boolean" },
  } as const;
  const { values, operands } = readCommand("check", argv, options, { min: 1, max: 1, names: "'LINE'" });
  const root = resolve(rootOrHere(values.root));
  const { policy } = await loadPolicy({
    root,
    file: values.config,
    environment: process.env,
    flags: { profile: values.profile, readOnly: values["read-only"], strict: values.strict },
  });
  const shell = await open(root, policy);
  try {
    const assessment = await shell.defaultSession.assess(operands[0] as string, values.cwd === undefined ? {} : { cwd: values.cwd });
    process.stdout.write(values.json === true ? `${JSON.stringify(assessment)}\n` : assessmentText(assessment));
    return assessment.allowed ? 0 : 1;
  } finally {
    await shell.close();
  }
}

async function open(root: string, policy: Awaited<ReturnType<typeof loadPolicy>>["policy"]): Promise<Shell> {
  try {
    return await Shell.open({ root, policy, client: "check" });
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new CommandLineError(`cannot open the root '${root}': ${thrown.message}`);
  }
}
