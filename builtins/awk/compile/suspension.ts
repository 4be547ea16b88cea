/**
 * Finds the parts of a program that may have to wait: a getline that reads standard input, and loops that print. Runs before
 * anything is compiled, because such statements are compiled as generators and all others as plain functions.
 */
import { isStandardInput } from "../../../src/builtin/inputs.ts";
import type { Expression, FunctionDefinition, Program, Statement } from "../syntax/tree.ts";

export interface FunctionFacts {
  /** It, or a function it calls, reads the main input or standard input by getline. */
  readonly waits: boolean;
  /** It prints, and may do so without end. */
  readonly prints: boolean;
  /** It, or a function it calls, runs commands. */
  readonly runs: boolean;
}

/** Contents of one expression or statement, functions left out. */
export interface Facts {
  /** Number of getlines that read the main input. */
  records: number;
  /** Names of standard input that getline reads as a file. */
  readonly files: Set<string>;
  /** getline reads a file whose name is worked out. */
  opensAny: boolean;
  /** A name of standard input is assigned, or passed to a function. */
  namesInput: boolean;
  prints: boolean;
  loops: boolean;
  runs: boolean;
  readonly calls: Set<string>;
}

export function factsOf(...parts: readonly (Expression | Statement | undefined)[]): Facts {
  const facts: Facts = {
    records: 0,
    files: new Set(),
    opensAny: false,
    namesInput: false,
    prints: false,
    loops: false,
    runs: false,
    calls: new Set(),
  };
  for (const part of parts) if (part !== undefined) visit(part, facts);
  return facts;
}

/** The facts of every function of the program, what it calls included. */
export function functionFacts(program: Program): ReadonlyMap<string, FunctionFacts> {
  const own = new Map([...program.functions].map(([name, definition]) => [name, bodyFacts(definition)]));
  const reached = new Map([...own.keys()].map((name) => [name, reachableFrom(name, own)]));
  return new Map(
    [...own.keys()].map((name) => {
      const all = [...(reached.get(name) as Set<string>)];
      const facts = [name, ...all].flatMap((other) => own.get(other) ?? []);
      const isRecursive = all.some((other) => reached.get(other)?.has(other));
      return [
        name,
        {
          waits: facts.some((one) => one.records > 0 || one.files.size > 0),
          runs: facts.some((one) => one.runs),
          prints: facts.some((one) => one.prints) && (isRecursive || facts.some((one) => one.loops)),
        },
      ];
    }),
  );
}

const bodyFacts = ({ body }: FunctionDefinition): Facts => factsOf(body);

function reachableFrom(name: string, own: ReadonlyMap<string, Facts>): Set<string> {
  const reached = new Set<string>();
  const open = [...(own.get(name)?.calls ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(own.get(next)?.calls ?? []));
  }
  return reached;
}

const PASSES_ON: ReadonlySet<string> = new Set(["assign", "conditional", "group", "call", "indirect"]);

function visit(node: Expression | Statement, facts: Facts): void {
  switch (node.kind) {
    case "getline":
      if (node.file === undefined) facts.records++;
      else if (node.file.kind !== "string") facts.opensAny = true;
      else if (isStandardInput(node.file.value)) facts.files.add(node.file.value);
      break;
    case "print":
    case "printf":
      facts.prints = true;
      if (typeof node.output === "object" && node.output.to === "command") facts.runs = true;
      break;
    case "command-getline":
      facts.runs = true;
      break;
    case "builtin":
      if (node.name === "system" || node.name === "close" || node.name === "fflush") facts.runs = true;
      break;
    case "while":
    case "do":
    case "for":
    case "for-in":
      facts.loops = true;
      break;
    case "call":
      facts.calls.add(node.name);
      break;
  }
  const parts = partsOf(node);
  if (PASSES_ON.has(node.kind) && parts.some((part) => part.kind === "string" && isStandardInput(part.value))) facts.namesInput = true;
  for (const part of parts) visit(part, facts);
}

/** The expressions and statements that stand in `node`. */
export function partsOf(node: Expression | Statement): readonly (Expression | Statement)[] {
  const given = (...parts: readonly (Expression | Statement | undefined)[]): (Expression | Statement)[] =>
    parts.filter((part) => part !== undefined);
  switch (node.kind) {
    case "number":
    case "string":
    case "held":
    case "regex":
    case "typed-regex":
    case "name":
    case "break":
    case "continue":
    case "next":
    case "nextfile":
    case "empty":
      return [];
    case "element":
      return [node.array, ...node.subscripts];
    case "field":
      return [node.index];
    case "group":
      return [node.inner];
    case "minus":
    case "plus":
    case "not":
      return [node.operand];
    case "arithmetic":
    case "compare":
    case "and":
    case "or":
    case "match":
      return [node.left, node.right];
    case "concatenation":
      return node.parts;
    case "in":
      return [...node.subscripts, node.array];
    case "conditional":
      return [node.condition, node.then, node.otherwise];
    case "assign":
      return [node.target, node.value];
    case "increment":
      return [node.target];
    case "call":
    case "builtin":
      return node.values;
    case "indirect":
      return [node.name, ...node.values];
    case "getline":
      return given(node.target, node.file);
    case "command-getline":
      return given(node.command, node.target);
    case "block":
      return node.statements;
    case "expression":
      return [node.expression];
    case "print":
    case "printf":
      return given(...node.values, typeof node.output === "object" ? node.output.name : undefined);
    case "if":
      return given(node.condition, node.then, node.otherwise);
    case "while":
    case "do":
      return [node.condition, node.body];
    case "for":
      return given(node.first, node.condition, node.step, node.body);
    case "for-in":
      return [node.variable, node.array, node.body];
    case "switch":
      return [node.value, ...node.cases.flatMap(({ value, body }) => [...given(value), ...body])];
    case "delete":
      return [node.array, ...node.subscripts];
    case "exit":
    case "return":
      return given(node.value);
  }
}
