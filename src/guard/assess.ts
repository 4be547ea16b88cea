/** A line → its assessment: the guard's findings, the risks of a line that passes, and the files it would use. Nothing runs. */
import { highest, isAtLeast, type Severity } from "../config/severity.ts";
import type { AssessedPlace, Assessment, MatchedRule, RiskLevel, StageAssessment } from "./assessment.ts";
import { examineLine, type ExaminedLine, type Found } from "./guard.ts";
import { risksOf, type Risk } from "./risks.ts";
import type { GuardContext, Reach, StageFacts } from "./rule.ts";
import { type RuleId, ruleEntry, SCOPES } from "./rule-catalogue.ts";
import { type StageUses, usesOf } from "./uses.ts";
import type { Violation } from "./violation.ts";

export interface AssessedIn {
  readonly context: GuardContext;
  readonly place: AssessedPlace;
  /** True if a human is asked about files that run by themselves. */
  readonly asksForProtected: boolean;
}

export function assess(line: string, { context, place, asksForProtected }: AssessedIn): Assessment {
  const examined = examineLine(line, context);
  const used = examined.stages.map((stage) => ({ stage, uses: usesOf(stage, context) }));
  const risks = used.flatMap(({ stage, uses }) => risksOf(stage, context, uses));
  const matched = matchedRules(line, examined.found, risks);
  const stages = stagesOf(used);
  return {
    allowed: !examined.isRefused,
    every_part_runs: examined.everyPartRuns,
    ...summary(matched, place, stages),
    alternatives: alternativesOf(examined, risks),
    requires_human_approval: examined.isRefused && examined.found.every((found) => isAsked(found, asksForProtected)),
    denial_reason: denialOf(examined.isRefused ? examined.violations[0] : undefined),
    stages,
  };
}

/** The assessment of a call that is refused before its line is looked at. */
export function assessRefusal(violation: Violation, rule: RuleId, place: AssessedPlace): Assessment {
  const matched = [matchedRule(rule, [])];
  return {
    allowed: false,
    every_part_runs: false,
    ...summary(matched, place, []),
    alternatives: [],
    requires_human_approval: false,
    denial_reason: denialOf(violation),
    stages: [],
  };
}

const denialOf = (violation: Violation | undefined): string | null =>
  violation === undefined ? null : `${violation.reason}: ${violation.detail}`;

function isAsked({ rule, finding }: Found, asksForProtected: boolean): boolean {
  return (finding.reason ?? rule.reason) === "NEEDS_APPROVAL" && (asksForProtected || rule.id !== "write:approval");
}

function summary(
  matched: readonly MatchedRule[],
  place: AssessedPlace,
  stages: readonly StageAssessment[],
): Pick<Assessment, "risk_level" | "severity" | "matched_rules" | "context" | "blast_radius_scope" | "blast_radius_detail"> {
  const severity = highest(matched.map((rule) => rule.severity));
  const widest = matched.toSorted((a, b) => byReach(b, a))[0];
  return {
    risk_level: riskLevel(severity, place),
    severity: severity ?? null,
    matched_rules: matched,
    context: place,
    blast_radius_scope: widest?.blast_radius_scope ?? "RESOURCE",
    blast_radius_detail: widest?.blast_radius_detail ?? (stages.some(({ reads }) => reads.length > 0) ? "files are only read" : "no file"),
  };
}

const byReach = (a: MatchedRule, b: MatchedRule): number =>
  SCOPES.indexOf(a.blast_radius_scope) - SCOPES.indexOf(b.blast_radius_scope) ||
  (a.severity === b.severity ? 0 : isAtLeast(a.severity, b.severity) ? 1 : -1);

/** Risk level of a severity; from Medium on, one level higher where the place itself is not Normal. */
function riskLevel(severity: Severity | undefined, place: AssessedPlace): RiskLevel {
  if (severity === undefined || !isAtLeast(severity, "Medium")) return "Normal";
  return severity === "Critical" || place.risk_level !== "Normal" ? "Critical" : "Elevated";
}

