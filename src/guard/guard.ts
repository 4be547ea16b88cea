/**
 * The guard: a command line becomes a plan only if every stage of it, in every branch, passes every rule. Nothing has
 * run then, so a refusal has no side effect; one at a stage's turn (checkStarting) comes behind what was written before.
 * Only this file makes a Plan.
 */
import { parseLine } from "../shell/parse.ts";
import { quoteWord } from "../display/quote.ts";
import { expandCalls, type CommandOrigin } from "../shell/named-pipeline.ts";
import { staticText, type Command, type List, type Pipeline, type SimpleCommand, type Span } from "../shell/tree.ts";
import { forEachList } from "../shell/tree-walk.ts";
import { severityAction } from "../config/severity.ts";
import { DECLARED, POSITIONAL } from "./known-values.ts";
import { chosenWhenRun } from "./chosen-commands.ts";
import { failingParts, mayRemove, mayWrite } from "./failing-parts.ts";
import { namesNoFile } from "./paths.ts";
import type { NotRun, Plan, PlannedCommand } from "./plan.ts";
import { callFacts, lineFunctions } from "./functions.ts";
import { forEachState, type State } from "./reach.ts";
import type { Finding, GuardContext, Rule, StageFacts } from "./rule.ts";
import { heldUp, holdsUp, risksOf } from "./risks.ts";
import { callRules, chosenRules, shellRules, stageRules, startingRules } from "./rules.ts";
import { ruleEntry } from "./rule-catalogue.ts";
import { examineScripts } from "./scripts.ts";
import { outputsElsewhere, shellFacts } from "./shell-facts.ts";
import { stageFacts, startingFacts, type StartingCommand } from "./stage-facts.ts";
import { assignedBy, destination, scriptState, startingState } from "./starting-state.ts";
import { outputsRefused, problemsIn, toldOfWritingTool, unknownCommands } from "./rejected-line.ts";
import { lostOf, writesNoFile } from "./tee-proof.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Violation } from "./violation.ts";

export type { GuardContext } from "./rule.ts";

export type Planned =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      /** Files that are read and that somebody would be asked about, if the configuration did not allow it. */
      readonly preApproved: readonly string[];
    }
  | RefusedLine;

interface RefusedLine {
  readonly kind: "refused";
  readonly violations: readonly [Violation, ...Violation[]];
}

/** More than this many violations of one line are not reported. */
const MOST_VIOLATIONS = 10;

/** Checks the whole of `line`. Every suggestion in a refusal is itself a line that passes. */
export function planLine(line: string, context: GuardContext): Planned {
  const { plan, found, stages } = examine(line, context);
  const suggester = new Suggester(context);
  if (plan !== undefined) {
    const faults = found.slice(0, MOST_VIOLATIONS).map((each) => violationOf(each, suggester));
    return { kind: "plan", plan: { ...plan, faults }, preApproved: stages.flatMap((stage) => preApprovedIn(stage, context)) };
  }
  const [first, ...others] = found.slice(0, MOST_VIOLATIONS).map((each) => violationOf(each, suggester));
  return { kind: "refused", violations: [first as Violation, ...others] };
}

/** Findings of the rules in a line, for the code that presents them (assess.ts). */
export interface ExaminedLine {
  readonly found: readonly Found[];
  /** False where a part that cannot run fails at its turn, and the line runs. */
  readonly isRefused: boolean;
  readonly everyPartRuns: boolean;
  /** Every stage, in the order of the line; none where it does not parse. */
  readonly stages: readonly StageFacts[];
  /** The violations that `planLine` gives; none where the line passes. */
  readonly violations: readonly Violation[];
  /** The first of the candidates that the guard accepts. */
  readonly accepted: (candidates: readonly Suggestion[]) => Suggestion | undefined;
}

export function examineLine(line: string, context: GuardContext): ExaminedLine {
  const { plan, found, stages, hasChosen = false } = examine(line, context);
  const suggester = new Suggester(context);
  return {
    found,
    isRefused: plan === undefined,
    everyPartRuns: plan !== undefined && found.length === 0 && !hasChosen,
    stages,
    violations: found.slice(0, MOST_VIOLATIONS).map((each) => violationOf(each, suggester)),
    accepted: (candidates) => suggester.suggest({ candidates: () => candidates }),
  };
}

/** A finding with the rule that made it and the place of its stage. */
export interface Found {
  readonly rule: Pick<Rule, "id" | "reason">;
  readonly finding: Finding;
  readonly stage: number;
  /** The command that it is about; absent for a line that has no commands. */
  readonly command?: Command;
}

const NO_SCRIPTS: ReadonlySet<string> = new Set();

