/** Number of the catalogue's rules that can find something under a policy, by group, as `policy` prints it. */
import type { Policy } from "../config/policy.ts";
import { RULE_GROUPS, type RuleGroup, type RuleId, RULES } from "./rule-catalogue.ts";

export function activeRules(policy: Policy): ReadonlyMap<RuleGroup, number> {
  const active = Object.entries(RULES).filter(([id]) => isActive(id, policy));
  return new Map(RULE_GROUPS.map((name) => [name, active.filter(([, { group }]) => group === name).length]));
}

function isActive(id: string, { profile, strict, readOnly, commands, paths, mounts }: Policy): boolean {
  switch (id as RuleId) {
    case "redirect:strict":
      return strict;
    case "write:strict":
      return profile === "strict" && !readOnly;
    case "cmd:left-out":
      return commands.only !== undefined || commands.deny.length > 0;
    case "write:read-only":
      return readOnly;
    case "write:mount":
    case "write:two-trees":
      return !readOnly && mounts.length > 0;
    case "write:denied":
      return !readOnly && paths.denyWrite.length > 0;
    case "write:create":
    case "write:append":
    case "write:replace":
    case "write:remove":
    case "write:attributes":
    case "write:unknown":
    case "write:approval":
    case "write:protected":
    case "path:link":
      // Nothing is written at all.
      return !readOnly;
    default:
      return true;
  }
}
