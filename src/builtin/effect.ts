/** Effects of arguments that operands and flags do not tell by themselves. Types only. */
import type { Argument } from "./arguments.ts";
import type { PathAccess } from "./definition.ts";
import type { PathChange } from "./path-change.ts";

/**
 * An effect that an argument would have. `operand` is the index of the argument it comes from, in `operands`; `occurrence` that of
 * the flag whose value it is, in `occurrences`.
 */
export type Effect =
  | {
      readonly kind: PathAccess;
      readonly path: string;
      readonly operand?: number;
      readonly occurrence?: number;
      /** Only where nothing is piped into the stage. */
      readonly unlessPiped?: true;
      readonly change?: PathChange;
      /** Names that the change is made under in the directory `path`, if it is one; for "put". */
      readonly into?: readonly string[];
    }
  | {
      readonly kind: "run";
      readonly what: string;
      readonly operand?: number;
      readonly occurrence?: number;
      readonly suggestion: string;
      /**
       * The name and arguments of a builtin that would run as a stage (`find -exec`, `xargs`) and is judged as one; arguments not
       * known yet are `operandOnly`. They stand in `operands` from `operand` on, or are a command flag's value.
       */
      readonly command?: readonly Argument[];
    }
  /** The operand is text of the shell, which is checked as a line of its own. */
  | { readonly kind: "script"; readonly text: string; readonly operand: number; readonly occurrence?: number };