interface Examined {
  /** Absent where it does not parse. */
  readonly list?: List;
  /** Set where the line runs, although what was found fails at its turn. */
  readonly plan: Plan | undefined;
  readonly found: readonly Found[];
  readonly stages: readonly StageFacts[];
  /** True if a command's name shows only when it starts. */
  readonly hasChosen?: boolean;
}

/** `start` is the state before the first command: that of a session, or of a script. */
function examine(line: string, context: GuardContext, start = startingState(context)): Examined {
  // Which files redirections write is known once the line has been walked.
  const { scratch, recordsRedirects } = context;
  const parsed = parseLine(line, () => scratch !== undefined || recordsRedirects);
  if (parsed.kind === "rejected") {
    const isKept = (target: string): boolean => recordsRedirects || (scratch !== undefined && target.startsWith(`${scratch}/`));
    const parsedAgain = parseLine(line, (_, target) => isKept(target));
    return { plan: undefined, found: problemsIn(line, parsedAgain, context), stages: [] };
  }
  const expanded = expandCalls(line, parsed.list, context.pipelines);
  const found: Found[] = [];
  for (const problem of expanded.problems) {
    for (const rule of callRules) {
      const finding = rule.explain(problem, line, [...context.pipelines.keys()]);
      if (finding !== undefined) found.push({ rule, finding, stage: 0 });
    }
  }
  if (found.length > 0) return { plan: undefined, found, stages: [] };
  const { stages, shell, outputs } = factsOf(line, expanded.list, context, start);
  if (outputs.length > 0) {
    const refused = new Set(outputs.map((span) => span.start));
    const parsedAgain = parseLine(line, (span) => !refused.has(span.start));
    const against = outputsRefused(shell, refused, [...stages.values()], context);
    // Where no pipe into tee would do, the reason against the file is the one to tell. One that a person may allow still is none.
    const told = new Set(against.filter(({ rule }) => rule.reason !== "NEEDS_APPROVAL").map(({ finding }) => finding.span.start));
    const problems = problemsIn(line, parsedAgain, context).filter(({ finding }) => !told.has(finding.span.start));
    return { plan: undefined, found: [...problems, ...against, ...unknownCommands(stages, context)].sort(byPlace), stages: [] };
  }
  const scripts = examineScripts(stages.values(), context, (text, inner, directories) =>
    examine(text, inner, scriptState(context, directories)),
  );
  found.push(...scripts.found);
  const chosen = chosenWhenRun([...stages.values()], scripts.stages, expanded.origins, context);
  const facts = [...[...stages].map(([command, each]) => ({ command, facts: each })), ...shell];
  facts.sort((a, b) => a.command.span.start - b.command.span.start);
  const inLine = facts.map(({ facts: each }) => each);
  for (const [command, stage] of stages) {
    for (const rule of chosen.has(stage) ? chosenRules : stageRules) {
      for (const finding of rule.check(stage, context, inLine))
        found.push({ rule, finding: inCall(finding, expanded.origins.get(command)), stage: stage.index, command });
    }
  }
  for (const { command, facts: each } of shell) {
    for (const rule of shellRules) {
      for (const finding of rule.check(each, context, inLine))
        found.push({ rule, finding: inCall(finding, expanded.origins.get(command)), stage: each.index, command });
    }
  }
  for (const { command, facts: each } of facts) {
    for (const held of heldUpIn(each, context))
      found.push({ ...held, finding: inCall(held.finding, expanded.origins.get(command)), command });
  }
  const all = [...inLine, ...scripts.stages];
  found.sort(byPlace);
  const inOrder = toldOfWritingTool([...found, ...scripts.faults].sort(byPlace), context, (there) => examine(line, there));
  const isRefusedForScripts = scripts.faults.length > 0 && all.some((stage) => mayWrite(stage, context));
  const parts = found.length === 0 ? new Map<SimpleCommand, "by-itself">() : partsOf(expanded, found, stages, all, context);
  if (parts === undefined || isRefusedForScripts) return { plan: undefined, found: inOrder, stages: all };
  const failing = new Map<SimpleCommand, NotRun>();
  const planned = new Map<SimpleCommand, PlannedCommand>();
  for (const [command, { name, definition, mayCall = false, scripts: own }] of stages) {
    const failure = parts.get(command);
    if (failure !== undefined && failure !== "by-itself" && name !== undefined) {
      failing.set(command, { name, fault: failure === "not-found" ? undefined : failure });
      continue;
    }
    if (name !== undefined && definition === undefined && !mayCall) throw new Error("a stage without a builtin passed the rules");
    planned.set(command, { name, definition, mayCall, scripts: own.length === 0 ? NO_SCRIPTS : new Set(own.map(({ text }) => text)) });
  }
  const { list: body, origins, text: expandedLine } = expanded;
  const readsFiles = all.some(usesFiles) || outputs.length > 0;
  const plan = {
    line,
    body,
    stages: planned,
    failing,
    readsFiles,
    faults: [],
    scripts: scripts.plans,
    origins,
    removes: all.some(mayRemove),
    expandedLine,
  };
  return { list: expanded.list, plan: plan as unknown as Plan, found: inOrder, stages: all, hasChosen: chosen.size > 0 };
}

