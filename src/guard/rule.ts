/**
 * The interface of the guard's rules, and the facts they are given. A rule is one object: its reason, its examples (tests run
 * them, and docs/errors.md is made of them) and its check. Rules look; they never run anything and never touch a file.
 */
import type { Argument, ParsedArguments } from "../builtin/arguments.ts";
import type { WriteVerdict } from "../audit/write-policy.ts";
import type { BuiltinDefinition, PathAccess } from "../builtin/definition.ts";
import type { Effect } from "../builtin/effect.ts";
import type { PathChange } from "../builtin/path-change.ts";
import type { Registry } from "../builtin/registry.ts";
import type { UsageError } from "../builtin/usage-error.ts";
import type { CallProblem, PipelineDefinition } from "../shell/named-pipeline.ts";
import type { SyntaxProblem } from "../shell/problem.ts";
import { staticText, type Pipeline, type SimpleCommand, type Span, type Word } from "../shell/tree.ts";
import type { Policy } from "../config/policy.ts";
import type { SeverityPolicy } from "../config/severity.ts";
import type { ReadsOnly } from "./reads-only.ts";
import type { BlastRadiusScope, RuleId } from "./rule-catalogue.ts";
import type { Violation, ViolationReason } from "./violation.ts";
import type { WorkspaceLook } from "./path-lookup.ts";
import type { Suggestion } from "./suggestion.ts";

/** Facts of the place a line will run in: its root, its directory, its policy. */
export interface GuardContext {
  /** Used within `Registry.whenLoaded`, so that a rule finds the definitions it asks for. */
  readonly registry: Pick<Registry, "find" | "has" | "names">;
  /** Builtins that are not in the registry, by name, and why. */
  readonly withheld: ReadonlyMap<string, WithheldBuiltin>;
  /** The named pipelines of the configuration, by name without the at-sign. */
  readonly pipelines: ReadonlyMap<string, PipelineDefinition>;
  readonly readOnly: boolean;
  /** Reason that this line may only read, where the policy lets lines write. */
  readonly readsOnly?: ReadsOnly | undefined;
  /** Refuse even the redirections that name no file. */
  readonly strict: boolean;
  /** True if redirections into files of the workspace are recorded writes; else they are refused. */
  readonly recordsRedirects: boolean;
  /** True if files are changed only by builtins that write whole contents (the profile strict). */
  readonly contentOnly: boolean;
  /** Relative to the root; "" is the root. */
  readonly currentDirectory: string;
  /** The policy's verdict on writing to a path, relative to the root. */
  readonly writeVerdict: (path: string) => WriteVerdict;
  /** Tells whether the configuration allows writing or reading a path without asking, relative to the root. */
  readonly isPreApproved: (path: string) => boolean;
  /** The policy's action for lines of each severity. */
  readonly severity: SeverityPolicy;
  /** Scripts (`sh -c`) around the text that is checked. Default: none. */
  readonly scriptDepth?: number;
  /** A human has agreed to this very call, or is about to be asked about it. */
  readonly agreed?: boolean;
  /** The root as it was given: what `~` stands for. */
  readonly rootPath: string;
  /** Tells whether an absolute path is at or under the root or one of its aliases, by its text. */
  readonly insideRoot: (absolutePath: string) => boolean;
  /** The mount that an absolute path is at or under, by its text. Default: there are none. */
  readonly mountOf?: (absolutePath: string) => string | undefined;
  /** Names of the owner's mounts. Default: none. */
  readonly mountNames?: readonly string[];
  /** Tells whether files of one of the owner's mounts may only be read. Default: there are no such mounts. */
  readonly isReadOnlyMount?: ((mount: string) => boolean) | undefined;
  /** The mount that is the session's scratch: what is written there is no file of the workspace. */
  readonly scratch?: string | undefined;
  /**
   * Result of walking `path` (relative to `directory`, or absolute) now. Where `probe` is given, a path whose `..` may
   * go through a symbolic link is refused only if it does leave, and a wrong absolute path is matched to what exists.
   */
  readonly probe?: (path: string, directory: string) => "exists" | "missing" | "outside";
  /** Lookups in the workspace as it is now. Where it is not given, only the text of a line is known. */
  readonly look?: WorkspaceLook;
}

/** Reason that a builtin is withheld: it writes in a workspace open for reading only, or the configuration leaves it out. */
export type WithheldBuiltin = "read-only" | "configuration";

/** Base of all rules. Every rule has a stable name; its findings carry `reason`. */
export interface Rule {
  /** Key of its subject and severity in src/guard/rule-catalogue.ts. */
  readonly id: RuleId;
  readonly reason: ViolationReason;
  readonly refuses: readonly [RefusedLine, ...RefusedLine[]];
  /** Lines close to the refused ones that pass. */
  readonly allows: readonly [string, ...string[]];
  /** Settings of the examples that differ from a plain session at the root. */
  readonly under?: Partial<Pick<Policy, "profile" | "readOnly" | "strict" | "commands" | "paths" | "pipelines" | "approval" | "mounts">>;
}

export interface RefusedLine {
  readonly line: string;
  /** Exact text of the suggestion; left out where it depends on the definition or the workspace. */
  readonly suggestion?: string;
}

/** Turns a syntax error of the parser into a finding. */
export interface SyntaxRule extends Rule {
  readonly explain: (problem: SyntaxProblem, line: string) => Finding | undefined;
}

/** Turns a call of a named pipeline that stands for nothing into a finding. */
export interface CallRule extends Rule {
  readonly explain: (problem: CallProblem, line: string, names: readonly string[]) => Finding | undefined;
}

