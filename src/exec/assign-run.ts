/** Assignments: `x=v`, `a[i]+=v`, `a=(…)`. Everything in one is expanded before anything of it is set, as in bash. */
import type { ExitStatus } from "../builtin/definition.ts";
import { AssociativeArray, type ElementKey, IndexedArray } from "../shell/arrays.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import { elementKey, expandArithmeticText, expandToText, expandToValue, expandUnsplit } from "../shell/word-expansion.ts";
import type { ArrayElement, AssignCommand, Assignment, ElementSubscript } from "../shell/tree.ts";
import { ExpansionError, type Value } from "../shell/variables.ts";
import type { ListRun } from "./list-run.ts";
import type { ShellState } from "./shell-state.ts";
import type { Surroundings } from "./stage.ts";
import { quoteAlways } from "../display/quote.ts";
import { trace, traceAssignment } from "./trace.ts";
import { complaintsTold, expanded, expandedArguments } from "./substitution.ts";

type Kind = "indexed" | "associative";

/** The variable as it will be, and what makes it: an assignment, `declare` or a relative, or one of these with the flag `-A`. */
interface Assigned {
  readonly kind: Kind;
  readonly by: "assignment" | "declaration" | "keyed declaration";
}

/** Runs a command of assignments alone; its status is that of its last substitution. */
export async function assignAll(run: ListRun, command: AssignCommand, surroundings: Surroundings): Promise<ExitStatus> {
  const { shell } = surroundings;
  try {
    shell.substitutionStatus = undefined;
    for (const assignment of command.assignments) {
      await assign(run, assignment, surroundings);
      if (command.exported) shell.export(assignment.name);
    }
    return command.exported ? 0 : (shell.substitutionStatus ?? 0);
  } catch (thrown) {
    return await run.failed(thrown, command, surroundings);
  }
}

async function assign(run: ListRun, assignment: Assignment, surroundings: Surroundings): Promise<void> {
  const { shell } = surroundings;
  const { name, subscript, append, elements } = assignment;
  // bash makes the variable an array before it expands the list.
  if (elements !== undefined) shell.makeList(name);
  const target = `${name}${subscript === undefined ? "" : `[${subscript.source}]`}${append ? "+" : ""}`;
  if (elements !== undefined) await trace(surroundings, `${target}=(${elements.map(({ source }) => source).join(" ")})`);
  const { set, text } = await prepared(run, assignment, surroundings, { kind: shell.array(name)?.kind ?? "indexed", by: "assignment" });
  if (text !== undefined) await traceAssignment(surroundings, target, text);
  set();
  await complaintsTold(surroundings);
}

/** An assignment that is expanded and still to be made. */
interface Prepared {
  readonly set: () => void;
  /** The value of one that is no list. */
  readonly text: string | undefined;
}

export async function prepared(run: ListRun, assignment: Assignment, surroundings: Surroundings, made: Assigned): Promise<Prepared> {
  const { name, subscript, append, value, elements } = assignment;
  const { shell } = surroundings;
  if (elements !== undefined) return { set: await list(run, assignment, elements, surroundings, made), text: undefined };
  const given = await expanded(run, expandToValue(value, shell), surroundings);
  const { text } = given;
  if (subscript === undefined) return { text, set: () => (append ? shell.append(name, given) : shell.set(name, given)) };
  const key = await placeOf(run, name, subscript, surroundings, made.kind);
  return { text, set: () => (append ? shell.appendElement(name, key, given) : shell.setElement(name, key, given)) };
}

async function placeOf(
  run: ListRun,
  name: string,
  subscript: ElementSubscript,
  surroundings: Surroundings,
  kind: Kind,
): Promise<ElementKey> {
  const { shell } = surroundings;
  const bad = (): never => {
    throw new ExpansionError(`${name}[${subscript.source}]: bad array subscript`);
  };
  if (kind === "associative") return (await expanded(run, expandToText(subscript.key, shell), surroundings)) || bad();
  if (/^[@*]$/.test(subscript.source)) return bad();
  let key = await expanded(run, elementKey(name, subscript, shell), surroundings);
  if (key === undefined && shell.array(name) === undefined && shell.get(name) !== undefined) {
    // The one value becomes the first element, from which the subscript counts.
    shell.declare(name, "a");
    key = await expanded(run, elementKey(name, subscript, shell), surroundings);
  }
  return key === undefined ? bad() : key;
}

/** An element, expanded. */
type Given = { readonly kind: "values"; readonly values: readonly Value[] } | Pair;

/** `[key]=value`. */
interface Pair {
  readonly kind: "pair";
  readonly key: string;
  readonly source: string;
  readonly append: boolean;
  readonly value: Value;
}

async function list(
  run: ListRun,
  { name, append }: Assignment,
  elements: readonly ArrayElement[],
  surroundings: Surroundings,
  { kind, by }: Assigned,
): Promise<() => void> {
  const { shell } = surroundings;
  if (kind === "associative") {
    const keyed = new KeyedList(shell, name, append);
    // An assignment sets each element before it expands the next one; a declaration expands all of them before.
    const given: Pair[] = [];
    const add = (pair: Pair): void => (by === "assignment" ? keyed.add(pair) : void given.push(pair));
    await keyedElements(run, name, elements, { surroundings, by, add });
    return () => {
      for (const pair of given) keyed.add(pair);
      keyed.end();
    };
  }
  const given: Given[] = [];
  for (const element of elements) given.push(await indexedElement(run, element, surroundings));
  return () => setIndexed(shell, name, given, append);
}

