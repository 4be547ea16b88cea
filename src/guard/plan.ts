/**
 * A command line that the guard has passed. Only `planLine` (guard.ts) makes one, and the engine runs nothing else.
 */
import type { BuiltinDefinition } from "../builtin/definition.ts";
import type { CommandOrigin } from "../shell/named-pipeline.ts";
import type { Command, List, SimpleCommand } from "../shell/tree.ts";
import type { PathFault } from "./path-lookup.ts";
import type { Violation } from "./violation.ts";

declare const passed: unique symbol;

/** A command that bash does not find, or cannot run. */
export interface NotRun {
  readonly name: string;
  /** Of a name that is a path; a plain name is not found. */
  readonly fault: PathFault | undefined;
}

export interface Plan {
  readonly [passed]: true;
  readonly line: string;
  readonly body: List;
  /** Each simple command of the body, in every branch, every `$( )` and every function. */
  readonly stages: ReadonlyMap<SimpleCommand, PlannedCommand>;
  /** The commands that cannot be run at their turn, with what bash says of them. */
  readonly failing: ReadonlyMap<SimpleCommand, NotRun>;
  /** True if some command of it looks at files. */
  readonly readsFiles: boolean;
  /** The parts that fail at their turn, each as a violation with its way out; none where every part runs. */
  readonly faults: readonly Violation[];
  /** Scripts that stages of the line run (`sh -c`), by their text. */
  readonly scripts: ReadonlyMap<string, Plan>;
  /** Commands that do not stand in the line, because it calls a named pipeline. */
  readonly origins: ReadonlyMap<Command, CommandOrigin>;
  /** True if a command of it, or of its scripts, may remove or move files. */
  readonly removes: boolean;
  /** The line with its named pipelines written out, for the audit; undefined where it calls none. */
  readonly expandedLine: string | undefined;
}

export interface PlannedCommand {
  /** Undefined where no builtin has been checked under this name: then only a function of the line may run. */
  readonly definition: BuiltinDefinition | undefined;
  /** True if the line defines a function of this name, somewhere. */
  readonly mayCall: boolean;
  /** The name that was typed, or that the line's own variables hold: "egrep". Undefined where it shows when the command starts. */
  readonly name: string | undefined;
  /** Texts of the scripts in its own words: it runs no others. */
  readonly scripts: ReadonlySet<string>;
}