/** True if the stage reads, lists or changes files, by name, by a pattern or by names that are not known yet. */
const usesFiles = ({ paths, unnamed, line, command }: StageFacts): boolean =>
  unnamed.length > 0 || paths.some((use) => !namesNoFile(use)) || /[*?[]/.test(line.slice(command.span.start, command.span.end));

const byPlace = (a: Found, b: Found): number => a.finding.span.start - b.finding.span.start;

/** The commands that fail at their turn; undefined where the line is refused. Named pipelines run whole or not at all. */
function partsOf(
  { list, origins }: { readonly list: List; readonly origins: ReadonlyMap<Command, CommandOrigin> },
  found: readonly Found[],
  stages: ReadonlyMap<SimpleCommand, StageFacts>,
  all: readonly StageFacts[],
  context: GuardContext,
): ReturnType<typeof failingParts> {
  const parts = found.flatMap(({ command, ...each }) => (command === undefined || origins.has(command) ? [] : [{ ...each, command }]));
  return parts.length < found.length ? undefined : failingParts(list, parts, { stages, all }, context);
}

/**
 * A finding about a command of a named pipeline. The line holds only the call, so that nothing but a value can be
 * replaced in it.
 */
function inCall(finding: Finding, origin: CommandOrigin | undefined): Finding {
  if (origin === undefined) return finding;
  const { span, candidates } = finding;
  const isValue = origin.values.some(({ start, end }) => span.start === start && span.end === end);
  return {
    span,
    detail: `in @${origin.name} (${origin.source}): ${finding.detail}`,
    ...(isValue && candidates !== undefined ? { candidates } : {}),
  };
}

/** Reads alone: a write says in its receipt who allowed it. */
function preApprovedIn(stage: StageFacts, context: GuardContext): readonly string[] {
  if (!holdsUp(context.severity) || context.agreed === true) return [];
  return risksOf(stage, context).flatMap(({ rule, path }) => {
    const { group, severity } = ruleEntry(rule);
    const isAsked = group === "reads" && severityAction(context.severity, severity) === "ask";
    return isAsked && path !== undefined && context.isPreApproved(path) ? [path] : [];
  });
}

/** Findings for which the policy holds the stage up because of their severity alone. */
function heldUpIn(stage: StageFacts, context: GuardContext): readonly Found[] {
  if (!holdsUp(context.severity)) return [];
  return risksOf(stage, context).flatMap((risk) => {
    const finding = heldUp(risk, context);
    return finding === undefined
      ? []
      : [{ rule: { id: risk.rule, reason: finding.reason ?? "NEEDS_APPROVAL" }, finding, stage: stage.index }];
  });
}

/**
 * Checks a stage once more when its words have been expanded and held what the text of the line did not say.
 * The check is of files that would be written and commands that would be run. Errors in the stage's arguments or in files
 * that it reads are reported by the stage itself, as the reference tool does.
 */
export function checkStarting(
  line: string,
  command: SimpleCommand,
  starting: StartingCommand & {
    /** The name was the value of a variable. */
    readonly isChosen: boolean;
  },
  context: GuardContext,
): Violation | undefined {
  const stage = startingFacts(line, command, starting, context);
  if (starting.isChosen && mayWrite(stage, context)) {
    const detail = `${quoteWord(starting.name)} would write a file, and a command behind a variable may only read: spell its name out.`;
    return { code: "GUARD_VIOLATION", reason: "DISALLOWED_CMD", detail, suggestion: undefined, position: undefined };
  }
  const found = startingRules.flatMap((rule) => rule.check(stage, context).map((finding): Found => ({ rule, finding, stage: 0 })));
  const [first] = found.length > 0 ? found : heldUpIn(stage, context);
  if (first === undefined) return undefined;
  // These words have no span in the line, so no suggestion can be spliced in.
  const { candidates: _, ...finding } = first.finding;
  return violationOf({ ...first, finding }, new Suggester(context));
}

interface LineFacts {
  readonly stages: ReadonlyMap<SimpleCommand, StageFacts>;
  /** Facts of the work of the shell itself: files it asks about or reads, redirections of compound commands, exported variables. */
  readonly shell: readonly { readonly command: Command; readonly facts: StageFacts }[];
  /** Redirections into files outside the scratch. */
  readonly outputs: readonly Span[];
}

function factsOf(line: string, list: List, context: GuardContext, start: State): LineFacts {
  const places = new Map<Command, { pipeline: Pipeline; index: number }>();
  forEachList(list, ({ items }) => {
    for (const { pipeline } of items) pipeline.commands.forEach((command, index) => places.set(command, { pipeline, index }));
  });
  const functions = lineFunctions(list);
  const stages = new Map<SimpleCommand, StageFacts>();
  const shell: { command: Command; facts: StageFacts }[] = [];
  const outputs: Span[] = [];
  forEachState(
    list,
    start,
    context.rootPath,
    (command, state) => {
      const place = places.get(command) as { pipeline: Pipeline; index: number };
      for (const facts of shellFacts(line, command, place, state, context)) shell.push({ command, facts });
      for (const { span } of outputsElsewhere(command, state, context)) outputs.push(span);
      if (command.kind !== "simple") return undefined;
      const facts = callFacts(stageFacts(line, command, place, state, context), functions, state);
      stages.set(command, facts);
      return {
        destination: (from) => destination(facts, from, context),
        assigns: facts.name === undefined ? [...state.values.keys(), POSITIONAL, DECLARED] : assignedBy(facts),
      };
    },
    ({ words: [name] }) => {
      const text = staticText(name);
      return text === undefined || context.registry.find(text)?.navigates !== undefined;
    },
  );
  return { stages, shell, outputs };
}

/** Longest detail, in UTF-16 code units; a longer one is cut, since it may quote the typed line. */
const MOST_DETAIL_UNITS = 400;

function violationOf({ rule, finding, stage }: Found, suggester: Suggester): Violation {
  const { span, detail, native, reason = rule.reason } = finding;
  const suggestion = suggester.suggest(finding);
  return {
    code: reason === "USAGE" ? "USAGE" : "GUARD_VIOLATION",
    reason,
    rule: rule.id,
    detail: detail.length > MOST_DETAIL_UNITS ? `${detail.slice(0, MOST_DETAIL_UNITS)}…` : detail,
    suggestion: suggestion?.line,
    ...(suggestion?.lost === undefined ? {} : { lost: suggestion.lost }),
    position: { start: span.start, end: span.end, stage },
    ...(native === undefined ? {} : { native }),
  };
}

/** Most times that a candidate still refused is mended with the first candidate of its own first violation. */
const MAX_REPAIRS = 4;

/** Most text that is examined for all suggestions of one refusal, in UTF-16 code units. */
const MOST_EXAMINED_UNITS = 1 << 16;

/** Tells whether every part of the line runs. */
const passes = (examined: Examined | undefined): boolean => examined?.plan !== undefined && examined.found.length === 0;

class Suggester {
  readonly #context: GuardContext;
  #units = MOST_EXAMINED_UNITS;
  /** Results by candidate: all redirections of a line share one. */
  readonly #results = new Map<Suggestion, Suggestion | undefined>();

  constructor(context: GuardContext) {
    this.#context = context;
  }

  /** The first of a finding's candidates that passes, at once or mended. */
  suggest({ candidates }: Pick<Finding, "candidates">): Suggestion | undefined {
    for (const candidate of candidates?.() ?? []) {
      const isKnown = this.#results.has(candidate);
      const accepted = isKnown ? this.#results.get(candidate) : this.#mended(candidate);
      if (!isKnown) this.#results.set(candidate, accepted);
      if (accepted !== undefined) return accepted;
    }
    return undefined;
  }

  /** What each repair loses adds up. */
  #mended(candidate: Suggestion): Suggestion | undefined {
    let { line } = candidate;
    const lost = new Set(candidate.lost === undefined ? [] : [candidate.lost]);
    const open = new Set(candidate.open);
    for (let repairs = 0; repairs <= MAX_REPAIRS; repairs++) {
      const examined = this.#examine(line);
      if (examined === undefined) return undefined;
      if (passes(examined)) {
        const { list, stages } = examined;
        if (writesNoFile(examined, this.#context)) return undefined;
        // One is enough: it is not the same.
        for (const each of lostOf([...open], { line, list, stages }, this.#context).slice(0, 1)) lost.add(each);
        return { line, lost: lost.size === 0 ? undefined : [...lost].join("; ") };
      }
      const next = examined.found[0]?.finding.candidates?.()[0];
      if (next === undefined || next.line === line) return undefined;
      line = next.line;
      if (next.lost !== undefined) lost.add(next.lost);
      for (const each of next.open ?? []) open.add(each);
    }
    return undefined;
  }

  #examine(line: string): Examined | undefined {
    this.#units -= line.length;
    return this.#units < 0 ? undefined : examine(line, this.#context);
  }
}
