/** The state of one shell of a call: its directory, its variables, the exit or jump that is under way. A subshell has a copy. */
import type { ExitStatus } from "../builtin/definition.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { MOST_VALUE_UNITS } from "../shell/parameter.ts";
import type { FunctionCommand, List, Wrapper } from "../shell/tree.ts";
import { DEFAULT_IFS, ExpansionError, type Scope, type Value } from "../shell/variables.ts";

interface Variable {
  readonly value: Value;
  /** Seen by the builtins as their environment. */
  readonly exported: boolean;
}

/** Reason that the commands that follow do not run: up to the end of the shell, of the line of text, of the function, or of `levels` loops. */
export type Leaving =
  | { readonly kind: "exit"; readonly status: ExitStatus }
  | { readonly kind: "discard" | "return"; readonly status: ExitStatus }
  | { readonly kind: "break" | "continue"; readonly levels: number };

export interface FunctionCall {
  readonly name: string;
  /** Variables that were set for the call alone. */
  readonly given: ReadonlySet<string>;
  /** Variables that the function's own hide, as they were. */
  readonly hidden: Map<string, Variable | undefined>;
}

/** Calls of functions within one another: each holds some of the stack of what runs inside it. */
export const MOST_CALLS = 200;

export interface ShellOptions {
  errexit: boolean;
  nounset: boolean;
  pipefail: boolean;
  noglob: boolean;
  dotglob: boolean;
  extglob: boolean;
  failglob: boolean;
  globstar: boolean;
  inherit_errexit: boolean;
  lastpipe: boolean;
  nocaseglob: boolean;
  nocasematch: boolean;
  nullglob: boolean;
}

const OFF: ShellOptions = {
  errexit: false,
  nounset: false,
  pipefail: false,
  noglob: false,
  dotglob: false,
  extglob: false,
  failglob: false,
  globstar: false,
  inherit_errexit: false,
  lastpipe: false,
  nocaseglob: false,
  nocasematch: false,
  nullglob: false,
};

/** Notes that all shells of a call share. */
export interface CallNotes {
  /** Variables that were expanded and not set. */
  readonly unset: Set<string>;
}

export class ShellState implements Scope {
  readonly rootPath: string;
  readonly notes: CallNotes;
  readonly isSubshell: boolean;
  readonly options: ShellOptions;
  #variables: Map<string, Variable>;
  /** True if another shell reads the same map. */
  #shared = false;
  #heldUnits = 0;
  /** Relative to the root; "" is the root. */
  currentDirectory: string;
  previousDirectory: string | undefined;
  status: ExitStatus = 0;
  /** Exit status of the last command substitution, which is that of an assignment alone. */
  substitutionStatus: ExitStatus | undefined;
  leaving: Leaving | undefined;
  /** Loops around what runs now. */
  loops = 0;
  /** Functions by their names; never changed, but replaced. */
  functions: ReadonlyMap<string, FunctionCommand> = new Map();
  /** Calls of functions around what runs now, innermost last. */
  calls: readonly FunctionCall[] = [];
  /** Arguments of the innermost call. */
  positional: readonly Value[] = [];
  /** Not those of the shell around it. */
  traps: { readonly EXIT?: List | undefined; readonly ERR?: List | undefined } = {};
  /** Exit status with which the shell has begun to end; `exit` in its trap gives it again. */
  endingWith: ExitStatus | undefined;
  /** Conditions around what runs now, where `set -e` does not end the shell. */
  conditions = 0;

