/** Assignments: `x=v`, `a[i]+=v`, `a=(…)`. Everything in one is expanded before anything of it is set, as in bash. */
import { AssociativeArray, type ElementKey, IndexedArray } from "../shell/arrays.ts";
import { evaluateArithmetic } from "../shell/arithmetic.ts";
import { elementKey, expandArithmeticText, expandToText, expandToValue } from "../shell/word-expansion.ts";
import type { ArrayElement, Assignment, ElementSubscript } from "../shell/tree.ts";
import { ExpansionError, type Value } from "../shell/variables.ts";
import type { ListRun } from "./list-run.ts";
import type { ShellState } from "./shell-state.ts";
import type { Surroundings } from "./stage.ts";
import { quoteAlways } from "../display/quote.ts";
import { expanded, expandedArguments } from "./substitution.ts";

type Kind = "indexed" | "associative";

/** The variable as it will be, and whether `declare` or a relative makes it, which words one message otherwise. */
interface Assigned {
  readonly kind: Kind;
  readonly isDeclared: boolean;
}

/** Sets what the assignment says; the command's status is that of its last substitution. */
export async function assign(run: ListRun, assignment: Assignment, surroundings: Surroundings): Promise<void> {
  const { set } = await prepared(run, assignment, surroundings, {
    kind: surroundings.shell.array(assignment.name)?.kind ?? "indexed",
    isDeclared: false,
  });
  set();
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
type Given =
  | { readonly kind: "values"; readonly values: readonly Value[] }
  | { readonly kind: "pair"; readonly key: string; readonly source: string; readonly append: boolean; readonly value: Value };

async function list(
  run: ListRun,
  { name, append }: Assignment,
  elements: readonly ArrayElement[],
  surroundings: Surroundings,
  { kind, isDeclared }: Assigned,
): Promise<() => void> {
  const { shell } = surroundings;
  if (kind === "associative") {
    const given = await keyedElements(run, name, elements, surroundings, isDeclared);
    return () => setAssociative(shell, name, given, append);
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

/** Elements of an associative array: pairs in brackets, or keys and values in turn where the first is none. */
async function keyedElements(
  run: ListRun,
  name: string,
  elements: readonly ArrayElement[],
  surroundings: Surroundings,
  isDeclared: boolean,
): Promise<readonly Given[]> {
  const { shell } = surroundings;
  const given: Given[] = [];
  if (elements[0]?.pair === undefined) {
    const texts: Value[] = [];
    for (const { whole } of elements) texts.push(await expanded(run, expandToValue(whole, shell), surroundings));
    for (let at = 0; at < texts.length; at += 2) {
      const key = (texts[at] as Value).text;
      given.push({
        kind: "pair",
        key,
        source: elements[at]?.source ?? key,
        append: false,
        value: texts[at + 1] ?? { text: "", typed: true },
      });
    }
    return given;
  }
  for (const { pair, source } of elements) {
    if (pair === undefined) {
      const shown = isDeclared ? quoteAlways(source.replace(/^"(.*)"$/s, "$1")) : source;
      shell.complain(`${name}: ${shown}: must use subscript when assigning associative array`);
      continue;
    }
    const key = await expanded(run, expandToText(pair.subscript.key, shell), surroundings);
    const value = await expanded(run, expandToValue(pair.value, shell), surroundings);
    given.push({ kind: "pair", key, source: `[${pair.subscript.source}]`, append: pair.append, value });
  }
  return given;
}

function setAssociative(shell: ShellState, name: string, given: readonly Given[], append: boolean): void {
  const before = shell.array(name);
  const array = AssociativeArray.emptyLike(before instanceof AssociativeArray ? before : undefined);
  for (const element of given) {
    if (element.kind === "values") continue;
    const { key, value } = element;
    if (key === "") {
      shell.complain(`${element.source}: bad array subscript`);
      continue;
    }
    if (append) {
      if (element.append) shell.appendElement(name, key, value);
      else shell.setElement(name, key, value);
    } else array.set(key, element.append ? shell.joinedFor(name, before?.get(key), value) : shell.convertedFor(name, value));
  }
  if (append) shell.declare(name, "A");
  else shell.setArray(name, array);
}