async function indexedElement(run: ListRun, { words, pair }: ArrayElement, surroundings: Surroundings): Promise<Given> {
  const { shell } = surroundings;
  if (pair !== undefined) {
    const key = await expanded(run, expandArithmeticText(pair.subscript.index, shell), surroundings);
    const value = await expanded(run, expandToValue(pair.value, shell), surroundings);
    return { kind: "pair", key, source: pair.subscript.source, append: pair.append, value };
  }
  const found = await expandedArguments(run, words, surroundings);
  const values = found.map(({ text, data, operandOnly }) => ({ text, typed: data !== true && operandOnly !== true }));
  return { kind: "values", values };
}

function setIndexed(shell: ShellState, name: string, given: readonly Given[], append: boolean): void {
  // A list replaces what was there before any of its subscripts is evaluated.
  if (append) shell.declare(name, "a");
  else shell.setArray(name, new IndexedArray());
  const before = shell.array(name);
  let next = before instanceof IndexedArray ? before.last + 1 : 0;
  for (const element of given) {
    if (element.kind === "values") {
      for (const value of element.values) shell.setElement(name, next++, value);
      continue;
    }
    const index = shell.elementIndex(name, evaluateArithmetic(element.key, shell));
    if (index === undefined) throw new ExpansionError(`[${element.source}]: bad array subscript`);
    if (element.append) shell.appendElement(name, index, element.value);
    else shell.setElement(name, index, element.value);
    next = index + 1;
  }
}

/** Hands over the elements of an associative array: pairs in brackets, or keys and values in turn where the first is none. */
async function keyedElements(
  run: ListRun,
  name: string,
  elements: readonly ArrayElement[],
  { surroundings, by, add }: { readonly surroundings: Surroundings; readonly by: Assigned["by"]; readonly add: (pair: Pair) => void },
): Promise<void> {
  const { shell } = surroundings;
  const [first] = elements;
  const isBracket = by === "assignment" && first?.source.startsWith("[") === true;
  if (first?.pair === undefined && !isBracket) return await keysAndValues(run, elements, { surroundings, by, add });
  for (const { pair, source, whole } of elements) {
    if (pair === undefined) {
      const shown = by === "assignment" ? source : quoteAlways(await expanded(run, expandToText(whole, shell), surroundings));
      shell.complain(`${name}: ${shown}: must use subscript when assigning associative array`);
      continue;
    }
    const key = await expanded(run, expandUnsplit(pair.subscript.key, shell), surroundings);
    const expanding = by === "declaration" ? expandToValue(pair.value, shell) : expandUnsplit(pair.value, shell);
    const value = await expanded(run, expanding, surroundings);
    add({ kind: "pair", key: key.text, source: `[${pair.subscript.source}]`, append: pair.append, value });
  }
}

async function keysAndValues(
  run: ListRun,
  elements: readonly ArrayElement[],
  { surroundings, by, add }: { readonly surroundings: Surroundings; readonly by: Assigned["by"]; readonly add: (pair: Pair) => void },
): Promise<void> {
  const { shell } = surroundings;
  const nothing: Value = { text: "", typed: true };
  const pair = (key: string, source: string, value: Value): Pair => ({ kind: "pair", key, source, append: false, value });
  if (by === "declaration") {
    // Without the flag -A bash expands the elements as those of an indexed array.
    const found: Value[] = [];
    for (const element of elements) {
      const given = await indexedElement(run, element, surroundings);
      if (given.kind === "values") found.push(...given.values);
      else found.push({ text: `[${given.key}]${given.append ? "+" : ""}=${given.value.text}`, typed: given.value.typed });
    }
    for (let at = 0; at < found.length; at += 2) {
      const { text } = found[at] as Value;
      add(pair(text, quoteAlways(text), found[at + 1] ?? nothing));
    }
    return;
  }
  for (let at = 0; at < elements.length; at += 2) {
    const { whole, source } = elements[at] as ArrayElement;
    const { text: key } = await expanded(run, expandUnsplit(whole, shell), surroundings);
    // The value of a key that is none is not expanded.
    if (key === "" && by === "assignment") {
      add(pair(key, source, nothing));
      continue;
    }
    const value = elements[at + 1];
    const shown = by === "assignment" ? source : quoteAlways(key);
    add(pair(key, shown, value === undefined ? nothing : await expanded(run, expandUnsplit(value.whole, shell), surroundings)));
  }
}

/** The elements that a list gives to an associative array: into the one that is there, or into a new one in its place. */
class KeyedList {
  readonly #shell: ShellState;
  readonly #name: string;
  readonly #append: boolean;
  #array: AssociativeArray | undefined;

  constructor(shell: ShellState, name: string, append: boolean) {
    this.#shell = shell;
    this.#name = name;
    this.#append = append;
  }

  add({ key, source, append, value }: Pair): void {
    const [shell, name] = [this.#shell, this.#name];
    if (key === "") return shell.complain(`${source}: bad array subscript`);
    if (!this.#append) {
      const before = shell.array(name)?.get(key);
      return this.#replacement.set(key, append ? shell.joinedFor(name, before, value) : shell.convertedFor(name, value));
    }
    if (append) shell.appendElement(name, key, value);
    else shell.setElement(name, key, value);
  }

  end(): void {
    if (this.#append) this.#shell.declare(this.#name, "A");
    else this.#shell.setArray(this.#name, this.#replacement);
  }

  get #replacement(): AssociativeArray {
    const before = this.#shell.array(this.#name);
    return (this.#array ??= AssociativeArray.emptyLike(before instanceof AssociativeArray ? before : undefined));
  }
}