  constructor(from: {
    readonly rootPath: string;
    readonly currentDirectory: string;
    readonly previousDirectory: string | undefined;
  }) {
    this.rootPath = from.rootPath;
    this.currentDirectory = from.currentDirectory;
    this.previousDirectory = from.previousDirectory;
    const parent = from instanceof ShellState ? from : undefined;
    this.isSubshell = parent !== undefined;
    this.notes = parent?.notes ?? { unset: new Set() };
    this.options = { ...(parent?.options ?? OFF) };
    if (parent === undefined) {
      this.#variables = new Map([
        ["HOME", { value: { text: from.rootPath, typed: true }, exported: true }],
        ["IFS", { value: { text: DEFAULT_IFS, typed: true }, exported: false }],
      ]);
      this.#noteDirectories();
      return;
    }
    // Shared until one of the two is changed.
    this.#variables = parent.#variables;
    this.#shared = true;
    parent.#shared = true;
    this.#heldUnits = parent.#heldUnits;
    this.status = parent.status;
    this.conditions = parent.conditions;
    this.functions = parent.functions;
    this.positional = parent.positional;
    this.calls = parent.calls.map(({ name, given, hidden }) => ({ name, given, hidden: new Map(hidden) }));
  }

  /** A shell of its own, as a subshell begins. */
  copy(): ShellState {
    return new ShellState(this);
  }

  get(name: string): Value | undefined {
    return this.#variables.get(name)?.value;
  }

  /** Throws LimitReached "held" where the variables become too large. */
  set(name: string, value: Value, exported = this.#variables.get(name)?.exported ?? false): void {
    this.#heldUnits += value.text.length - (this.get(name)?.text.length ?? 0);
    if (this.#heldUnits > MOST_VALUE_UNITS) throw new LimitReached("held", MOST_VALUE_UNITS, "characters in variables");
    this.#own().set(name, { value, exported });
  }

  unset(name: string): void {
    this.#heldUnits -= this.get(name)?.text.length ?? 0;
    this.#own().delete(name);
  }

  export(name: string): void {
    const value = this.get(name);
    if (value !== undefined) this.set(name, value, true);
  }

  /** Value of the variable that a builtin would find in its environment. */
  environment(name: string): string | undefined {
    const variable = this.#variables.get(name);
    return variable?.exported === true ? variable.value.text : undefined;
  }

  /** Exported variables with their values. */
  exported(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [name, { value, exported }] of this.#variables) if (exported) found.set(name, value.text);
    return found;
  }

  /** Takes what `env` leaves out from the environment for the time being; returns the function that undoes that. */
  hideFromEnvironment(wrappers: readonly Wrapper[]): () => void {
    const hidden = new Map<string, Variable>();
    for (const wrapper of wrappers) {
      if (wrapper.kind !== "environment") continue;
      for (const [name, variable] of this.#variables) {
        if (variable.exported && (wrapper.clear || wrapper.unset.includes(name))) hidden.set(name, variable);
      }
    }
    for (const [name, { value }] of hidden) this.set(name, value, false);
    return () => {
      for (const [name, variable] of hidden) this.#restore(name, variable);
    };
  }

  get extended(): boolean {
    return this.options.extglob;
  }

  missing(name: string): void {
    if (this.options.nounset) throw new ExpansionError(`${name}: unbound variable`, 127);
    if (/^[A-Za-z_1-9]/.test(name) && this.notes.unset.size < MOST_NOTED) this.notes.unset.add(name);
  }

  /** Begins a call of a function; returns the function that ends it. Throws LimitReached "held" past MOST_CALLS. */
  enter(name: string, args: readonly Value[], given: ReadonlySet<string>): () => void {
    if (this.calls.length >= MOST_CALLS) throw new LimitReached("held", MOST_CALLS, "calls of functions within one another");
    const { calls, positional, loops, traps } = this;
    if (traps.ERR !== undefined) this.traps = { ...traps, ERR: undefined };
    const hidden = new Map<string, Variable | undefined>();
    this.calls = [...calls, { name, given, hidden }];
    this.positional = args;
    this.loops = 0;
    return () => {
      this.calls = calls;
      this.positional = positional;
      this.loops = loops;
      if (traps.ERR !== undefined && this.traps.ERR === undefined) this.traps = { ...this.traps, ERR: traps.ERR };
      for (const [local, variable] of hidden) this.#restore(local, variable);
    };
  }

  /** Makes a variable the innermost function's own: unset, but for one that was set for this call alone (`x=1 f`). */
  makeLocal(name: string): void {
    const call = this.calls.at(-1);
    if (call === undefined || call.hidden.has(name)) return;
    call.hidden.set(name, this.#variables.get(name));
    if (!call.given.has(name)) this.unset(name);
  }

  moveTo(directory: string): void {
    this.previousDirectory = this.currentDirectory;
    this.currentDirectory = directory;
    this.#noteDirectories();
  }

  /** Sets variables for the time being; returns the function that undoes that. */
  temporarily(assignments: readonly { readonly name: string; readonly value: Value }[]): () => void {
    const before = assignments.map(({ name }) => ({ name, variable: this.#variables.get(name) }));
    for (const { name, value } of assignments) this.set(name, value, true);
    return () => {
      for (const { name, variable } of before.reverse()) this.#restore(name, variable);
    };
  }

  #restore(name: string, variable: Variable | undefined): void {
    if (variable === undefined) this.unset(name);
    else this.set(name, variable.value, variable.exported);
  }

  #noteDirectories(): void {
    const absolute = (directory: string): string =>
      directory === "" ? this.rootPath : `${this.rootPath === "/" ? "" : this.rootPath}/${directory}`;
    this.set("PWD", { text: absolute(this.currentDirectory), typed: false }, true);
    if (this.previousDirectory !== undefined) this.set("OLDPWD", { text: absolute(this.previousDirectory), typed: false }, true);
  }

  #own(): Map<string, Variable> {
    if (this.#shared) this.#variables = new Map(this.#variables);
    this.#shared = false;
    return this.#variables;
  }
}

/** Most names listed in the notes of a call. */
const MOST_NOTED = 5;
