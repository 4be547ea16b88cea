/** The variables of one shell as its words, its assignments and its builtins see them: attributes, arrays, references, computed ones. */
import { toBytes } from "../io/text.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import { type ArrayView, AssociativeArray, type ElementKey, IndexedArray } from "../shell/arrays.ts";
import { recased } from "../shell/parameter.ts";
import type { Span } from "../shell/tree.ts";
import { ExpansionError, type Scope, type Value } from "../shell/variables.ts";
import { type Clock, COMPUTED, COMPUTED_LETTERS, type Computed, SpecialVariables } from "./special-variables.ts";
import { lettersWith, requireWritable, type ShellArray, type SubshellElements, type Variable, VariableStore } from "./variable-store.ts";

/** Variables as they were before others of their names came in their place. */
export type Covered = Map<string, Variable | undefined>;

/** Variables that are set for the time being. */
export interface Temporary {
  readonly before: Covered;
  /** Puts back what is still in `before`. */
  readonly restore: () => void;
}

export abstract class ShellVariables implements Scope {
  readonly #store: VariableStore;
  readonly special: SpecialVariables;
  /** The text that the shell runs. */
  readonly line: string;
  /** Place of the command that runs. */
  at: Span = { start: 0, end: 0 };
  /** Messages of expansions that went on, still to be printed. */
  readonly complaints: string[] = [];
  /** `$1` and on. A function has its own while it runs. */
  positional: readonly Value[] = [];

  abstract readonly name: string;
  abstract readonly status: number;
  abstract readonly optionLetters: string;
  abstract readonly rootPath: string;
  /** Name of the text that runs, in messages. */
  abstract readonly source: string;
  abstract missing(name: string, exit?: number): void;

  /** The variables of a call, or those of a subshell of `from`. */
  constructor(line: string, from: ShellVariables | { readonly nowMs: number; readonly subshellElements: SubshellElements }) {
    this.line = line;
    if (from instanceof ShellVariables) {
      this.#store = from.#store.copy();
      this.special = from.special.copy();
      this.positional = from.positional;
      this.at = from.at;
      return;
    }
    this.#store = new VariableStore(from.subshellElements, COMPUTED_VARIABLES);
    this.special = new SpecialVariables(clockFrom(from.nowMs));
  }

  /** Ends the use of a subshell's variables. */
  release(): void {
    this.#store.release();
  }

  get(name: string): Value | undefined {
    const { name: own, key } = this.#target(name);
    const variable = this.#store.get(own);
    if (key !== undefined) return this.#elementOf(variable, key);
    if (variable?.array !== undefined) return variable.array.get(variable.array.kind === "indexed" ? 0 : "0");
    return this.#computed(own) ?? variable?.value;
  }

