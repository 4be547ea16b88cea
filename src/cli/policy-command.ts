/** `shelpa-mcp policy check`: prints the policy a server would run with, or the error that would stop its start. */
import { loadPolicy } from "../config/load.ts";
import { policyText } from "../config/policy-text.ts";
import { activeRules } from "../guard/active-rules.ts";
import { policyWarnings } from "../config/policy-warnings.ts";
import { showName } from "../display/visible.ts";
import type { Given } from "./command.ts";
import type { POLICY_CHECK } from "./commands.ts";
import { policySources } from "./policy-sources.ts";
import { complain, print, printJson } from "./print.ts";

/** Runs it and gives the exit status. Rejects with ConfigurationError. */
export async function policyCheck({ values }: Given<typeof POLICY_CHECK.options>): Promise<number> {
  // Its --strict is about the warnings, and not the server's.
  const { root, config, profile } = values;
  const { policy, files } = await loadPolicy(policySources({ root, config, profile }));
  if (values.json) printJson(policy, 2);
  else {
    print(`from: ${files.length === 0 ? "the defaults" : files.map(showName).join(", ")}\n`);
    print(policyText(policy, { rules: activeRules(policy) }));
  }
  const warnings = policyWarnings(policy);
  for (const warning of warnings) complain(`warning: ${warning}`);
  return values.strict && warnings.length > 0 ? 1 : 0;
}
