/**
 * Risks of a line that no rule refuses: it writes, or it reads files that hold secrets. Each risk has a
 * severity in the catalogue; the policy says what is done with lines of that severity, and most allow them all.
 */
import {
  SEVERITIES,
  SEVERITY_ACTIONS,
  severityAction,
  mildestHeldUp,
  type Severity,
  type SeverityAction,
  type SeverityPolicy,
} from "../config/severity.ts";
import { namesCredentials } from "./credential-names.ts";
import { type Finding, type GuardContext, type Reach, spliced, type StageFacts } from "./rule.ts";
import { ruleEntry, type RuleId } from "./rule-catalogue.ts";
import { usesOf, type StageUses, type WriteUse } from "./uses.ts";
import { near } from "./suggestion.ts";

/** One thing that may go wrong. */
export interface Risk {
  readonly rule: RuleId;
  readonly finding: Finding & { readonly reach: Reach };
  /** The file it is about, relative to the root; undefined where it is not known. */
  readonly path: string | undefined;
}

export function risksOf(stage: StageFacts, context: GuardContext, uses: StageUses = usesOf(stage, context)): readonly Risk[] {
  const risks: Risk[] = [];
  for (const write of uses.writes) {
    // In a workspace that is read-only every write is refused, which says more.
    if (context.readOnly) break;
    const verdict = context.writeVerdict(write.path);
    if (verdict === "pre-approved") risks.push(risk("write:approval", write, stage, "is run or obeyed by programs or agents"));
    // Any other verdict is a refusal, which says more.
    if (verdict === "ordinary" || verdict === "pre-approved") {
      risks.push(risk(`write:${write.change}`, write, stage, CHANGES[write.change]));
    }
  }
  if (uses.removesUnknown) {
    const detail = "Which files it removes is known only when it runs";
    risks.push({ rule: "write:remove", path: undefined, finding: { span: stage.command.span, detail, reach: reachOf("write:remove") } });
  }
  if (uses.writesUnknown) {
    risks.push({
      rule: "write:unknown",
      path: undefined,
      finding: { span: stage.command.span, detail: "Which files it writes is known only when it runs", reach: reachOf("write:unknown") },
    });
  }
  const isDenied = (path: string): boolean => context.look?.isReadDenied(path) === true;
  for (const path of uses.reads.filter(isDenied))
    risks.push({
      rule: "read:denied",
      path,
      finding: { span: spanOf(stage, path), detail: `'${path}' is not read`, reach: { scope: "RESOURCE", detail: path } },
    });
  // A link's own name says nothing of the file it leads to.
  const isSecret = (path: string): boolean => namesCredentials(path) || namesCredentials(context.look?.real(path) ?? "");
  for (const path of uses.reads.filter((each) => isSecret(each) && !isDenied(each))) {
    const detail = `'${path}' holds credentials, by its name`;
    const reach: Reach = { scope: ruleEntry("read:credentials").scope, detail: `whatever the credentials in ${path} open` };
    risks.push({ rule: "read:credentials", path, finding: { span: spanOf(stage, path), detail, reach } });
  }
  return risks;
}

const CHANGES: Readonly<Record<WriteUse["change"], string>> = {
  create: "would be made",
  append: "would be added to",
  replace: "would be replaced",
  remove: "would be removed",
  attributes: "would get other times",
};

function risk(rule: RuleId, { path, span }: WriteUse, stage: StageFacts, what: string): Risk {
  const { scope } = ruleEntry(rule);
  const detail = scope === "RESOURCE" ? path : `${ruleEntry(rule).reach}: ${path}`;
  const candidates = rule === "write:replace" ? () => comparison(stage).map((each) => near(each, ruleEntry(rule).instead)) : () => [];
  return { rule, path, finding: { span, detail: `'${path}' ${what}`, reach: { scope, detail }, candidates } };
}

const reachOf = (rule: RuleId): Reach => ({ scope: ruleEntry(rule).scope, detail: ruleEntry(rule).reach });

function spanOf(stage: StageFacts, path: string): Finding["span"] {
  return stage.paths.find((use) => use.path === path)?.span ?? stage.command.span;
}

/** `… | tee FILE` → `… | diff FILE -`: a preview of the changes that the write would make. */
function comparison({ line, pipeline, index, command, paths, name }: StageFacts): readonly string[] {
  const [use, ...others] = paths;
  const isLast = index > 0 && index === pipeline.commands.length - 1;
  if (!isLast || use === undefined || others.length > 0 || use.access !== "write" || command.words[0].span.start === use.span.start)
    return [];
  const file = line.slice(use.span.start, use.span.end);
  return name === undefined ? [] : [spliced(line, command.span, `diff ${file} -`)];
}

/** Tells whether the policy holds up any line for its severity alone. */
export const holdsUp = (policy: SeverityPolicy): boolean => mildestHeldUp(policy) !== undefined;

/** The finding that keeps a line from running for the severity of `risk`; undefined where it may run. */
export function heldUp({ rule, finding, path }: Risk, context: GuardContext): Finding | undefined {
  const { severity } = ruleEntry(rule);
  switch (actionFor(rule, context.severity)) {
    case "allow":
      return undefined;
    case "deny":
      return { ...finding, reason: "SEVERITY_DENIED", detail: `${finding.detail}: ${deniedBecause(severity, context.severity)}` };
    case "ask": {
      if (context.agreed === true || (path !== undefined && context.isPreApproved(path))) return undefined;
      const setting =
        path === undefined
          ? `approval.require_human_approval = { ${severity} = "allow" }`
          : `approval.pre_approved = [${JSON.stringify(path)}]`;
      return {
        ...finding,
        reason: "NEEDS_APPROVAL",
        detail: `${finding.detail}, which is of severity ${severity}, so a person must allow it. In the configuration: ${setting}`,
      };
    }
  }
}

/** The policy's action for `rule`. A write of unknown kind may turn out to be of any, so the strictest action counts. */
function actionFor(rule: RuleId, policy: SeverityPolicy): SeverityAction {
  const rules: readonly RuleId[] = rule === "write:unknown" ? [rule, "write:create", "write:append", "write:replace"] : [rule];
  const actions = rules.map((each) => severityAction(policy, ruleEntry(each).severity));
  return SEVERITY_ACTIONS.findLast((action) => actions.includes(action)) ?? "allow";
}

/** Reason that a line of that severity is denied, with the configuration that would allow it. */
export function deniedBecause(severity: Severity, { autoDeny }: SeverityPolicy): string {
  if (autoDeny === undefined) {
    return `lines of severity ${severity} are denied here. In the configuration: approval.require_human_approval = { ${severity} = "ask" }`;
  }
  const next = SEVERITIES[SEVERITIES.indexOf(severity) + 1];
  const setting = next === undefined ? "leave approval.auto_deny_severity out" : `approval.auto_deny_severity = "${next}"`;
  return `it is of severity ${severity}, and from ${autoDeny} on lines are denied here. In the configuration: ${setting}`;
}
