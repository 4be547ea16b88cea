/**
 * The guard: a command line becomes a plan only if every stage of it, in every branch, passes every rule. Nothing has
 * run then, so a refusal has no side effect. Only this file makes a Plan.
 */
import { parseLine } from "../shell/parse.ts";
import type { Command, List, Pipeline, SimpleCommand } from "../shell/tree.ts";
import { forEachPlace } from "./directories.ts";
import { joined } from "./paths.ts";
import type { BuiltinStage, GroupStage, Plan, PlannedList, PlannedStage } from "./plan.ts";
import type { Finding, GuardContext, Rule, StageFacts } from "./rule.ts";
import { stageRules, syntaxRules } from "./rules.ts";
import { stageFacts } from "./stage-facts.ts";
import type { Violation } from "./violation.ts";

export type { GuardContext } from "./rule.ts";

export type Planned = { readonly kind: "plan"; readonly plan: Plan } | RefusedLine;

interface RefusedLine {
  readonly kind: "refused";
  readonly violations: readonly [Violation, ...Violation[]];
}

/** More than this many violations of one line are not reported. */
const MOST_VIOLATIONS = 10;

/** Checks the whole of `line`. Every suggestion in a refusal is itself a line that passes. */
export function planLine(line: string, context: GuardContext): Planned {
  const examined = examine(line, context);
  if (examined.kind === "plan") return examined;
  const suggester = new Suggester(context);
  const [first, ...others] = examined.found.slice(0, MOST_VIOLATIONS).map((found) => violationOf(found, suggester));
  return { kind: "refused", violations: [first as Violation, ...others] };
}

/** A finding with the rule that made it and the place of its stage. */
interface Found {
  readonly rule: Rule;
  readonly finding: Finding;
  readonly stage: number;
}

type Examined = { readonly kind: "plan"; readonly plan: Plan } | { readonly kind: "refused"; readonly found: readonly Found[] };

function examine(line: string, context: GuardContext): Examined {
  const parsed = parseLine(line);
  if (parsed.kind === "rejected") {
    const found: Found[] = [];
    for (const problem of parsed.problems) {
      for (const rule of syntaxRules) {
        const finding = rule.explain(problem, line);
        if (finding !== undefined) found.push({ rule, finding, stage: 0 });
      }
    }
    if (found.length === 0) throw new Error(`no rule explains: ${parsed.problems.map((problem) => problem.construct).join()}`);
    return { kind: "refused", found };
  }
  const facts = factsOf(line, parsed.list, context);
  const found: Found[] = [];
  for (const stage of facts.values()) {
    for (const rule of stageRules) {
      for (const finding of rule.check(stage, context)) found.push({ rule, finding, stage: stage.index });
    }
  }
  if (found.length > 0) return { kind: "refused", found: found.sort((a, b) => a.finding.span.start - b.finding.span.start) };
  return { kind: "plan", plan: { line, body: plannedList(parsed.list, facts) } as unknown as Plan };
}

function factsOf(line: string, list: List, context: GuardContext): ReadonlyMap<SimpleCommand, StageFacts> {
  const places = new Map<SimpleCommand, { pipeline: Pipeline; index: number }>();
  const collect = ({ items }: List): void => {
    for (const { pipeline } of items) {
      pipeline.commands.forEach((command, index) => {
        if (command.kind === "group") collect(command.body);
        else places.set(command, { pipeline, index });
      });
    }
  };
  collect(list);
  const facts = new Map<SimpleCommand, StageFacts>();
  const placeless = (command: SimpleCommand): StageFacts => {
    let known = facts.get(command);
    if (known === undefined) {
      known = stageFacts(line, command, places.get(command) as { pipeline: Pipeline; index: number }, context);
      facts.set(command, known);
    }
    return known;
  };
  forEachPlace(
    list,
    context.currentDirectory,
    (command, from) => destination(placeless(command), from, context),
    (command, directories) => facts.set(command, { ...placeless(command), directories }),
  );
  return facts;
}

