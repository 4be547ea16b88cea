/** The state of one shell of a call: its directory, its variables, the exit or jump that is under way. A subshell has a copy. */
import type { ExitStatus } from "../builtin/definition.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { IndexedArray } from "../shell/arrays.ts";
import type { Command, FunctionCommand, List, Wrapper } from "../shell/tree.ts";
import { DEFAULT_IFS, ExpansionError, type Value, SHELL_NAME } from "../shell/variables.ts";
import { absolutePath } from "../walk/canonical-path.ts";
import { type Covered, ShellVariables } from "./shell-variables.ts";
import type { SubshellElements, Variable } from "./variable-store.ts";

/** Reason that the commands that follow do not run: up to the end of the shell, of the line of text, of the function, or of `levels` loops. */
export type Leaving =
  | { readonly kind: "exit"; readonly status: ExitStatus }
  | { readonly kind: "discard" | "return"; readonly status: ExitStatus }
  | { readonly kind: "break" | "continue"; readonly levels: number };

export interface FunctionCall {
  readonly name: string;
  /** What variables that were set for the call alone cover. */
  readonly given: Covered;
  /** What the function's own variables cover. */
  readonly hidden: Covered;
}

/** Calls of functions within one another: each holds some of the stack of what runs inside it. */
export const MOST_CALLS = 200;

export interface ShellOptions {
  errexit: boolean;
  errtrace: boolean;
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
  xtrace: boolean;
}

