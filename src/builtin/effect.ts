/** Effects of a stage's arguments that a definition tells the guard: files and commands besides plain operands. Types only. */
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
      /** A write that leaves the present content in place. */
      readonly appends?: boolean;
      /** Data gives the rest of the name. */
      readonly isPrefix?: boolean;
      /** Names that the change is made under in the directory `path`, if it is one; for "put". */
      readonly into?: readonly string[];
    }
  | {
      readonly kind: "run";
      readonly what: string;
      readonly operand?: number;
      readonly occurrence?: number;
      readonly suggestion: string;
      /** The reason why it cannot run, as a sentence; default: it would be an external program. */
      readonly why?: string;
      /**
       * The name and arguments of a builtin that would run as a stage (`find -exec`, `xargs`) and is judged as one; arguments not
       * known yet are `operandOnly`. They stand in `operands` from `operand` on, or are a command flag's value.
       */
      readonly command?: readonly Argument[];
    }
  /** Files that only the data, or a search, will name: `patch`, `find -delete`. */
  | {
      readonly kind: "unnamed";
      readonly access: PathAccess;
      readonly operand?: number;
      readonly occurrence?: number;
      readonly change?: "remove";
    }
  /** Writes the files that the record changed, or the session's last command line where no record is named. */
  | { readonly kind: "recorded"; readonly record: string | undefined; readonly operand?: number; readonly occurrence?: number }
  /** Text of the shell, which is checked as a line of its own: all of the argument, or what a program in it spells out. */
  | {
      readonly kind: "script";
      readonly text: string;
      readonly operand?: number;
      readonly occurrence?: number;
      readonly isWithin?: true;
    };