export interface StageRule extends Rule {
  /** `line`: all stages of the line, in its order; without it, what only they show is not looked at. */
  readonly check: (stage: StageFacts, context: GuardContext, line?: readonly StageFacts[]) => readonly Finding[];
}

export interface Finding {
  readonly span: Span;
  readonly detail: string;
  /** Whole lines that may do the intended work, best first: the first that the guard accepts is suggested. Absent: none. */
  readonly candidates?: () => readonly Suggestion[];
  readonly native?: NonNullable<Violation["native"]>;
  /** Further rules of the catalogue that the finding is about. */
  readonly also?: readonly RuleId[];
  /** Reach of the harm, where it is known better than the catalogue says. */
  readonly reach?: Reach;
  /** Reason in place of the rule's own. */
  readonly reason?: ViolationReason;
  /** True if the builtin, where it runs, says that it cannot. */
  readonly failsByItself?: boolean;
}

/** Reach of a harm: the scope, and the things in it, as a clause. */
export interface Reach {
  readonly scope: BlastRadiusScope;
  readonly detail: string;
}

/** One command of a pipeline, with everything that is known of it before it runs. */
export interface StageFacts {
  readonly line: string;
  readonly command: SimpleCommand;
  readonly pipeline: Pipeline;
  /** Its place in the pipeline. */
  readonly index: number;
  /** Name of the command; undefined where it is not plain text. */
  readonly name: string | undefined;
  readonly definition: BuiltinDefinition | undefined;
  /** True if it may be a call of a function; where it certainly is one, there is no definition. */
  readonly mayCall?: boolean;
  readonly arguments: readonly Argument[];
  /** Set where the arguments make sense; otherwise `usageError` is, if there is a definition. */
  readonly parsed: ParsedArguments | undefined;
  readonly usageError: UsageError | undefined;
  readonly paths: readonly PathUse[];
  /** Ways in which it uses files that only data will name: `ls | xargs cat`. */
  readonly unnamed: readonly (PathAccess | "remove")[];
  readonly runs: readonly RunUse[];
  readonly scripts: readonly ScriptUse[];
  /** Directories the stage may start in, relative to the root; undefined where that is not known. */
  readonly directories: readonly string[] | undefined;
}

/** A file that a stage names. */
export interface PathUse {
  readonly path: string;
  readonly access: PathAccess;
  readonly span: Span;
  /** True if `span` holds this path and nothing else, so that another can be put there. */
  readonly replaceable: boolean;
  /** The word that is this path, as far as it is known now: with its globs. Absent for a path inside a word. */
  readonly word?: Word;
  /** A write that leaves the present content in place. */
  readonly appends?: boolean;
  /** A change of the entry itself, and the names under which it is made if that is a directory. */
  readonly change?: PathChange;
  readonly into?: readonly string[];
}

/** Text of the shell that a stage runs. */
export interface ScriptUse {
  readonly text: string;
  /** Its word in the line. */
  readonly span: Span;
  /** True if the word holds a program that spells it out. */
  readonly isWithin: boolean;
}

/** A command that an embedded program would start. */
export interface RunUse extends Pick<Extract<Effect, { kind: "run" }>, "what" | "suggestion"> {
  readonly span: Span;
  /** More about it, as a sentence; "" for none. */
  readonly why?: string;
  /** Replacement for the text at `span`: a name that was likely meant. */
  readonly instead?: string | undefined;
  /** The rule for the harm that the command would do. */
  readonly rule?: RuleId | undefined;
  /** True if it names no command that is here, and the builtin that would start it says so. */
  readonly isMissing?: boolean;
}

/** `line` with the text of `span` replaced. */
export function spliced(line: string, span: Span, text: string): string {
  return line.slice(0, span.start) + text + line.slice(span.end);
}

/** `line` without `span` and the blanks before it. */
export function without(line: string, { start, end }: Span): string {
  let from = start;
  while (from > 0 && (line[from - 1] === " " || line[from - 1] === "\t")) from--;
  return line.slice(0, from) + line.slice(end);
}

/** Span of the argument with this index; of the whole command where there is no such argument. */
export function argumentSpan(stage: StageFacts, argument: number | undefined): Span {
  const word = argument === undefined ? undefined : stage.command.words[argument + 1];
  return word?.span ?? stage.command.span;
}

/** The words of a stage without its redirections: the span that a stage-shaped suggestion replaces. */
function wordsSpan(stage: StageFacts): Span {
  const { words } = stage.command;
  return { start: words[0].span.start, end: (words.at(-1) ?? words[0]).span.end };
}

/** False if a word that the shell expands is not in `line` as it was typed. */
export function keepsGlobs({ line: typed, command }: StageFacts, { line }: Suggestion): boolean {
  const expanded = command.words.filter((word) => staticText(word) === undefined).map(({ span }) => typed.slice(span.start, span.end));
  return expanded.every((source) => line.split(/[ \n]/).includes(source) || line.includes(` ${source}`));
}

/** The line with a stage's words replaced by `text`; redirections that stood among the words follow it. */
export function stageReplaced(stage: StageFacts, text: string): string {
  const span = wordsSpan(stage);
  const among = stage.command.redirects.filter((redirect) => redirect.span.start >= span.start && redirect.span.end <= span.end);
  const kept = among.map((redirect) => ` ${stage.line.slice(redirect.span.start, redirect.span.end)}`).join("");
  return spliced(stage.line, span, text + kept);
}
