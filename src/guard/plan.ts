/**
 * A command line that the guard has passed. Only `planLine` (guard.ts) makes one, and the engine runs nothing else.
 */
import type { BuiltinDefinition } from "../builtin/definition.ts";
import type { List, SimpleCommand } from "../shell/tree.ts";

declare const passed: unique symbol;

export interface Plan {
  readonly [passed]: true;
  readonly line: string;
  readonly body: List;
  /** What each simple command of the body runs, in every branch and every `$( )`. */
  readonly stages: ReadonlyMap<SimpleCommand, PlannedBuiltin>;
}

export interface PlannedBuiltin {
  readonly definition: BuiltinDefinition;
  /** The name that was typed, or that the line's own variables hold: "egrep". */
  readonly name: string;
}
