/**
 * Texts that a command may have: what the program spells out, joined, chosen between, or assigned to a variable that is assigned
 * nothing else. Everything else may be data.
 */
import { partsOf } from "../compile/suspension.ts";
import { numberText } from "../values/text-conversion.ts";
import type { CommandUse, Expression, Program, Statement } from "./tree.ts";

type Node = Expression | Statement;
/** Undefined: it may be anything. */
type Texts = readonly string[] | undefined;

/** Texts of one command, and the length of each; more would come of a program that nobody types. */
const MOST_TEXTS = 100;
const MOST_LENGTH = 1 << 16;

/** Reason for the refusal of a command that is not spelled out. */
export const OF_DATA =
  'The text of a command is typed in the line, and data never becomes part of it: print the data and pipe it into xargs or `while read`, or give what a command prints to a variable (-v d="$(date)").';

/** The use of a command with the texts (latin1) that it may have; none of it where data may be part of it. */
export interface CommandWithTexts {
  readonly use: CommandUse;
  readonly texts: Texts;
}

export function commandTexts(program: Program): readonly CommandWithTexts[] {
  if (program.commands.length === 0) return [];
  const known = new CommandTexts(program);
  return program.commands.map((use) => ({ use, texts: known.of(use) }));
}

class CommandTexts {
  readonly #program: Program;
  /** Values that are assigned, by variable; undefined for one that is changed in another way. */
  #assigned: ReadonlyMap<string, readonly Assigned[] | undefined> | undefined;
  #calls: ReadonlyMap<string, readonly Call[]> | undefined;
  #hasIndirectCalls = false;
  /** Those of variables; undefined as well for one that is part of what it is assigned. */
  readonly #known = new Map<string, Texts>();

  constructor(program: Program) {
    this.#program = program;
  }

  of({ command, within }: CommandUse): Texts {
    return this.#texts(command, within);
  }

  #texts(expression: Expression, within: string | undefined): Texts {
    switch (expression.kind) {
      case "string":
        return [expression.value];
      case "number":
        return Number.isInteger(expression.value) ? [numberText(expression.value, "%.6g")] : undefined;
      case "group":
        return this.#texts(expression.inner, within);
      case "concatenation":
        return expression.parts.map((part) => this.#texts(part, within)).reduce(joined);
      case "conditional":
        return united([this.#texts(expression.then, within), this.#texts(expression.otherwise, within)]);
      case "assign":
        return expression.operator === "=" ? this.#texts(expression.value, within) : undefined;
      case "name":
        return this.#variable(expression.name, within);
      default:
        return undefined;
    }
  }

  #variable(name: string, within: string | undefined): Texts {
    const { functions } = this.#program;
    const definition = within === undefined ? undefined : functions.get(within);
    const parameter = definition?.parameters.indexOf(name) ?? -1;
    const key = parameter < 0 ? name : `${within}(${name})`;
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    this.#read();
    const values = this.#assigned?.has(key) === true ? this.#assigned.get(key) : [];
    const texts = values?.map((assigned) => this.#texts(assigned.value, assigned.within));
    if (parameter >= 0 && texts !== undefined) {
      if (this.#hasIndirectCalls) texts.push(undefined);
      for (const call of this.#calls?.get(within as string) ?? []) {
        const given = call.values[parameter];
        if (given !== undefined) texts.push(this.#texts(given, call.within));
        // A local variable is empty until it is assigned.
        else if (texts.length === 0) texts.push(undefined);
      }
    }
    const result = texts === undefined || texts.length === 0 ? undefined : united(texts);
    this.#known.set(key, result);
    return result;
  }

  #read(): void {
    if (this.#assigned !== undefined) return;
    const { begin, end, beginFile, endFile, rules, functions } = this.#program;
    const assigned = new Map<string, Assigned[] | undefined>();
    const calls = new Map<string, Call[]>();
    const visit = (node: Node, within: string | undefined): void => {
      const key = (name: string): string =>
        within !== undefined && functions.get(within)?.parameters.includes(name) === true ? `${within}(${name})` : name;
      for (const name of changedOtherwise(node)) assigned.set(key(name), undefined);
      if (node.kind === "assign" && node.target.kind === "name" && node.operator === "=") {
        const name = key(node.target.name);
        const known = assigned.has(name) ? assigned.get(name) : [];
        assigned.set(name, known && [...known, { value: node.value, within }]);
      }
      if (node.kind === "call") calls.set(node.name, [...(calls.get(node.name) ?? []), { values: node.values, within }]);
      if (node.kind === "indirect") this.#hasIndirectCalls = true;
      for (const part of partsOf(node)) visit(part, within);
    };
    for (const block of [...begin, ...end, ...beginFile, ...endFile]) visit(block, undefined);
    for (const { patterns, body } of rules) for (const part of [...patterns, ...(body === undefined ? [] : [body])]) visit(part, undefined);
    for (const { name, body } of functions.values()) visit(body, name);
    this.#assigned = assigned;
    this.#calls = calls;
  }
}

interface Assigned {
  readonly value: Expression;
  readonly within: string | undefined;
}

interface Call {
  readonly values: readonly Expression[];
  readonly within: string | undefined;
}

/** Variables that the node itself changes, other than by assigning them a value. */
function changedOtherwise(node: Node): readonly string[] {
  switch (node.kind) {
    case "assign":
      return node.operator === "=" ? [] : namesOf(node.target);
    case "increment":
      return namesOf(node.target);
    case "getline":
    case "command-getline":
      return namesOf(node.target);
    case "for-in":
      return namesOf(node.variable);
    case "builtin":
      return node.name === "sub" || node.name === "gsub" ? namesOf(node.values[2]) : [];
    default:
      return [];
  }
}

function namesOf(expression: Expression | undefined): readonly string[] {
  if (expression?.kind === "group") return namesOf(expression.inner);
  return expression?.kind === "name" ? [expression.name] : [];
}

function joined(left: Texts, right: Texts): Texts {
  if (left === undefined || right === undefined || left.length * right.length > MOST_TEXTS) return undefined;
  const texts = left.flatMap((before) => right.map((after) => before + after));
  return texts.some(({ length }) => length > MOST_LENGTH) ? undefined : texts;
}

function united(all: readonly Texts[]): Texts {
  const texts = new Set<string>();
  for (const each of all) {
    if (each === undefined) return undefined;
    for (const text of each) texts.add(text);
  }
  return texts.size > MOST_TEXTS ? undefined : [...texts];
}
