/** An assessment for people and agents to read: a line a fact. */
import type { Assessment, StageAssessment } from "./assessment.ts";
import { showName } from "../display/visible.ts";

export function assessmentText(assessment: Assessment): string {
  const { allowed, severity, matched_rules: rules, alternatives, context, stages } = assessment;
  const facts: readonly (readonly [string, string])[] = [
    ["allowed", allowed ? "yes" : `no: ${assessment.denial_reason ?? ""}`],
    ["risk", `${assessment.risk_level}, severity ${severity ?? "none"}`],
    ["reaches", `${assessment.blast_radius_scope}: ${assessment.blast_radius_detail}`],
    ["needs a human", needsHuman(assessment)],
    ["place", `${context.risk_level}: ${context.labels.join(" ")}`],
    ...rules.map(({ id, severity: each, description }) => ["rule", `${id} (${each}): ${description}`] as const),
    ...stages.map((stage) => ["stage", `${stage.command}: ${usesText(stage)}`] as const),
    ...alternatives.map(({ command, explanation, lost }) => [lost === null ? "try" : "instead", `${command}  # ${explanation}`] as const),
  ];
  return facts.map(([name, value]) => `${name.padEnd(14)}${showName(value)}\n`).join("");
}

/** Names that are known only when the line runs may be protected ones. */
function needsHuman({ requires_human_approval: isAsked, allowed, stages }: Assessment): string {
  if (isAsked) return "yes";
  return allowed && stages.some((stage) => stage.writes_unknown) ? "no, unless a name that it comes upon is protected" : "no";
}

/** Paths of one kind that are listed. */
const MOST_LISTED = 20;

function usesText({ builtin, reads, lists, writes, scratch, unknown, writes_unknown: writesUnknown }: StageAssessment): string {
  if (builtin === null) return "nothing here runs it";
  const list = (what: string, paths: readonly string[]): readonly string[] =>
    paths.length === 0
      ? []
      : [`${what} ${paths.slice(0, MOST_LISTED).join(" ")}${paths.length > MOST_LISTED ? ` and ${paths.length - MOST_LISTED} more` : ""}`];
  const changing = (change: string): readonly string[] => writes.filter((write) => write.change === change).map(({ path }) => path);
  const parts = [
    ...list("reads", reads),
    ...list("lists", lists),
    ...list("creates", changing("create")),
    ...list("appends to", changing("append")),
    ...list("replaces", changing("replace")),
    ...list("removes", changing("remove")),
    ...list("sets the times of", changing("attributes")),
    ...list("writes in its scratch", scratch),
    ...(writesUnknown ? ["writes files whose names data brings"] : []),
    ...list("known when it runs:", unknown),
  ];
  return parts.length === 0 ? "no file" : parts.join("; ");
}
