/**
 * Named pipelines (DESIGN §9): `@name key=value` in a line becomes the commands of its definition, with each value as
 * text of the tree. No value is ever read as text of the shell: it goes in after parsing, where `"${key}"` stood.
 */
import type { Command, List, SimpleCommand, Span, Word, WordPart } from "./tree.ts";
import { isPlainParameter, staticText } from "./tree.ts";
import { parseLine } from "./parse.ts";
import { type PipelineArgument, renderDefinition, type RenderedDefinition } from "./pipeline-text.ts";
import { forEachCommand, wordsIn, wordsOf } from "./tree-walk.ts";
import { globParts } from "./word-parts.ts";

/** A named pipeline as it is configured. */
export interface PipelineDefinition {
  /** Command line of the pipeline, with `${key}` where a value goes. */
  readonly command: string;
  /** Key → what it means. Exactly the keys that `command` has. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** A call of a named pipeline that cannot be expanded, with the reason. */
export interface CallProblem {
  readonly kind: "unknown" | "arguments";
  /** Name of the pipeline, without the at-sign. */
  readonly name: string;
  readonly span: Span;
  readonly detail: string;
}

/** A command of a definition, in a line that calls it. */
export interface CommandOrigin {
  /** The pipeline's name, without the at-sign. */
  readonly name: string;
  /** Span of the call in the line. */
  readonly span: Span;
  /** Spans of the call's arguments. */
  readonly values: readonly Span[];
  /** The command as it could have been typed, values put in. */
  readonly source: string;
}

export interface ExpandedLine {
  readonly list: List;
  /** Commands that come from a definition and are not in the line itself. Their spans point at the call. */
  readonly origins: ReadonlyMap<Command, CommandOrigin>;
  /** The line with the calls written out; undefined where there are none. */
  readonly text: string | undefined;
  readonly problems: readonly CallProblem[];
}

/** Calls of named pipelines in one line. A definition may be long, and the line is checked as if it had been typed. */
const MOST_CALLS = 100;

/** Writes out every call in `list`, the tree of `line`. Groups, loops and `$( )` are looked through; values are not. */
export function expandCalls(line: string, list: List, pipelines: ReadonlyMap<string, PipelineDefinition>): ExpandedLine {
  const expansion = new LineExpansion(line, pipelines);
  if (!line.includes("@")) return { list, ...expansion.result() };
  const calls: SimpleCommand[] = [];
  forEachCommand(list, (command) => {
    if (command.kind === "simple" && calledName(command, pipelines) !== undefined) calls.push(command);
  });
  if (calls.length === 0) return { list, ...expansion.result() };
  const expanded = mapTree(list, (command) => expansion.replacement(command));
  return { list: expanded, ...expansion.result() };
}

/** The name after the at-sign where `command` calls a pipeline; `@out` and the like are builtins, and found by their names. */
function calledName(command: SimpleCommand, pipelines: ReadonlyMap<string, PipelineDefinition>): string | undefined {
  const text = staticText(command.words[0]);
  if (text === undefined || !/^@[A-Za-z_][\w-]*$/.test(text)) return undefined;
  const name = text.slice(1);
  return pipelines.has(name) || !RESERVED_NAMES.includes(name) ? name : undefined;
}

/** Names that a pipeline may not have: `@out` is the output of an earlier call. */
export const RESERVED_NAMES: readonly string[] = ["out"];

class LineExpansion {
  readonly #line: string;
  readonly #pipelines: ReadonlyMap<string, PipelineDefinition>;
  readonly #origins = new Map<Command, CommandOrigin>();
  readonly #problems: CallProblem[] = [];
  readonly #texts: { readonly span: Span; readonly text: string }[] = [];
  #calls = 0;

  constructor(line: string, pipelines: ReadonlyMap<string, PipelineDefinition>) {
    this.#line = line;
    this.#pipelines = pipelines;
  }

  result(): Omit<ExpandedLine, "list"> {
    let text = this.#line;
    const outermost = this.#texts.filter(
      ({ span }) => !this.#texts.some((other) => other.span !== span && other.span.start <= span.start && other.span.end >= span.end),
    );
    for (const { span, text: instead } of outermost.toSorted((a, b) => b.span.start - a.span.start)) {
      text = text.slice(0, span.start) + instead + text.slice(span.end);
    }
    return { origins: this.#origins, problems: this.#problems, text: this.#texts.length === 0 ? undefined : text };
  }

