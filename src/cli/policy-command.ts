/** `shelpa-mcp policy check`: what policy a server would run with, or why it would not start. */
import { resolve } from "node:path";
import { loadPolicy } from "../config/load.ts";
import { COMMON, readCommand, rootOrHere } from "./command-arguments.ts";
import { policyText } from "../config/policy-text.ts";
import { activeRules } from "../guard/active-rules.ts";
import { policyWarnings } from "../config/policy-warnings.ts";
import { CommandLineError } from "./command-line-error.ts";

const POLICY_HELP = `Usage: shelpa-mcp policy check [--root DIR] [--config FILE] [--profile NAME] [--strict] [--json]
Print the policy that a server for DIR would run with, and which files it comes from.

      --strict   exit 1 also where something in it is likely a mistake
      --json     the policy as JSON

Exit status: 0; 1 for a warning under --strict; 2 where the server would not start.
`;

/** Runs it and gives the exit status. Rejects with CommandLineError or ConfigurationError. */
export async function policyCommand(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || argv.includes("--help") || argv.includes("-h")) {
    process.stdout.write(POLICY_HELP);
    return 0;
  }
  if (name !== "check") throw new CommandLineError(`policy: there is no '${name}'; there is check`);
  const options = {
    ...COMMON,
    config: { type: "string" },
    profile: { type: "string" },
    strict: { type: "boolean" },
    json: { type: "boolean" },
  } as const;
  const { values } = readCommand("policy check", rest, options, { min: 0, max: 0, names: "" });
  const { policy, files } = await loadPolicy({
    root: resolve(rootOrHere(values.root)),
    file: values.config,
    environment: process.env,
    flags: { profile: values.profile },
  });
  if (values.json === true) process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
  else
    process.stdout.write(
      `from: ${files.length === 0 ? "the defaults" : files.join(", ")}\n${policyText(policy, { rules: activeRules(policy) })}`,
    );
  const warnings = policyWarnings(policy);
  for (const warning of warnings) process.stderr.write(`shelpa-mcp: warning: ${warning}\n`);
  return values.strict === true && warnings.length > 0 ? 1 : 0;
}
