/** The policy in force, for people and agents: `policy`, `policy check`, `shelpa://policy`. */
import { WEAKER_HERE } from "../workspace/host-guarantee.ts";
import { byteAmount } from "../numbers/byte-amount.ts";
import { showName } from "../display/visible.ts";
import type { Policy } from "./policy.ts";
import { mildestHeldUp, SEVERITIES, type SeverityPolicy } from "./severity.ts";

export interface PolicyFacts {
  /** The session that asks; undefined: nobody's. */
  readonly session?: string | undefined;
  /** Group → rules that can find something under this policy. */
  readonly rules: ReadonlyMap<string, number>;
  /** Commands that the program has besides the builtins. */
  readonly commands?: readonly string[] | undefined;
}

/** The policy as text, one fact a line; settings without a restriction are shown as such. */
export function policyText(policy: Policy, { session, rules, commands: own = [] }: PolicyFacts): string {
  const { limits, commands, paths, mounts, approval, redaction, audit, pipelines } = policy;
  const list = (items: readonly string[] | undefined, otherwise: string): string =>
    items === undefined || items.length === 0 ? otherwise : items.join(" ");
  const facts: readonly (readonly [string, string])[] = [
    ["profile", policy.profile],
    ["writing", writing(policy)],
    [
      "redirections",
      policy.strict ? "all refused" : `those that name no file${limits.scratchBytes > 0 ? ", or one in /tmp," : ""} are accepted`,
    ],
    ["commands", commands.only === undefined ? "all" : `only ${commands.only.join(" ")}`],
    ["left out", list(commands.deny, "none")],
    ...(own.length === 0 ? [] : [["of the program", own.join(" ")] as const]),
    ["not read", list(paths.denyRead, "nothing is kept from reading")],
    ["not written", list(paths.denyWrite, "only .git and .shelpa")],
    ...mounts.map(
      ({ name, access }) => [name, access === "write" && !policy.readOnly ? "mounted: read and written" : "mounted: only read"] as const,
    ),
    ["protected", approval.protectedPaths === "ask" ? "files that run things: a human is asked" : "files that run things: refused"],
    ["pre-approved", list(approval.preApproved, "none")],
    [
      "oversize",
      `more than ${byteAmount(approval.oversizeBytes)} needs the word of ${approval.confirmOversize === "agent" ? "the agent" : "a human"}`,
    ],
    ["time", `${limits.timeMs / 1000} s a call`],
    ["output", `${byteAmount(limits.outputBytes)} a call`],
    ["memory", byteAmount(limits.residentBytes)],
    ...(WEAKER_HERE === undefined ? [] : [["host", WEAKER_HERE] as const]),
    ["line", byteAmount(limits.lineBytes)],
    ["/tmp", limits.scratchBytes > 0 ? `${byteAmount(limits.scratchBytes)} of the session's own, gone with it` : "none"],
    ["held", `${byteAmount(limits.heldBytes)} by a stage that holds its input`],
    ["calls", `${limits.concurrentCalls} at once, ${limits.queuedCalls} waiting`],
    [
      "redaction",
      redaction.level + (redaction.patterns.length === 0 ? "" : `, and ${redaction.patterns.map(({ name }) => name).join(" ")}`),
    ],
    ["audit", policy.readOnly ? "off: nothing is written" : "on: every write is recorded in .shelpa, and undo takes it back"],
    ["audited calls", audit.calls],
    ["rules", [...rules].map(([group, count]) => `${group} ${count}`).join(", ")],
    ["min severity", `${SEVERITIES[0]}: every rule is told; ${heldUpText(approval.severity)}`],
    ["auto-deny", `auto_deny_severity = ${approval.severity.autoDeny ?? "none"}`],
    ["human approval", `require_human_approval = ${approvalText(approval.severity)}`],
    ...(session === undefined ? [] : [["session", session] as const]),
    ...Object.entries(pipelines).map(
      ([name, { command, description, arguments: wanted }]) =>
        [`@${name}`, `${command}  # ${[description, argumentsText(wanted)].filter((text) => text !== "").join("; ")}`] as const,
    ),
  ];
  return facts.map(([name, value]) => `${name.padEnd(NAME_COLUMNS - 1)} ${showName(value)}\n`).join("");
}

const NAME_COLUMNS = 16;

function heldUpText(severity: SeverityPolicy): string {
  const mildest = mildestHeldUp(severity);
  return mildest === undefined ? "none is held up for its severity alone" : `from ${mildest} on lines are held up`;
}

/** Value of the setting as it would be written in the configuration. */
export function approvalText({ actions }: SeverityPolicy): string {
  const [first, ...others] = SEVERITIES.map((name) => actions[name]);
  if (others.every((action) => action === first) && first !== "deny") return String(first === "ask");
  return `{ ${SEVERITIES.map((name) => `${name} = "${actions[name]}"`).join(", ")} }`;
}

function argumentsText(wanted: Readonly<Record<string, string>>): string {
  const keys = Object.entries(wanted).map(([key, what]) => (what === "" ? key : `${key} (${what})`));
  return keys.length === 0 ? "no arguments" : `arguments: ${keys.join(", ")}`;
}

function writing({ readOnly, profile }: Policy): string {
  if (readOnly) return "nothing of the workspace can be written";
  return profile === "strict"
    ? "whole files by tee, and undo; every write recorded"
    : "by tee, sed -i, sort -o, patch, cp, mv, rm, mkdir, rmdir, touch and undo, every change recorded";
}