  /** The group that `command` stands for; undefined where it is no call. */
  replacement(command: Command): Command | undefined {
    if (command.kind !== "simple") return undefined;
    const name = calledName(command, this.#pipelines);
    if (name === undefined) return undefined;
    const definition = this.#pipelines.get(name);
    if (definition === undefined) {
      this.#problem("unknown", name, command.words[0].span, unknownSentence(name, [...this.#pipelines.keys()]));
      return undefined;
    }
    if (++this.#calls > MOST_CALLS) {
      if (this.#calls === MOST_CALLS + 1) {
        this.#problem("arguments", name, command.span, `The line calls named pipelines more than ${MOST_CALLS} times. Use several calls.`);
      }
      return undefined;
    }
    const values = this.#values(name, definition, command);
    return values === undefined ? undefined : this.#group(name, definition, command, values);
  }

  /** The call's arguments by key; undefined where they are not those that the definition asks for. */
  #values(
    name: string,
    { arguments: wanted }: PipelineDefinition,
    command: SimpleCommand,
  ): ReadonlyMap<string, PipelineArgument> | undefined {
    const values = new Map<string, PipelineArgument>();
    const usage = usageOf(name, wanted);
    const before = this.#problems.length;
    const complain = (span: Span, what: string): void => this.#problem("arguments", name, span, `${what} ${usage}`);
    for (const word of command.words.slice(1)) {
      const [first, ...rest] = word.parts;
      const equals = first?.kind === "text" ? first.text.indexOf("=") : -1;
      const source = this.#line.slice(word.span.start, word.span.end);
      if (first?.kind !== "text" || equals <= 0) {
        complain(word.span, `'${source}' is not key=value.`);
        continue;
      }
      const key = first.text.slice(0, equals);
      if (!Object.hasOwn(wanted, key)) complain(word.span, `@${name} has no argument '${key}'.`);
      else if (values.has(key)) complain(word.span, `'${key}' is given more than once, and a value is one text: no list and no object.`);
      else if (rest.some(({ kind }) => kind === "glob" || kind === "home")) {
        complain(
          word.span,
          `'${source}' is a pattern, and a value is one text: no list and no object. Quote it to have the characters themselves, or call @${name} in a for loop.`,
        );
      } else {
        const parts = [{ ...first, text: first.text.slice(equals + 1) }, ...rest];
        const start = source.startsWith(`${key}=`) ? word.span.start + key.length + 1 : word.span.start;
        const span = { start, end: word.span.end };
        values.set(key, { parts: literal(parts), span, source: this.#line.slice(start, word.span.end) });
      }
    }
    const missing = Object.keys(wanted).filter((key) => !values.has(key));
    if (this.#problems.length > before) return undefined;
    if (missing.length === 0) return values;
    complain(command.span, `@${name} is called without ${missing.map((key) => `'${key}'`).join(", ")}.`);
    return undefined;
  }

  #problem(kind: CallProblem["kind"], name: string, span: Span, detail: string): void {
    this.#problems.push({ kind, name, span, detail });
  }

  /** A subshell, so that what the definition sets or where it goes is its own. */
  #group(name: string, definition: PipelineDefinition, call: SimpleCommand, values: ReadonlyMap<string, PipelineArgument>): Command {
    const parsed = parseLine(definition.command);
    if (parsed.kind === "rejected") throw new Error(`pipelines.${name} does not parse, and was let in`);
    const rendered = renderDefinition(definition.command, values);
    const origin = { name, span: call.span, values: [...values.values()].map(({ span }) => span) };
    const { items } = substituted(parsed.list, values, call.span, (command, span) => {
      this.#origins.set(command, { ...origin, source: rendered.slice(span) });
    });
    const environment: Command = {
      kind: "assign",
      assignments: call.assignments,
      exported: true,
      redirects: [],
      span: call.span,
    };
    const first = { when: "always", pipeline: { negated: false, commands: [environment], span: call.span } } as const;
    const body = { items: call.assignments.length === 0 ? items : [first, ...items], span: call.span };
    this.#noteText(call, rendered);
    return { kind: "group", subshell: true, body, redirects: call.redirects, span: call.span };
  }

  /** Assignments and redirections of the call stay beside the group. */
  #noteText({ words, assignments }: SimpleCommand, rendered: RenderedDefinition): void {
    const span = { start: assignments[0]?.span.start ?? words[0].span.start, end: (words.at(-1) ?? words[0]).span.end };
    const exported = assignments.map(({ span: { start, end } }) => `export ${this.#line.slice(start, end)}; `).join("");
    this.#texts.push({ span, text: `( ${exported}${rendered.text}${rendered.text.includes("\n") ? "\n" : " "})` });
  }
}

/** The arguments of a pipeline as messages list them. */
export function usageOf(name: string, wanted: Readonly<Record<string, string>>): string {
  const keys = Object.entries(wanted).map(([key, what]) => (what === "" ? key : `${key} (${what})`));
  return keys.length === 0 ? `@${name} takes no arguments.` : `Its arguments, each once as key=value: ${keys.join(", ")}.`;
}

function unknownSentence(name: string, known: readonly string[]): string {
  const list = known.length === 0 ? "None is configured on this server." : `There are ${known.map((each) => `@${each}`).join(", ")}.`;
  return `There is no named pipeline '@${name}'. ${list}`;
}

/** The parts of a value as quoted text, so that they are neither split nor read as a pattern. */
function literal(parts: readonly WordPart[]): readonly WordPart[] {
  return parts.map((part) => (part.kind === "glob" || part.kind === "home" ? part : { ...part, quoted: true }));
}

/**
 * A fresh copy of a definition's tree for one call: `${key}` becomes its value, and every span points at the call, or
 * at the value where a word is nothing else. `note` is told each command of the copy with its place in the definition.
 */
function substituted(
  list: List,
  values: ReadonlyMap<string, PipelineArgument>,
  call: Span,
  note: (command: Command, place: Span) => void,
): List {
  const word = (given: Word, globs: boolean): Word => {
    const isValue = (part: WordPart | undefined): boolean => part !== undefined && valueOf(part) !== undefined;
    const only = given.parts.length === 1 ? given.parts[0] : undefined;
    const parts = given.parts.flatMap((part) => valueOf(part)?.parts ?? [copy(part, "") as WordPart]);
    const span = only === undefined ? call : (valueOf(only)?.span ?? call);
    if (!given.parts.some(isValue)) return { ...given, parts, span };
    return { parts: globs ? withGlobs(parts) : parts, span, ...(isValue(given.parts[0]) ? { isOperand: true } : {}) };
  };
  const valueOf = (part: WordPart): PipelineArgument | undefined =>
    part.kind === "parameter" && isPlainParameter(part) ? values.get(part.name) : undefined;
  // A tree is plain data, and every kind of node is copied alike: only words, spans and commands are looked at.
  const copy = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, key));
    if (typeof node !== "object" || node === null) return node;
    if ("parts" in node) return word(node as Word, key === "words");
    const entries = Object.entries(node).map(([name, value]) => [name, name === "span" ? call : copy(value, name)]);
    const copied: unknown = Object.fromEntries(entries);
    if ("kind" in node && "redirects" in node) note(copied as Command, (node as Command).span);
    return copied;
  };
  return copy(list, "") as List;
}

