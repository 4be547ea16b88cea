/** The shell as a builtin sees it that shares it (`read`, `set`, `unset`). */
import type { ExitStatus } from "./definition.ts";

/** The shell a stage runs in: its variables, options and flow of control. A stage of a pipeline has a copy of its own. */
export interface ShellAccess {
  variable(name: string): string | undefined;
  /** Tells whether the variable, the element (`a[1]`) or the positional parameter is set. */
  isSet(name: string): boolean;
  /** Tells whether the variable is a reference (`declare -n`). */
  isReference(name: string): boolean;
  /**
   * Sets a variable or an element (`a[1]`) to data read while the line runs. False where it cannot be set, after the message for
   * that has been printed.
   */
  setVariable(name: string, value: string): boolean;
  /** Undefined where the variable is no array. */
  arrayKind(name: string): "indexed" | "associative" | undefined;
  /** Sets elements of an indexed array from `origin` on; without one they are all that it holds. As `setVariable`. */
  setElements(name: string, values: readonly string[], origin?: number): boolean;
  /** Forgets a variable or an element, or the reference itself. As `setVariable`; its messages begin with `unset: `. */
  unsetVariable(name: string, isReference?: boolean): boolean;
  /** Value of an arithmetic expression; undefined where it has none, after the message for that has been printed. */
  evaluate(expression: string): bigint | undefined;
  /** Number of positional parameters. */
  readonly positionalCount: number;
  positionalTexts(): readonly string[];
  /** The place where `getopts` reads next: an argument, from 1, and a letter in it, 0 before any. Setting OPTIND moves it. */
  optionPlace(): { readonly argument: number; readonly letter: number };
  setOptionPlace(place: { readonly argument: number; readonly letter: number }): void;
  /** Tells whether the stage's argument with this index was typed, so that it may be a flag. */
  isTyped(argument: number): boolean;
  /** Makes the stage's arguments from the index `from` on the positional parameters. */
  setPositional(from: number): void;
  /** Drops the first `count` positional parameters. */
  shiftPositional(count: number): void;
  /** Prints `NAME: message` and gives up the rest of the line of text, as after an expansion that fails. */
  fail(message: string): never;
  /** The exit status of the command before. */
  readonly status: ExitStatus;
  /** Loops around the stage, in this shell. */
  readonly loops: number;
  /** The status of `exit` alone: in a trap of EXIT that of the shell before it. */
  readonly statusAtEnd: ExitStatus;
  /** Ends the shell or its function with the status `levels`, or `levels` loops, or the round of the outermost of them. */
  leave(how: "exit" | "return" | "break" | "continue", levels?: number): void;
  readonly isInFunction: boolean;
  hasFunction(name: string): boolean;
  unsetFunction(name: string): void;
  /** Turns an option of the shell on or off; false where no option has this name. */
  setOption(name: string, on: boolean): boolean;
  option(name: string): boolean | undefined;
  /** Directories that pushd keeps below the current one, the top first. */
  directoryStack: readonly string[];
  /** By name. */
  aliases: ReadonlyMap<string, string>;
  /** The place of the command in bash's own messages: "bash: line 3". */
  readonly place: string;
}
