/**
 * A command line that the guard has passed. Only `planLine` (guard.ts) makes one, and the engine runs nothing else.
 */
import type { BuiltinDefinition } from "../builtin/definition.ts";
import type { CommandOrigin } from "../shell/named-pipeline.ts";
import type { Command, List, SimpleCommand } from "../shell/tree.ts";

declare const passed: unique symbol;

export interface Plan {
  readonly [passed]: true;
  readonly line: string;
  readonly body: List;
  /** Each simple command of the body, in every branch, every `$( )` and every function. */
  readonly stages: ReadonlyMap<SimpleCommand, PlannedCommand>;
  /** Commands that do not stand in the line, because it calls a named pipeline. */
  readonly origins: ReadonlyMap<Command, CommandOrigin>;
  /** The line with its named pipelines written out, for the audit; undefined where it calls none. */
  readonly expandedLine: string | undefined;
}

export interface PlannedCommand {
  /** Undefined where no builtin has been checked under this name: then only a function of the line may run. */
  readonly definition: BuiltinDefinition | undefined;
  /** True if the line defines a function of this name, somewhere. */
  readonly mayCall: boolean;
  /** The name that was typed, or that the line's own variables hold: "egrep". */
  readonly name: string;
}