/** `${dir}/*.log`: once the value is known, what else stands in the word is read for patterns, as for any known word. */
function withGlobs(parts: readonly WordPart[]): readonly WordPart[] {
  const texts: { text: string; quoted: boolean }[] = [];
  for (const part of parts) {
    if (part.kind === "text") texts.push(part);
    else return parts;
  }
  const special = texts.some(({ text, quoted }) => !quoted && /[*?[]/.test(text));
  return special ? globParts(texts) : parts;
}

/** `list` with every command replaced for which `replace` gives another, innermost first: a value may hold a call. */
function mapTree(list: List, replace: (command: Command) => Command | undefined): List {
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== "object" || node === null) return node;
    const copied: unknown = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copy(value)]));
    return "kind" in node && "redirects" in node ? (replace(copied as Command) ?? copied) : copied;
  };
  return copy(list) as List;
}

/** The problem of a definition, as a clause; undefined if it has none. */
export function definitionProblem(command: string, keys: readonly string[]): string | undefined {
  const parsed = parseLine(command);
  if (parsed.kind === "rejected") return parsed.problems[0].detail;
  if (parsed.list.items.length === 0) return "there is no command in it";
  const problems: string[] = [];
  const found = new Map<string, number>(keys.map((key) => [key, 0]));
  const arithmetic = (word: Word | undefined): void => {
    for (const part of word?.parts ?? []) {
      if (part.kind === "parameter" && found.has(part.name)) problems.push(inArithmetic(part.name));
    }
  };
  const read = (part: WordPart): void => {
    if (part.kind === "arithmetic") arithmetic(part.expression);
    if (part.kind !== "parameter") return;
    if (part.operation?.kind === "slice") for (const word of [part.operation.offset, part.operation.length]) arithmetic(word);
    const count = found.get(part.name);
    if (part.subscript?.kind === "element") arithmetic(part.subscript.index);
    if (count === undefined) return;
    if (isPlainParameter(part)) found.set(part.name, count + 1);
    else problems.push(`\${${part.name}} is an argument, and cannot be changed where it is used`);
  };
  forEachCommand(parsed.list, (command) => {
    if (command.kind === "simple") {
      const name = staticText(command.words[0]);
      if (name === undefined) problems.push("the name of each command must be spelled out");
      else if (name.startsWith("@")) problems.push(`it calls ${name}, and a named pipeline calls no other`);
    }
    if (command.kind === "arithmetic") arithmetic(command.expression);
    if (command.kind === "arithmetic-for") for (const word of [command.start, command.condition, command.step]) arithmetic(word);
    for (const word of wordsOf(command)) for (const { parts } of wordsIn(word)) parts.forEach(read);
  });
  for (const [key, count] of found) {
    if (count < command.split(`\${${key}}`).length - 1)
      problems.push(`\${${key}} stands where it is plain text (in single quotes, or after a backslash)`);
  }
  return problems[0];
}

const inArithmetic = (key: string): string => `\${${key}} stands in arithmetic, where a value would be read as an expression`;