  /** Throws LimitReached "held" where the variables become too large, and ReadonlyError. */
  set(name: string, value: Value, exported?: boolean): void {
    const { name: own, key } = this.#target(name);
    const variable = this.#store.get(own);
    if (key !== undefined) return this.setElement(own, key, value);
    if (variable?.array !== undefined) {
      this.setElement(own, variable.array.kind === "indexed" ? 0 : "0", value);
      if (exported === true) this.declare(own, "x");
      return;
    }
    requireWritable(own, variable);
    const before = variable?.letters ?? "";
    const letters = exported === undefined ? before : lettersWith(before, exported ? "x" : "", exported ? "" : "x");
    if (this.#isComputed(own)) return this.#setComputed(own as Computed, value);
    this.#store.put(own, { value: this.#converted(value, before), isSet: true, letters });
  }

  /** Appends text, or adds where the variable is an integer. */
  append(name: string, value: Value): void {
    const before = this.#isComputed(name) ? this.special.stored(name as Computed, () => this.lineNumber) : this.get(name);
    this.set(name, this.#joined(before, value, this.#store.get(this.#target(name).name)?.letters ?? ""));
  }

  array(name: string): ArrayView | undefined {
    const { name: own, key } = this.#target(name);
    if (key !== undefined) return undefined;
    return own === "PIPESTATUS" && this.#isComputed(own) ? this.special.pipelineArray : this.#store.get(own)?.array;
  }

  /** Makes the variable an indexed array where it is no array yet. */
  setElement(name: string, key: ElementKey, value: Value): void {
    const { name: own, key: inner } = this.#target(name);
    if (inner !== undefined) throw new ExpansionError(`${name}: is an element of an array itself`);
    const variable = this.#store.get(own);
    requireWritable(own, variable);
    if (this.#isComputed(own)) return;
    if (variable?.array === undefined) this.#makeArray(own, "indexed");
    this.#store.setElement(own, key, this.#converted(value, variable?.letters ?? ""));
  }

  appendElement(name: string, key: ElementKey, value: Value): void {
    const own = this.#target(name).name;
    const variable = this.#store.get(own);
    this.setElement(own, key, this.#joined(this.#elementOf(variable, key), value, variable?.letters ?? ""));
  }

  unsetElement(name: string, key: ElementKey): void {
    const own = this.#target(name).name;
    requireWritable(own, this.#store.get(own));
    if (this.#store.get(own)?.array !== undefined) this.#store.setElement(own, key, undefined);
  }

  /** Puts `array` in the place of what the variable holds; its attributes stay. */
  setArray(name: string, array: ShellArray): void {
    const own = this.#target(name).name;
    const variable = this.#store.get(own);
    requireWritable(own, variable);
    if (this.#isComputed(own)) return;
    const letters = lettersWith(variable?.letters ?? "", array.kind === "indexed" ? "a" : "A", array.kind === "indexed" ? "A" : "a");
    this.#store.put(own, { array: this.#store.adopt(array), isSet: true, letters });
  }

  elementIndex(name: string, subscript: bigint): number | undefined {
    const array = this.array(name);
    const last = array instanceof IndexedArray ? array.last : -1;
    const index = subscript < 0n ? BigInt(last) + 1n + subscript : subscript;
    if (index > MOST_INDEX) throw new ExpansionError(`${name}[${subscript}]: no subscript here is larger than ${MOST_INDEX}`);
    return index < 0n ? undefined : Number(index);
  }

  names(prefix: string): readonly string[] {
    const hidden = BASH_OWN.find((name) => name.startsWith(prefix) && this.#store.get(name) === undefined);
    if (hidden !== undefined) throw new ExpansionError(`\${!${prefix}@}: lists ${hidden} in bash, which is not known here`);
    const found = this.#store.names().filter((name) => name.startsWith(prefix) && this.#store.get(name)?.isSet === true);
    return found.sort((a, b) => Buffer.compare(toBytes(a), toBytes(b)));
  }

  attributes(name: string): string | undefined {
    return this.#store.get(this.#target(name).name)?.letters;
  }

  isDeclaredOnly(name: string): boolean {
    return this.#store.get(this.#target(name).name)?.isSet === false;
  }

  referenceOf(name: string): string | undefined {
    const variable = this.#store.get(name);
    return variable?.letters.includes("n") === true ? variable.value?.text : undefined;
  }

  /** The variable itself, where it is a reference too. */
  variable(name: string): Variable | undefined {
    const variable = this.#store.get(name);
    if (variable === undefined || !this.#isComputed(name)) return variable;
    return name === "PIPESTATUS" ? { ...variable, array: this.special.pipelineArray } : { ...variable, value: this.#computed(name) };
  }

  /** Puts back what `variable` gave. */
  restore(name: string, variable: Variable | undefined): void {
    this.#store.put(name, variable);
  }

  /** Gives the variable attributes and takes others from it; `a` and `A` make it an array. */
  declare(name: string, added: string, removed = ""): void {
    const own = added.includes("n") || removed.includes("n") ? name : this.#target(name).name;
    if (/[aA]/.test(added)) this.#makeArray(own, added.includes("A") ? "associative" : "indexed");
    const variable = this.#store.get(own);
    const before = variable?.letters ?? "";
    const cased = added.includes("l") ? "u" : added.includes("u") ? "l" : "";
    const letters = lettersWith(lettersWith(before, "", cased), added.replace(/[aA]/g, ""), removed);
    this.#store.put(own, variable === undefined ? { isSet: false, letters } : { ...variable, letters });
  }

  /** Makes the variable what `name=(...)` assigns to: an array, to which the one value that it had comes as the first element. */
  makeList(name: string): void {
    const own = this.#target(name).name;
    const variable = this.#store.get(own);
    requireWritable(own, variable);
    if (this.#isComputed(own) || variable?.array !== undefined) return;
    if (variable === undefined) this.setArray(own, new IndexedArray());
    else this.#makeArray(own, "indexed");
  }

  /** Value as the attributes of the variable have it. */
  convertedFor(name: string, value: Value): Value {
    return this.#converted(value, this.attributes(name) ?? "");
  }

  /** `before` with `added` appended, as the attributes of the variable have it. */
  joinedFor(name: string, before: Value | undefined, added: Value): Value {
    const letters = this.attributes(name) ?? "";
    return this.#converted(this.#joined(before, added, letters), letters);
  }

  /** Makes the variable a reference to another. */
  setReference(name: string, target: string): void {
    requireWritable(name, this.#store.get(name));
    this.#store.put(name, {
      value: { text: target, typed: false },
      isSet: true,
      letters: lettersWith(this.#store.get(name)?.letters ?? "", "n"),
    });
  }

  /** Forgets a variable, or the one that a reference names. */
  unset(name: string): void {
    const { name: own, key } = this.#target(name);
    if (key !== undefined) return this.unsetElement(own, key);
    this.forget(own);
  }

  /** Takes the variable itself away. */
  protected forget(name: string): void {
    this.#store.put(name, undefined);
  }

  /** Forgets a reference itself. */
  unsetReference(name: string): void {
    this.#store.put(name, undefined);
  }

  export(name: string): void {
    this.declare(name, "x");
  }

  /** Value of the variable that a builtin would find in its environment. */
  environment(name: string): string | undefined {
    const variable = this.#store.get(name);
    return variable?.letters.includes("x") === true ? variable.value?.text : undefined;
  }

  /** In byte order, those without a value too. */
  exportedNames(): readonly string[] {
    const names = this.#store.names().filter((name) => this.#store.get(name)?.letters.includes("x") === true);
    return names.sort((a, b) => Buffer.compare(toBytes(a), toBytes(b)));
  }

  /** Exported variables with their values. */
  exported(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const name of this.#store.names()) {
      const value = this.environment(name);
      if (value !== undefined) found.set(name, value);
    }
    return found;
  }

  get shellNumber(): number {
    return this.special.shellNumber;
  }

  /** Line of the command that runs, from 1. */
  get lineNumber(): number {
    let number = 1;
    for (let at = this.line.indexOf("\n"); at >= 0 && at < this.at.start; at = this.line.indexOf("\n", at + 1)) number++;
    return number;
  }

  complain(message: string): void {
    if (this.complaints.length < MOST_COMPLAINTS) this.complaints.push(`${this.source}: line ${this.lineNumber}: ${message}\n`);
  }

  /** Sets variables for the time being. */
  temporarily(assignments: readonly { readonly name: string; readonly value: Value }[]): Temporary {
    const before: Covered = new Map(assignments.map(({ name }) => [name, this.#store.get(name)]));
    for (const { name, value } of assignments) {
      const letters = this.#store.get(name)?.letters ?? "";
      const kept = lettersWith(letters, "x", "aAn");
      this.#store.put(name, { value: this.#converted(value, kept), isSet: true, letters: kept });
    }
    return {
      before,
      restore: () => {
        for (const [name, variable] of before) this.#store.put(name, variable);
      },
    };
  }

  #makeArray(name: string, kind: ShellArray["kind"]): void {
    const variable = this.#store.get(name);
    if (variable?.array !== undefined) return;
    const array = kind === "indexed" ? new IndexedArray() : variable === undefined ? new AssociativeArray() : AssociativeArray.ofOneValue();
    if (variable?.value !== undefined) array.set(kind === "indexed" ? 0 : "0", variable.value);
    const letters = lettersWith(variable?.letters ?? "", kind === "indexed" ? "a" : "A");
    this.#store.put(name, { array: this.#store.adopt(array), isSet: variable?.value !== undefined, letters });
  }

  #elementOf(variable: Variable | undefined, key: ElementKey): Value | undefined {
    if (variable?.array !== undefined) return variable.array.get(key);
    return key === 0 ? variable?.value : undefined;
  }

  /** The variable that a reference leads to in the end, and the element where it names one. */
  #target(name: string): { readonly name: string; readonly key?: ElementKey } {
    let own = name;
    for (let steps = 0; steps <= MOST_REFERENCES; steps++) {
      const reference = this.referenceOf(own);
      if (reference === undefined) return { name: own };
      const found = /^(\w+)(?:\[([^]*)\])?$/.exec(reference);
      if (found === null) return { name: own };
      own = found[1] as string;
      const subscript = found[2];
      if (subscript === undefined) continue;
      const { array } = this.#store.get(own) ?? {};
      if (subscript === "@" || subscript === "*") throw new ExpansionError(`${name}: a reference to all elements is not available here`);
      if (array?.kind === "associative") return { name: own, key: subscript };
      const index = this.elementIndex(own, evaluateArithmetic(subscript, this));
      if (index === undefined) throw new ExpansionError(`${reference}: bad array subscript`);
      return { name: own, key: index };
    }
    this.complain(`warning: ${name}: circular name reference`);
    return { name: "" };
  }

  #isComputed(name: string): boolean {
    const variable = (COMPUTED as readonly string[]).includes(name) ? this.#store.get(name) : undefined;
    return variable !== undefined && variable.value === undefined && variable.array === undefined;
  }

  #computed(name: string): Value | undefined {
    return this.#isComputed(name) ? this.special.get(name as Computed, () => this.lineNumber) : undefined;
  }

  #setComputed(name: Computed, value: Value): void {
    if (name === "RANDOM" || name === "SECONDS") this.special.set(name, evaluateArithmetic(value.text, this));
  }

  /** As the attributes of the variable have it: the value of an expression, or in other letters. */
  #converted(value: Value, letters: string): Value {
    if (letters.includes("i")) return { text: String(evaluateArithmetic(value.text, this)), typed: false };
    const to = letters.includes("l") ? "lower" : letters.includes("u") ? "upper" : undefined;
    return to === undefined
      ? value
      : { ...value, text: recased(value.text, undefined, { kind: "case", to, all: true, pattern: undefined }) };
  }

  #joined(before: Value | undefined, added: Value, letters: string): Value {
    if (letters.includes("i")) {
      const sum = evaluateArithmetic(before?.text ?? "", this) + evaluateArithmetic(added.text, this);
      return { text: String(BigInt.asIntN(64, sum)), typed: false };
    }
    return before === undefined ? added : { text: before.text + added.text, typed: before.typed && added.typed };
  }
}

function clockFrom(nowMs: number): Clock {
  const began = performance.now();
  return { startedMs: nowMs, elapsedMs: () => performance.now() - began };
}

const COMPUTED_VARIABLES: ReadonlyMap<string, Variable> = new Map(
  COMPUTED.map((name) => [name, { isSet: true, letters: COMPUTED_LETTERS[name] }]),
);

/** Messages kept until they are printed. */
const MOST_COMPLAINTS = 100;
/** The largest subscript of an indexed array. */
const MOST_INDEX = BigInt(Number.MAX_SAFE_INTEGER);
/** References that lead to one another, as in bash. */
const MOST_REFERENCES = 8;

/** Variables that bash has from the start, or that come from its environment. */
const BASH_OWN =
  "BASH BASHOPTS BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_EXECUTION_STRING BASH_LINENO BASH_LOADABLES_PATH BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO COMP_WORDBREAKS DIRSTACK EUID GROUPS HISTCMD HOSTNAME HOSTTYPE LANG LC_ALL LOGNAME MACHTYPE OPTERR OPTIND OSTYPE PATH PPID PS4 SHELL SHELLOPTS SHLVL SRANDOM TERM UID USER _".split(
    " ",
  );
