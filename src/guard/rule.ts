/**
 * What a rule of the guard is, and what it sees. A rule is one object: its reason, its examples (tests run them, and
 * docs/errors.md is made of them) and its check. Rules look; they never run anything and never touch a file.
 */
import type { Argument, ParsedArguments } from "../builtin/arguments.ts";
import type { WriteVerdict } from "../audit/write-policy.ts";
import type { BuiltinDefinition, Effect, PathAccess } from "../builtin/definition.ts";
import type { Registry } from "../builtin/registry.ts";
import type { UsageError } from "../builtin/usage-error.ts";
import type { CallProblem, PipelineDefinition } from "../shell/named-pipeline.ts";
import type { SyntaxProblem } from "../shell/problem.ts";
import type { Pipeline, SimpleCommand, Span } from "../shell/tree.ts";
import type { Policy } from "../config/policy.ts";
import type { Violation, ViolationReason } from "./violation.ts";

/** What the guard must know of the place a line will run in. */
export interface GuardContext {
  /** Asked within `Registry.whenLoaded`, so that a rule finds what it asks for. */
  readonly registry: Pick<Registry, "find" | "has" | "names">;
  /** Builtins that are not in the registry, by name, and why. */
  readonly withheld: ReadonlyMap<string, WithheldBuiltin>;
  /** The named pipelines of the configuration, by name without the at-sign. */
  readonly pipelines: ReadonlyMap<string, PipelineDefinition>;
  readonly readOnly: boolean;
  /** Refuse even the redirections that name no file. */
  readonly strict: boolean;
  /** Relative to the root; "" is the root. */
  readonly currentDirectory: string;
  /** What the policy says of writing to a path, relative to the root. */
  readonly writeVerdict: (path: string) => WriteVerdict;
  /** The root as it was given: what `~` stands for. */
  readonly rootPath: string;
  /** Whether an absolute path is at or under the root or one of its aliases, by its text. */
  readonly insideRoot: (absolutePath: string) => boolean;
  /**
   * What walking `path` (relative to `directory`, or absolute) meets now. Where it is given, a path whose `..` may
   * go through a symbolic link is refused only if it does leave, and a wrong absolute path is matched to what exists.
   */
  readonly probe?: (path: string, directory: string) => "exists" | "missing" | "outside";
}

/** It writes, and the workspace is open for reading only; or the configuration leaves it out. */
export type WithheldBuiltin = "read-only" | "configuration";

/** Every rule has a stable name; what it finds carries `reason`. */
export interface Rule {
  readonly id: string;
  readonly reason: ViolationReason;
  /** One sentence for docs/errors.md: what is refused and why. */
  readonly description: string;
  readonly refuses: readonly [RefusedLine, ...RefusedLine[]];
  /** Lines close to the refused ones that pass. */
  readonly allows: readonly [string, ...string[]];
  /** How the examples differ from a plain session at the root. */
  readonly under?: Partial<Pick<Policy, "readOnly" | "strict" | "commands" | "paths" | "pipelines">>;
}

export interface RefusedLine {
  readonly line: string;
  /** Exactly what is suggested; left out where that is for the definition or the workspace to say. */
  readonly suggestion?: string;
}

/** Turns what the parser did not accept into findings. */
export interface SyntaxRule extends Rule {
  readonly explain: (problem: SyntaxProblem, line: string) => Finding | undefined;
}

/** Turns a call of a named pipeline that stands for nothing into a finding. */
export interface CallRule extends Rule {
  readonly explain: (problem: CallProblem, line: string, names: readonly string[]) => Finding | undefined;
}

export interface StageRule extends Rule {
  readonly check: (stage: StageFacts, context: GuardContext) => readonly Finding[];
}

export interface Finding {
  readonly span: Span;
  readonly detail: string;
  /** Whole lines that may do what was meant, best first: the first that the guard accepts is suggested. Absent: none. */
  readonly candidates?: () => readonly string[];
  /** A line that helps to find out, for when no candidate passes. */
  readonly fallback?: string;
  readonly native?: NonNullable<Violation["native"]>;
}

/** One command of a pipeline, with everything that is known of it before it runs. */
export interface StageFacts {
  readonly line: string;
  readonly command: SimpleCommand;
  readonly pipeline: Pipeline;
  /** Its place in the pipeline. */
  readonly index: number;
  /** undefined where the name is no plain text. */
  readonly name: string | undefined;
  readonly definition: BuiltinDefinition | undefined;
  readonly arguments: readonly Argument[];
  /** Set where the arguments make sense; otherwise `usageError` is, if there is a definition. */
  readonly parsed: ParsedArguments | undefined;
  readonly usageError: UsageError | undefined;
  readonly paths: readonly PathUse[];
  readonly runs: readonly RunUse[];
  /** Directories the stage may start in, relative to the root; undefined where that is not known. */
  readonly directories: readonly string[] | undefined;
}

/** A file that a stage names. */
export interface PathUse {
  readonly path: string;
  readonly access: PathAccess;
  readonly span: Span;
  /** Whether `span` holds this path and nothing else, so that another can be put there. */
  readonly replaceable: boolean;
}

/** A command that an embedded program would start. */
export interface RunUse extends Pick<Extract<Effect, { kind: "run" }>, "what" | "suggestion"> {
  readonly span: Span;
  /** More about it, as a sentence; "" for none. */
  readonly why?: string;
  /** What may stand at `span` instead. */
  readonly instead?: string | undefined;
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

/** Where the argument with this index stands; the whole command where there is no such argument. */
export function argumentSpan(stage: StageFacts, argument: number | undefined): Span {
  const word = argument === undefined ? undefined : stage.command.words[argument + 1];
  return word?.span ?? stage.command.span;
}

/** The words of a stage without its redirections: what a stage-shaped suggestion replaces. */
function wordsSpan(stage: StageFacts): Span {
  const { words } = stage.command;
  return { start: words[0].span.start, end: (words.at(-1) ?? words[0]).span.end };
}

/** The line with a stage's words replaced by `text`; redirections that stood among the words follow it. */
export function stageReplaced(stage: StageFacts, text: string): string {
  const span = wordsSpan(stage);
  const among = stage.command.redirects.filter((redirect) => redirect.span.start >= span.start && redirect.span.end <= span.end);
  const kept = among.map((redirect) => ` ${stage.line.slice(redirect.span.start, redirect.span.end)}`).join("");
  return spliced(stage.line, span, text + kept);
}
