/**
 * A command line that the guard has passed. Only `planLine` (guard.ts) makes one, and the engine runs nothing else.
 */
import type { BuiltinDefinition } from "../builtin/definition.ts";
import type { Redirect, Span, Word } from "../shell/tree.ts";

declare const passed: unique symbol;

export interface Plan {
  readonly [passed]: true;
  readonly line: string;
  readonly body: PlannedList;
}

export type PlannedList = readonly PlannedItem[];

export interface PlannedItem {
  readonly when: "always" | "success" | "failure";
  readonly negated: boolean;
  readonly stages: readonly [PlannedStage, ...PlannedStage[]];
  readonly span: Span;
}

export type PlannedStage = BuiltinStage | GroupStage;

export interface BuiltinStage {
  readonly kind: "builtin";
  readonly definition: BuiltinDefinition;
  /** The name that was typed: "egrep". */
  readonly name: string;
  /** The words after the name; globs and `~` are expanded when the stage starts. */
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}

export interface GroupStage {
  readonly kind: "group";
  readonly subshell: boolean;
  readonly body: PlannedList;
  readonly redirects: readonly Redirect[];
  readonly span: Span;
}