/** Where a stage takes the session. Its one path operand says it; none is the root; `-` depends on what was before. */
function destination({ definition, parsed }: StageFacts, from: string, context: GuardContext): string | undefined {
  if (definition?.navigates !== true) return from;
  if (parsed === undefined) return undefined;
  const [operand, ...others] = parsed.operands;
  if (operand === undefined) return "";
  if (operand === "-" || others.length > 0 || /[*?[]/.test(operand)) return undefined;
  return joined(from, operand, context);
}

function plannedList(list: List, facts: ReadonlyMap<SimpleCommand, StageFacts>): PlannedList {
  return list.items.map(({ when, pipeline }) => {
    const [first, ...others] = pipeline.commands;
    const stage = (command: Command): PlannedStage =>
      command.kind === "group" ? plannedGroup(command, facts) : plannedBuiltin(command, facts);
    return { when, negated: pipeline.negated, stages: [stage(first), ...others.map(stage)], span: pipeline.span };
  });
}

function plannedGroup(command: Extract<Command, { kind: "group" }>, facts: ReadonlyMap<SimpleCommand, StageFacts>): GroupStage {
  const { subshell, redirects, span } = command;
  return { kind: "group", subshell, body: plannedList(command.body, facts), redirects, span };
}

function plannedBuiltin(command: SimpleCommand, facts: ReadonlyMap<SimpleCommand, StageFacts>): BuiltinStage {
  const { name, definition } = facts.get(command) as StageFacts;
  if (name === undefined || definition === undefined) throw new Error("a stage without a builtin passed the rules");
  return { kind: "builtin", definition, name, words: command.words.slice(1), redirects: command.redirects, span: command.span };
}

/** Longer details are cut: they may quote what was typed. */
const MOST_DETAIL_UNITS = 400;

function violationOf({ rule, finding, stage }: Found, suggester: Suggester): Violation {
  const { span, detail, native } = finding;
  return {
    code: rule.reason === "USAGE" ? "USAGE" : "GUARD_VIOLATION",
    reason: rule.reason,
    detail: detail.length > MOST_DETAIL_UNITS ? `${detail.slice(0, MOST_DETAIL_UNITS)}…` : detail,
    suggestion: suggester.suggest(finding),
    position: { start: span.start, end: span.end, stage },
    ...(native === undefined ? {} : { native }),
  };
}

/** How often a candidate that is still refused is mended with the first candidate of its own first violation. */
const MAX_REPAIRS = 4;

/** How much text is examined for all suggestions of one refusal, in UTF-16 code units. */
const MOST_EXAMINED_UNITS = 1 << 16;

class Suggester {
  readonly #context: GuardContext;
  #units = MOST_EXAMINED_UNITS;

  constructor(context: GuardContext) {
    this.#context = context;
  }

  /** The first of a finding's candidates that passes, at once or mended; else its fallback, if that passes. */
  suggest({ candidates, fallback }: Finding): string | undefined {
    for (const candidate of candidates?.() ?? []) {
      const accepted = this.#mended(candidate);
      if (accepted !== undefined) return accepted;
    }
    return fallback !== undefined && this.#examine(fallback)?.kind === "plan" ? fallback : undefined;
  }

  #mended(candidate: string): string | undefined {
    let line = candidate;
    for (let repairs = 0; repairs <= MAX_REPAIRS; repairs++) {
      const examined = this.#examine(line);
      if (examined === undefined) return undefined;
      if (examined.kind === "plan") return line;
      const next = examined.found[0]?.finding.candidates?.()[0];
      if (next === undefined || next === line) return undefined;
      line = next;
    }
    return undefined;
  }

  #examine(line: string): Examined | undefined {
    this.#units -= line.length;
    return this.#units < 0 ? undefined : examine(line, this.#context);
  }
}
