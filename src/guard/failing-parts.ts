/**
 * A line that changes nothing runs although a part of it cannot: that part fails at its turn, with the message and the exit
 * status that bash or its tool would give, and the other parts are answered (DESIGN §1.5).
 */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import type { Command, List, SimpleCommand } from "../shell/tree.ts";
import { isOfBash } from "../shell/bash-builtins.ts";
import { forEachCommand, listsOf, wordsIn, wordsOf } from "../shell/tree-walk.ts";
import type { PathFault } from "./path-lookup.ts";
import { isInScratch, namesNoFile } from "./paths.ts";
import type { Finding, GuardContext, Rule, StageFacts } from "./rule.ts";
import type { RuleId } from "./rule-catalogue.ts";

/** bash does not find the command, or cannot run the file that it names; or the builtin itself says what is wrong. */
type Failure = "not-found" | PathFault | "by-itself";

/** A finding about one command of the line. */
interface PartFinding {
  readonly rule: Pick<Rule, "id">;
  readonly finding: Finding;
  readonly command: Command;
}

/**
 * `all` are the stages of scripts, too. The commands that fail at their turn, each with what it prints where that is not the builtin's own doing. undefined where the
 * line is refused whole: it changes something, the fault is not of that kind, or no other part has an answer.
 */
export function failingParts(
  list: List,
  found: readonly PartFinding[],
  { stages, all }: { readonly stages: ReadonlyMap<SimpleCommand, StageFacts>; readonly all: readonly StageFacts[] },
  context: GuardContext,
): ReadonlyMap<SimpleCommand, Failure> | undefined {
  if (context.strict || all.some((stage) => mayWrite(stage, context))) return undefined;
  const failing = new Map<SimpleCommand, Failure>();
  const alone = commandsAlone(list, context);
  for (const { rule, finding, command } of found) {
    const facts = command.kind === "simple" ? stages.get(command) : undefined;
    const failure = facts && failureOf(rule.id, finding, { facts, isAlone: alone.has(command), context });
    if (command.kind !== "simple" || failure === undefined) return undefined;
    if (failing.get(command) === undefined) failing.set(command, failure);
  }
  return hasAnswer(list, stages, failing) ? failing : undefined;
}

