/** `shelpa-mcp policy check`: what policy a server would run with, or why it would not start. */
import { loadPolicy } from "../config/load.ts";
import { policyText } from "../config/policy-text.ts";
import { activeRules } from "../guard/active-rules.ts";
import { policyWarnings } from "../config/policy-warnings.ts";
import type { Given } from "./command.ts";
import type { POLICY_CHECK } from "./commands.ts";
import { policySources } from "./policy-sources.ts";

/** Runs it and gives the exit status. Rejects with ConfigurationError. */
export async function policyCheck({ values }: Given<typeof POLICY_CHECK.options>): Promise<number> {
  // Its --strict is about the warnings, and not the server's.
  const { root, config, profile } = values;
  const { policy, files } = await loadPolicy(policySources({ root, config, profile }));
  if (values.json) process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
  else
    process.stdout.write(
      `from: ${files.length === 0 ? "the defaults" : files.join(", ")}\n${policyText(policy, { rules: activeRules(policy) })}`,
    );
  const warnings = policyWarnings(policy);
  for (const warning of warnings) process.stderr.write(`shelpa-mcp: warning: ${warning}\n`);
  return values.strict && warnings.length > 0 ? 1 : 0;
}
