/** Variables as words see them, for a line that runs and for one that is only being checked. */
import type { ArrayView, ElementKey } from "./arrays.ts";

export interface Value {
  readonly text: string;
  /** True if all of it was typed in the line: typed text may hold flags, data may not. */
  readonly typed: boolean;
}

/** The variables of one shell. */
export interface Scope {
  /** Undefined where it is not set; of an array the element 0. Throws where that cannot be known yet. */
  get(name: string): Value | undefined;
  set(name: string, value: Value): void;
  /** Undefined where the variable is no array. */
  array(name: string): ArrayView | undefined;
  setElement(name: string, key: ElementKey, value: Value): void;
  /** Number of the element that an arithmetic subscript means, counted from the end where it is negative; undefined where there is none. */
  elementIndex(name: string, subscript: bigint): number | undefined;
  /** `$0`. */
  readonly name: string;
  /** `$1` and on. */
  readonly positional: readonly Value[];
  /** Names of the variables that have a value and begin with `prefix`, in byte order. */
  names(prefix: string): readonly string[];
  /** Letters of `${x@a}`; undefined where there is no such variable. */
  attributes(name: string): string | undefined;
  /** Tells whether the variable was declared and never set. */
  isDeclaredOnly(name: string): boolean;
  /** Name that a reference (`declare -n`) holds; undefined for any other variable. */
  referenceOf(name: string): string | undefined;
  /** The exit status before: `$?`. */
  readonly status: number;
  /** True where patterns may be extended ones (`shopt -s extglob`). */
  readonly extended?: boolean;
  /** True where the case of letters does not count for patterns (`shopt -s nocasematch`). */
  readonly caseFold?: boolean;
  /** `$$`: no real process has it. */
  readonly shellNumber: number;
  /** `$-`. */
  readonly optionLetters: string;
  /** Replacement of `~`. */
  readonly rootPath: string;
  /** Called where an unset variable is expanded as nothing. Throws under `set -u`. */
  missing(name: string, exit?: number): void;
  /** Prints an error after which the expansion goes on. */
  complain(message: string): void;
}

/** An expansion that fails, as bash words it (without "bash: line N: "). */
export class ExpansionError extends Error {
  override readonly name: string = "ExpansionError";
  /** Exit status of the whole shell. */
  readonly exit: number;

  constructor(message: string, exit = 1) {
    super(message);
    this.exit = exit;
  }
}

/** Thrown where a variable that is read-only would be changed. */
export class ReadonlyError extends ExpansionError {
  override readonly name = "ReadonlyError";
}

export const DEFAULT_IFS = " \t\n";

/** Looks up a variable or a special parameter other than `$@` and `$*`. */
export function parameterValue(name: string, scope: Scope): Value | undefined {
  if (name === "?") return { text: String(scope.status), typed: false };
  if (name === "#") return { text: String(scope.positional.length), typed: false };
  if (name === "$") return { text: String(scope.shellNumber), typed: false };
  if (name === "-") return { text: scope.optionLetters, typed: false };
  if (!/^\d/.test(name)) return scope.get(name);
  const place = Number(name);
  return place === 0 ? { text: scope.name, typed: scope.name === SHELL_NAME } : scope.positional[place - 1];
}

/** `$0`, but in a script. */
export const SHELL_NAME = "bash";