/** bash quotes other names in its message; one that begins with % is a job's. */
const PRINTABLE = /^(?!%)[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

/** Rules about commands that would have changed files: a line that was meant to change something is not run in part. */
export const CHANGES: ReadonlySet<RuleId> = new Set<RuleId>(["cmd:removes", "cmd:removes-all", "cmd:changes-files", "cmd:permissions"]);

function failureOf(
  rule: RuleId,
  finding: Finding,
  { facts, isAlone, context }: { readonly facts: StageFacts; readonly isAlone: boolean; readonly context: GuardContext },
): Failure | undefined {
  const { name = "", definition } = facts;
  // bash words the faults of its own builtins in its own way, and a directory that is not changed changes all that follows.
  // A question about a file outside would be answered with no.
  if (definition?.navigates !== undefined || definition?.sharesShell !== undefined) return undefined;
  switch (rule) {
    case "cmd:disallowed":
    case "cmd:left-out":
      if (isOfBash(name) || name === "" || !PRINTABLE.test(name) || finding.also?.some((id) => CHANGES.has(id)) === true) return undefined;
      return name.includes("/") ? faultOfPath(name, facts, context) : "not-found";
    case "run:command":
      return finding.failsByItself === true ? "by-itself" : undefined;
    case "flag:unknown":
    case "flag:value":
    case "arg:operands":
      return "by-itself";
    case "path:escape":
      // On the host the file may be there: what another command makes of its absence would be a wrong answer.
      return isAlone ? "by-itself" : undefined;
    default:
      return undefined;
  }
}

/** bash would run a program that is there, and outside of the root there may be one. */
function faultOfPath(path: string, { directories }: StageFacts, { look }: GuardContext): PathFault | undefined {
  const [directory, ...others] = directories ?? [];
  const mayLeave = isAbsolutePath(path) || path.split("/").includes("..");
  return directory === undefined || others.length > 0 || mayLeave ? undefined : look?.programFault(path, directory);
}

/** Tells whether a stage may change the workspace: its scratch is none of it. */
export const mayWrite = ({ paths, unnamed, directories }: StageFacts, context: GuardContext): boolean =>
  unnamed.includes("write") ||
  paths.some((use) => use.access === "write" && !namesNoFile(use) && !isInScratch(use.path, directories, context));

/** Tells whether the stage may remove files. One whose arguments are not known yet does what its definition may do. */
export function mayRemove({ paths, unnamed, parsed, definition }: StageFacts): boolean {
  if (unnamed.includes("remove") || paths.some(({ change }) => change === "remove")) return true;
  if (parsed !== undefined || definition === undefined) return false;
  const { operands, writes } = definition;
  return writes === "tree" || (operands.kind === "paths" && operands.change === "remove");
}

/** Tells whether some pipeline without a failing command prints an answer, and does not only set the shell up. */
function hasAnswer(list: List, stages: ReadonlyMap<SimpleCommand, StageFacts>, failing: ReadonlyMap<SimpleCommand, unknown>): boolean {
  return list.items.some(({ pipeline: { commands } }) => {
    if (commands.some((command) => command.kind === "simple" && failing.has(command))) return false;
    return commands.some((command) => {
      if (command.kind !== "simple") return listsOf(command).some((inner) => hasAnswer(inner, stages, failing));
      const { definition, name } = stages.get(command) ?? {};
      if (name === undefined) return true;
      const isSetup = definition?.navigates !== undefined || definition?.sharesShell === "needs" || definition?.sharesShell === "changes";
      return definition !== undefined && !isSetup;
    });
  });
}

/** Commands that are a pipeline of their own, whose failure no other command of the line takes for an answer. */
function commandsAlone(list: List, { scriptDepth }: GuardContext): ReadonlySet<Command> {
  const alone = new Set<Command>();
  // What a script prints is another command's input, and what it ends with another's status.
  if (scriptDepth !== undefined || asksForStatus(list)) return alone;
  const visit = ({ items }: List): void => {
    for (const [at, { pipeline }] of items.entries()) {
      const [command, ...others] = pipeline.commands;
      const isTested = pipeline.negated || items.slice(at + 1).some(({ when }, next) => when === "failure" && follows(items, at, next));
      if (others.length > 0 || isTested) continue;
      for (const inner of bodiesOf(command)) visit(inner);
      alone.add(command);
    }
  };
  visit(list);
  return alone;
}

/** Tells whether some command looks at how another ended: by `$?`, by PIPESTATUS, or in a trap. */
function asksForStatus(list: List): boolean {
  let asks = false;
  forEachCommand(list, (command) => {
    asks ||= command.kind === "trap" && command.conditions.includes("ERR");
    for (const outer of wordsOf(command)) {
      for (const { parts } of wordsIn(outer)) {
        asks ||= parts.some((part) => part.kind === "parameter" && (part.name === "?" || part.name === "PIPESTATUS"));
      }
    }
  });
  return asks;
}

/** Tells whether only `&&` and `||` stand between item `at` and the item `next` places behind the one after it. */
const follows = (items: List["items"], at: number, next: number): boolean =>
  items.slice(at + 1, at + 2 + next).every(({ when }) => when !== "always");

/** The lists that `command` runs and whose outcome is not a condition. */
function bodiesOf(command: Command): readonly List[] {
  switch (command.kind) {
    case "if":
      return [...command.clauses.map(({ body }) => body), ...(command.otherwise === undefined ? [] : [command.otherwise])];
    case "loop":
      return [command.body];
    case "function":
      // Whoever calls it may ask how it ended.
      return [];
    default:
      return listsOf(command);
  }
}
