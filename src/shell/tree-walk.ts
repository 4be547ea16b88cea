/** Walks everything inside a command: its words, and the lists it holds, also those in `$( )`. */
import {
  isAssignment,
  isExpanded,
  type Assignment,
  type Command,
  type Condition,
  type ElementSubscript,
  type List,
  type ParameterExpansion,
  type Word,
} from "./tree.ts";

/** Calls `visit` for `list` and every list inside it. */
export function forEachList(list: List, visit: (list: List) => void): void {
  visit(list);
  for (const { pipeline } of list.items) {
    for (const command of pipeline.commands) {
      for (const word of wordsOf(command)) for (const inner of listsIn(word)) forEachList(inner, visit);
      for (const inner of listsOf(command)) forEachList(inner, visit);
    }
  }
}

/** Calls `visit` for every command of `list`, outermost first, in the order of the line. */
export function forEachCommand(list: List, visit: (command: Command) => void): void {
  forEachList(list, ({ items }) => {
    for (const { pipeline } of items) pipeline.commands.forEach(visit);
  });
}

/** The lists a compound command runs. */
export function listsOf(command: Command): readonly List[] {
  switch (command.kind) {
    case "simple":
    case "assign":
    case "declare":
    case "condition":
    case "arithmetic":
      return [];
    case "group":
    case "for":
    case "arithmetic-for":
    case "function":
      return [command.body];
    case "trap":
      return typeof command.action === "string" ? [] : [command.action];
    case "loop":
      return [command.condition, command.body];
    case "if":
      return [
        ...command.clauses.flatMap(({ condition, body }) => [condition, body]),
        ...(command.otherwise === undefined ? [] : [command.otherwise]),
      ];
    case "case":
      return command.items.map(({ body }) => body);
  }
}

/** The words a command expands itself, its redirections' too. */
export function wordsOf(command: Command): readonly Word[] {
  if (command.redirects.length === 0) return ownWords(command);
  const redirected = command.redirects.flatMap((redirect) =>
    redirect.kind === "here" ? [redirect.text] : redirect.kind === "input" || redirect.kind === "output" ? [redirect.file] : [],
  );
  return [...ownWords(command), ...redirected];
}

function ownWords(command: Command): readonly Word[] {
  switch (command.kind) {
    case "simple":
      return command.assignments.length === 0 ? command.words : [...command.assignments.flatMap(wordsOfAssignment), ...command.words];
    case "assign":
      return command.assignments.flatMap(wordsOfAssignment);
    case "declare":
      return command.items.flatMap((item) => (isAssignment(item) ? wordsOfAssignment(item) : [item]));
    case "for":
      return command.words;
    case "arithmetic-for":
      return [command.start, command.condition, command.step];
    case "case":
      return [command.word, ...command.items.flatMap(({ patterns }) => patterns)];
    case "condition":
      return wordsOfCondition(command.condition);
    case "arithmetic":
      return [command.expression];
    case "group":
    case "if":
    case "loop":
    case "function":
    case "trap":
      return [];
  }
}

function wordsOfAssignment({ subscript, value, elements }: Assignment): readonly Word[] {
  const words = [...wordsOfSubscript(subscript), value];
  for (const { words: own, whole, pair } of elements ?? []) {
    words.push(...own);
    // Read by itself, it has commands of its own.
    if (pair === undefined && own.length !== 1) words.push(whole);
    if (pair !== undefined) words.push(...wordsOfSubscript(pair.subscript), pair.value);
  }
  return words;
}

function wordsOfSubscript(subscript: ElementSubscript | undefined): readonly Word[] {
  if (subscript === undefined) return [];
  const { key, index } = subscript;
  return key === index ? [key] : [key, index];
}

function wordsOfCondition(condition: Condition): readonly Word[] {
  switch (condition.kind) {
    case "unary":
      return [condition.operand];
    case "binary":
      return [condition.left, condition.right];
    case "not":
      return wordsOfCondition(condition.condition);
    case "and":
    case "or":
      return condition.conditions.flatMap(wordsOfCondition);
  }
}

/** `word` and the words inside its expansions, outermost first. */
export function* wordsIn(word: Word): Generator<Word> {
  yield word;
  for (const part of word.parts) {
    if (part.kind === "arithmetic") yield* wordsIn(part.expression);
    else if (part.kind === "command" && "kind" in part.body) yield* wordsIn(part.body.word);
    else if (part.kind === "parameter") for (const inner of wordsOfParameter(part)) yield* wordsIn(inner);
  }
}

/** The lists of the command and process substitutions in `word`. */
export function listsIn(word: Word): readonly List[] {
  if (!isExpanded(word)) return [];
  const lists: List[] = [];
  for (const { parts } of wordsIn(word)) {
    for (const part of parts) {
      if (part.kind === "process") lists.push(part.body);
      else if (part.kind === "command" && !("kind" in part.body)) lists.push(part.body);
    }
  }
  return lists;
}

function wordsOfParameter({ subscript, operation }: ParameterExpansion): readonly Word[] {
  return [...(subscript?.kind === "element" ? wordsOfSubscript(subscript) : []), ...wordsOfOperation(operation)];
}

function wordsOfOperation(operation: ParameterExpansion["operation"]): readonly Word[] {
  switch (operation?.kind) {
    case undefined:
    case "length":
    case "keys":
    case "names":
    case "transform":
      return [];
    case "remove":
      return [operation.pattern];
    case "replace":
      return [operation.pattern, operation.by];
    case "slice":
      return [operation.offset, ...(operation.length === undefined ? [] : [operation.length])];
    case "case":
      return operation.pattern === undefined ? [] : [operation.pattern];
    case "default":
    case "assign":
    case "demand":
    case "alternative":
      return [operation.word];
  }
}
