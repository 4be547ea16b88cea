/** Warnings of settings in a policy that are allowed and likely a mistake. */
import type { Policy } from "./policy.ts";

/** A sentence each. */
export function policyWarnings({ limits, commands, approval, redaction, paths }: Policy): readonly string[] {
  const warnings: string[] = [];
  if (limits.timeMs > 300_000) warnings.push("limits.time_seconds is over five minutes: most clients give up earlier");
  if (limits.residentBytes < 128 * 2 ** 20) warnings.push("limits.memory is under 128 MiB: ordinary lines may be stopped");
  if (limits.heldBytes > limits.residentBytes)
    warnings.push("limits.held is more than limits.memory: a stage meets the memory limit first");
  if (commands.only?.length === 0) warnings.push("commands.only is empty: no command can be used");
  if (redaction.level === "off") warnings.push("redaction.level is off: secrets in files and in the environment are shown");
  const { autoDeny } = approval.severity;
  if (autoDeny === "Info" || autoDeny === "Low") warnings.push(`approval.auto_deny_severity is ${autoDeny}: no file can be written`);
  for (const rule of approval.preApproved) {
    if (["*", "**", "/", "/**"].includes(rule)) warnings.push(`approval.pre_approved: '${rule}' allows every protected path`);
  }
  for (const rule of [...paths.denyRead, ...paths.denyWrite]) {
    if (rule.startsWith("./") || rule.startsWith("~"))
      warnings.push(`paths: '${rule}' matches nothing; rules are as in .gitignore, from the root`);
  }
  for (const path of paths.own) warnings.push(`'${path}' in the root is the server's own: no line may write it`);
  return warnings;
}
