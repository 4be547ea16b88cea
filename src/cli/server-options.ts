/** Options of a server for a policy: the same for `serve`, `doctor` and the prompt, so that each shows what an agent gets. */
import { policyText } from "../config/policy-text.ts";
import type { Policy } from "../config/policy.ts";
import { activeRules } from "../guard/active-rules.ts";
import { Approvals } from "../mcp/approval.ts";
import { Redactor } from "../mcp/redaction.ts";
import type { ShelpaServerOptions } from "../mcp/server.ts";
import { VERSION } from "./version.ts";

interface Given extends Required<Pick<ShelpaServerOptions, "rawOutput" | "log">> {
  /** Of `policy.redaction` and this environment. Default: a new one. */
  readonly redactor?: Redactor;
}

export function serverOptions(policy: Policy, { rawOutput, log, redactor = redactorOf(policy) }: Given) {
  return {
    version: VERSION,
    readOnly: policy.readOnly,
    rawOutput,
    split: policy.split,
    mounts: policy.mounts,
    structured: policy.answers.structured,
    recordsRedirects: policy.redirects === "record",
    approvals: new Approvals({ asks: policy.approval.protectedPaths === "ask", challenge: policy.approval.challenge }),
    policyText: policyText(policy, { session: "default", rules: activeRules(policy) }),
    redactor,
    log,
  } satisfies ShelpaServerOptions;
}

export const redactorOf = ({ redaction }: Policy): Redactor => new Redactor(redaction, process.env);
