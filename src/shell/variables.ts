/** Variables as words see them, for a line that runs and for one that is only being checked. */

export interface Value {
  readonly text: string;
  /** True if all of it was typed in the line: typed text may hold flags, data may not. */
  readonly typed: boolean;
}

/** The variables of one shell. */
export interface Scope {
  /** Undefined where it is not set. Throws where that cannot be known yet. */
  get(name: string): Value | undefined;
  set(name: string, value: Value): void;
  /** The exit status before: `$?`. */
  readonly status: number;
  /** True where patterns may be extended ones (`shopt -s extglob`). */
  readonly extended?: boolean;
  /** Replacement of `~`. */
  readonly rootPath: string;
  /** Called where an unset variable is expanded as nothing. Throws under `set -u`. */
  missing(name: string): void;
}

/** An expansion that fails, as bash words it (without "bash: line N: "). */
export class ExpansionError extends Error {
  override readonly name = "ExpansionError";
  /** Exit status of the whole shell. */
  readonly exit: number;

  constructor(message: string, exit = 1) {
    super(message);
    this.exit = exit;
  }
}

export const DEFAULT_IFS = " \t\n";

/** Looks up a variable or a special parameter. There are no positional parameters. */
export function parameterValue(name: string, scope: Scope): Value | undefined {
  if (name === "?") return { text: String(scope.status), typed: false };
  if (name === "#") return { text: "0", typed: true };
  if (name === "0") return { text: "bash", typed: true };
  if (/^[@*\d]/.test(name)) return undefined;
  return scope.get(name);
}
