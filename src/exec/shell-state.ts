/** The state of one shell of a call: its directory, its variables, the exit or jump that is under way. A subshell has a copy. */
import type { ExitStatus } from "../builtin/definition.ts";
import { DEFAULT_IFS, ExpansionError } from "../shell/variables.ts";
import { ShellVariables } from "./shell-variables.ts";
import type { SubshellElements } from "./variable-store.ts";

/** Reason that the commands that follow do not run: up to the end of the shell, of the line of text, or of `levels` loops. */
export type Leaving =
  | { readonly kind: "exit"; readonly status: ExitStatus }
  | { readonly kind: "discard"; readonly status: ExitStatus }
  | { readonly kind: "break" | "continue"; readonly levels: number };

export interface ShellOptions {
  errexit: boolean;
  nounset: boolean;
  pipefail: boolean;
}

/** Notes that all shells of a call share. */
export interface CallNotes {
  /** Variables that were expanded and not set. */
  readonly unset: Set<string>;
  readonly subshellElements: SubshellElements;
}

export class ShellState extends ShellVariables {
  readonly rootPath: string;
  readonly notes: CallNotes;
  readonly nowMs: number;
  readonly isSubshell: boolean;
  readonly options: ShellOptions;
  /** Relative to the root; "" is the root. */
  currentDirectory: string;
  previousDirectory: string | undefined;
  status: ExitStatus = 0;
  /** Exit status of the last command substitution, which is that of an assignment alone. */
  substitutionStatus: ExitStatus | undefined;
  leaving: Leaving | undefined;
  /** Loops around what runs now. */
  loops = 0;
  /** Conditions around what runs now, where `set -e` does not end the shell. */
  conditions = 0;

  constructor(from: {
    readonly rootPath: string;
    readonly currentDirectory: string;
    readonly previousDirectory: string | undefined;
    readonly nowMs: number;
    readonly line: string;
  }) {
    const parent = from instanceof ShellState ? from : undefined;
    const notes = parent?.notes ?? { unset: new Set(), subshellElements: { count: 0 } };
    super(from.line, parent ?? { nowMs: from.nowMs, subshellElements: notes.subshellElements });
    this.rootPath = from.rootPath;
    this.currentDirectory = from.currentDirectory;
    this.previousDirectory = from.previousDirectory;
    this.isSubshell = parent !== undefined;
    this.nowMs = from.nowMs;
    this.notes = notes;
    this.options = { ...(parent?.options ?? { errexit: false, nounset: false, pipefail: false }) };
    if (parent === undefined) {
      this.set("HOME", { text: from.rootPath, typed: true }, true);
      this.set("IFS", { text: DEFAULT_IFS, typed: true });
      this.#noteDirectories();
      return;
    }
    this.status = parent.status;
    this.conditions = parent.conditions;
  }

  /** A shell of its own, as a subshell begins. */
  copy(): ShellState {
    return new ShellState(this);
  }

  /** True while a function runs: `local` is possible. */
  get isInFunction(): boolean {
    return false;
  }

  /** Called before `name` is declared: within a function it becomes that function's own. */
  makeLocal(_name: string, _isLocal: boolean, _isGlobal: boolean): void {}

  get optionLetters(): string {
    const { errexit, nounset } = this.options;
    return `${errexit ? "e" : ""}h${nounset ? "u" : ""}Bc`;
  }

  missing(name: string, exit = 127): void {
    if (this.options.nounset) throw new ExpansionError(`${name}: unbound variable`, exit);
    if (/^[A-Za-z_1-9]/.test(name) && this.notes.unset.size < MOST_NOTED) this.notes.unset.add(name);
  }

  moveTo(directory: string): void {
    this.previousDirectory = this.currentDirectory;
    this.currentDirectory = directory;
    this.#noteDirectories();
  }

  #noteDirectories(): void {
    const absolute = (directory: string): string =>
      directory === "" ? this.rootPath : `${this.rootPath === "/" ? "" : this.rootPath}/${directory}`;
    this.set("PWD", { text: absolute(this.currentDirectory), typed: false }, true);
    if (this.previousDirectory !== undefined) this.set("OLDPWD", { text: absolute(this.previousDirectory), typed: false }, true);
  }
}

/** Most names listed in the notes of a call. */
const MOST_NOTED = 5;
