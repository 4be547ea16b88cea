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
  /** The builtin of each simple command of the body, in every branch and every `$( )`. */
  readonly stages: ReadonlyMap<SimpleCommand, PlannedBuiltin>;
  /** Commands that do not stand in the line, because it calls a named pipeline. */
  readonly origins: ReadonlyMap<Command, CommandOrigin>;
  /** The line with its named pipelines written out, for the audit; undefined where it calls none. */
  readonly expandedLine: string | undefined;
}

export interface PlannedBuiltin {
  readonly definition: BuiltinDefinition;
  /** The name that was typed, or that the line's own variables hold: "egrep". */
  readonly name: string;
}