/** Each rule once, in the order in which they were found. */
function matchedRules(line: string, found: readonly Found[], risks: readonly Risk[]): readonly MatchedRule[] {
  const reaches = new Map<RuleId, Reach[]>();
  const add = (rule: RuleId, reach: Reach): void => void reaches.set(rule, [...(reaches.get(rule) ?? []), reach]);
  for (const { rule, finding } of found) {
    const { scope, reach, group } = ruleEntry(rule.id);
    const { start, end } = finding.span;
    const named = group === "paths" || group === "writes" ? `${reach}: ${clipped(line.slice(start, end))}` : reach;
    for (const id of [rule.id, ...(finding.also ?? [])]) add(id, finding.reach ?? { scope, detail: named });
  }
  const heldUp = new Set(reaches.keys());
  for (const { rule, finding } of risks) if (!heldUp.has(rule)) add(rule, finding.reach);
  return [...reaches].map(([rule, each]) => matchedRule(rule, each));
}

/** More details of one rule than this are counted. */
const MOST_DETAILS = 5;

function matchedRule(id: RuleId, reaches: readonly Reach[]): MatchedRule {
  const { description, severity, group, scope, reach } = ruleEntry(id);
  const details = [...new Set(reaches.map(({ detail }) => detail))];
  const widest = SCOPES.findLast((each) => reaches.some((one) => one.scope === each)) ?? scope;
  const shown = details.slice(0, MOST_DETAILS).join("; ");
  const more = details.length > MOST_DETAILS ? `; and ${details.length - MOST_DETAILS} more` : "";
  return {
    id,
    description,
    severity,
    group,
    blast_radius_scope: widest === "RESOURCE" && details.length > MOST_DETAILS ? "PROJECT" : widest,
    blast_radius_detail: details.length === 0 ? reach : shown + more,
  };
}

/** Lines that the violations suggest, and lines that do less than one that may run. */
function alternativesOf({ found, violations, accepted }: ExaminedLine, risks: readonly Risk[]): Assessment["alternatives"] {
  const alternatives = new Map<string, Assessment["alternatives"][number]>();
  const add = (command: string | undefined, explanation: string, lost: string | undefined, source: RuleId): void => {
    if (command !== undefined && !alternatives.has(command))
      alternatives.set(command, { command, explanation, lost: lost ?? null, source });
  };
  for (const [at, { suggestion, lost }] of violations.entries()) {
    const { rule, finding } = found[at] as Found;
    const effect = ruleEntry(finding.also?.[0] ?? rule.id).instead;
    add(suggestion, lost === undefined ? effect : `${effect} (${lost})`, lost, rule.id);
  }
  if (found.length === 0) {
    for (const { rule, finding } of risks) {
      const effect = ruleEntry(rule).instead;
      add(accepted(finding.candidates?.() ?? [])?.line, effect, effect, rule);
    }
  }
  return [...alternatives.values()];
}

/** One entry for each command; the shell's own work for it is part of the entry. */
function stagesOf(used: readonly { readonly stage: StageFacts; readonly uses: StageUses }[]): readonly StageAssessment[] {
  const stages = new Map<string, StageAssessment>();
  for (const { stage, uses } of used) {
    const { start, end } = stage.command.span;
    const key = `${stage.line}\0${start}-${end}`;
    const before = stages.get(key);
    const [name] = stage.command.words;
    const isShell = name.parts.length === 0;
    const isChosen = !isShell && stage.name === undefined;
    stages.set(key, {
      command: stage.line.slice(start, end),
      builtin:
        isShell || isChosen || stage.mayCall === true
          ? (before?.builtin ?? stage.definition?.name ?? "shell")
          : (stage.definition?.name ?? null),
      reads: [...(before?.reads ?? []), ...uses.reads],
      lists: [...(before?.lists ?? []), ...uses.lists],
      writes: [...(before?.writes ?? []), ...uses.writes.map(({ path, change }) => ({ path, change }))],
      scratch: [...(before?.scratch ?? []), ...uses.scratch],
      unknown: [...(before?.unknown ?? []), ...(isChosen ? [stage.line.slice(name.span.start, name.span.end)] : []), ...uses.unknown],
      writes_unknown: before?.writes_unknown === true || uses.writesUnknown,
    });
  }
  return [...stages.values()];
}

const MOST_QUOTED_UNITS = 100;
const clipped = (text: string): string => (text.length > MOST_QUOTED_UNITS ? `${text.slice(0, MOST_QUOTED_UNITS)}…` : text);
