/** The policy in force, for people and agents: `policy`, `policy check`, `shelpa://policy`. */
import { byteAmount } from "../io/byte-amount.ts";
import type { Policy } from "./policy.ts";

/** A line a fact; what is not restricted is said to be so. */
export function policyText(policy: Policy): string {
  const { limits, commands, paths, approval, redaction, audit, pipelines } = policy;
  const list = (items: readonly string[] | undefined, otherwise: string): string =>
    items === undefined || items.length === 0 ? otherwise : items.join(" ");
  const facts: readonly (readonly [string, string])[] = [
    ["profile", policy.profile],
    ["writing", policy.readOnly ? "nothing can be written" : "tee alone, every write recorded"],
    ["redirections", policy.strict ? "all refused" : "those that name no file are accepted"],
    ["commands", commands.only === undefined ? "all" : `only ${commands.only.join(" ")}`],
    ["left out", list(commands.deny, "none")],
    ["not read", list(paths.denyRead, "nothing is kept from reading")],
    ["not written", list(paths.denyWrite, "only .git and .shelpa")],
    ["protected", approval.protectedPaths === "ask" ? "files that run things: a human is asked" : "files that run things: refused"],
    ["pre-approved", list(approval.preApproved, "none")],
    [
      "oversize",
      `more than ${byteAmount(approval.oversizeBytes)} needs the word of ${approval.confirmOversize === "agent" ? "the agent" : "a human"}`,
    ],
    ["time", `${limits.timeMs / 1000} s a call`],
    ["output", `${byteAmount(limits.outputBytes)} a call`],
    ["memory", byteAmount(limits.residentBytes)],
    ["line", byteAmount(limits.lineBytes)],
    ["held", `${byteAmount(limits.heldBytes)} by a stage that holds its input`],
    ["calls", `${limits.concurrentCalls} at once, ${limits.queuedCalls} waiting`],
    [
      "redaction",
      redaction.level + (redaction.patterns.length === 0 ? "" : `, and ${redaction.patterns.map(({ name }) => name).join(" ")}`),
    ],
    ["audited calls", audit.calls],
    ...Object.entries(pipelines).map(
      ([name, { command, description, arguments: wanted }]) =>
        [`@${name}`, `${command}  # ${[description, argumentsText(wanted)].filter((text) => text !== "").join("; ")}`] as const,
    ),
  ];
  return facts.map(([name, value]) => `${name.padEnd(14)}${value}\n`).join("");
}

function argumentsText(wanted: Readonly<Record<string, string>>): string {
  const keys = Object.entries(wanted).map(([key, what]) => (what === "" ? key : `${key} (${what})`));
  return keys.length === 0 ? "no arguments" : `arguments: ${keys.join(", ")}`;
}