const OFF: ShellOptions = {
  errexit: false,
  errtrace: false,
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
  xtrace: false,
};

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
  /** `$0`. */
  name = SHELL_NAME;
  /** Relative to the root; "" is the root. */
  currentDirectory: string;
  previousDirectory: string | undefined;
  status: ExitStatus = 0;
  /** Exit status of the last command substitution, which is that of an assignment alone. */
  substitutionStatus: ExitStatus | undefined;
  leaving: Leaving | undefined;
  /** `exit` has been called in it, so that a shell at a prompt is left; an error ends only the line there. */
  exitCalled = false;
  /** The last command that did not run because a redirection of it could not be made. */
  unredirected: Command | undefined;
  /** Loops around what runs now. */
  loops = 0;
  /** Functions by their names; never changed, but replaced. */
  functions: ReadonlyMap<string, FunctionCommand> = new Map();
  /** Directories that pushd keeps below the current one, the top first; never changed, but replaced. */
  directoryStack: readonly string[];
  /** Never changed, but replaced. */
  aliases: ReadonlyMap<string, string>;
  /** The letter that `getopts` reads next, as long as OPTIND is the value that it `set`. */
  optionLetter: { readonly set: Value | undefined; readonly letter: number } = { set: undefined, letter: 0 };
  /** Calls of functions around what runs now, innermost last. */
  calls: readonly FunctionCall[] = [];
  /** Not those of the shell around it. */
  traps: { readonly EXIT?: List | undefined; readonly ERR?: List | undefined } = {};
  /** Exit status with which the shell has begun to end; `exit` in its trap gives it again. */
  endingWith: ExitStatus | undefined;
  /** Substitutions, `eval` and traps around what runs now: each makes the prefix of the trace (`set -x`) longer. */
  traceDepth = 0;
  /** Conditions around what runs now, where `set -e` does not end the shell. */
  conditions = 0;

  constructor(from: {
    readonly rootPath: string;
    readonly currentDirectory: string;
    readonly previousDirectory: string | undefined;
    readonly nowMs: number;
    readonly line: string;
    /** Value of TMPDIR; undefined where there is no scratch. */
    readonly scratch?: string | undefined;
    /** Those of the call, for a script's shell. */
    readonly notes?: CallNotes;
  }) {
    const parent = from instanceof ShellState ? from : undefined;
    const notes = from.notes ?? { unset: new Set(), subshellElements: { count: 0 } };
    super(from.line, parent ?? { nowMs: from.nowMs, subshellElements: notes.subshellElements });
    this.rootPath = from.rootPath;
    this.currentDirectory = from.currentDirectory;
    this.previousDirectory = from.previousDirectory;
    this.isSubshell = parent !== undefined;
    this.nowMs = from.nowMs;
    this.notes = notes;
    this.options = { ...(parent?.options ?? OFF) };
    this.aliases = parent?.aliases ?? new Map();
    this.directoryStack = parent?.directoryStack ?? [];
    if (parent === undefined) {
      this.set("HOME", { text: from.rootPath, typed: true }, true);
      this.set("OPTIND", { text: "1", typed: true });
      this.set("IFS", { text: DEFAULT_IFS, typed: true });
      if (from.scratch !== undefined) this.set("TMPDIR", { text: from.scratch, typed: true });
      this.#noteDirectories();
      return;
    }
    this.name = parent.name;
    this.status = parent.status;
    this.optionLetter = parent.optionLetter;
    this.conditions = parent.conditions;
    this.traceDepth = parent.traceDepth;
    if (parent.options.errtrace && parent.traps.ERR !== undefined) this.traps = { ERR: parent.traps.ERR };
    this.functions = parent.functions;
    this.calls = parent.calls.map(({ name, given, hidden }) => ({ name, given: new Map(given), hidden: new Map(hidden) }));
  }

  /** A shell of its own, as a subshell begins. */
  copy(): ShellState {
    return new ShellState(this);
  }

  /** True while a function runs: `local` is possible. */
  get isInFunction(): boolean {
    return this.calls.length > 0;
  }

  /** A function of `bash -c` has come from the environment. */
  get source(): string {
    return this.isInFunction ? "environment" : this.name;
  }

  get optionLetters(): string {
    const { errexit, errtrace, noglob, nounset, xtrace } = this.options;
    return `${errexit ? "e" : ""}${noglob ? "f" : ""}h${nounset ? "u" : ""}${xtrace ? "x" : ""}B${errtrace ? "E" : ""}c`;
  }

  /** Takes what `env` leaves out from the environment for the time being; returns the function that undoes that. */
  hideFromEnvironment(wrappers: readonly Wrapper[]): () => void {
    const hidden = new Map<string, Variable | undefined>();
    for (const wrapper of wrappers) {
      if (wrapper.kind !== "environment") continue;
      for (const name of this.exported().keys()) {
        if (wrapper.clear || wrapper.unset.includes(name)) hidden.set(name, this.variable(name));
      }
    }
    for (const name of hidden.keys()) this.declare(name, "", "x");
    return () => {
      for (const [name, variable] of hidden) this.restore(name, variable);
    };
  }

  get caseFold(): boolean {
    return this.options.nocasematch;
  }

  get extended(): boolean {
    return this.options.extglob;
  }

  missing(name: string, exit = 127): void {
    if (this.options.nounset) throw new ExpansionError(`${name}: unbound variable`, exit);
    if (/^\$?[A-Za-z_1-9]/.test(name) && this.notes.unset.size < MOST_NOTED) this.notes.unset.add(name.replace("$", ""));
  }

  /** Begins a call of a function; returns the function that ends it. Throws LimitReached "held" past MOST_CALLS. */
  enter(name: string, args: readonly Value[], given: Covered): () => void {
    if (this.calls.length >= MOST_CALLS) throw new LimitReached("held", MOST_CALLS, "calls of functions within one another");
    const { calls, positional, loops, traps } = this;
    if (traps.ERR !== undefined && !this.options.errtrace) this.traps = { ...traps, ERR: undefined };
    const hidden: Covered = new Map();
    this.calls = [...calls, { name, given, hidden }];
    this.positional = args;
    this.loops = 0;
    // Made for the lines that ask for it alone: it holds the names of all calls.
    const isAsked = this.line.includes("FUNCNAME");
    const names = isAsked ? this.variable("FUNCNAME") : undefined;
    if (isAsked) this.setArray("FUNCNAME", IndexedArray.of(this.calls.map((call) => ({ text: call.name, typed: false })).reverse()));
    return () => {
      if (isAsked) this.restore("FUNCNAME", names);
      this.calls = calls;
      this.positional = positional;
      this.loops = loops;
      if (traps.ERR !== undefined && this.traps.ERR === undefined) this.traps = { ...this.traps, ERR: traps.ERR };
      for (const [local, variable] of hidden) this.restore(local, variable);
    };
  }

  /**
   * Called before `name` is declared: within a function it becomes that function's own, unset, but for one that was set for this call
   * alone (`x=1 f`).
   */
  makeLocal(name: string, _isLocal: boolean, isGlobal: boolean): void {
    const call = this.calls.at(-1);
    if (call === undefined || isGlobal || call.hidden.has(name)) return;
    call.hidden.set(name, this.variable(name));
    if (!call.given.has(name)) this.restore(name, undefined);
  }

  /** Makes `change` to the variable outside of all functions, whatever covers it. */
  withGlobal<T>(name: string, change: () => T): T {
    const covering = this.calls.flatMap(({ given, hidden }) => [given, hidden]).find((each) => each.has(name));
    if (covering === undefined) return change();
    const local = this.variable(name);
    this.restore(name, covering.get(name));
    try {
      return change();
    } finally {
      covering.set(name, this.variable(name));
      this.restore(name, local);
    }
  }

  /** A variable of a function that called this one, or one set for the call, gives way to what it covers. */
  protected override forget(name: string): void {
    const innermost = this.calls.at(-1);
    const calls = innermost?.hidden.has(name) === true ? [] : [...this.calls].reverse();
    const covered = calls.flatMap(({ hidden, given }) => [hidden, given]).find((each) => each.has(name));
    if (covered === undefined) return super.forget(name);
    this.restore(name, covered.get(name));
    covered.delete(name);
  }

  moveTo(directory: string): void {
    this.previousDirectory = this.currentDirectory;
    this.currentDirectory = directory;
    this.#noteDirectories();
  }

  #noteDirectories(): void {
    this.set("PWD", { text: absolutePath(this, this.currentDirectory), typed: false }, true);
    if (this.previousDirectory !== undefined) this.set("OLDPWD", { text: absolutePath(this, this.previousDirectory), typed: false }, true);
  }
}

/** Most names listed in the notes of a call. */
const MOST_NOTED = 5;
