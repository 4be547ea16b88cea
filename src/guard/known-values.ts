/**
 * Variables whose values the text of the line gives away: `F=a.txt; head $F` is checked as `head a.txt`. It is a help
 * for telling early, and nothing rests on it: values known only when a stage starts are checked again then.
 */
import { expandToFields, expandToValue, fieldWord } from "../shell/word-expansion.ts";
import type { Expanding } from "../shell/parameter-expansion.ts";
import {
  isAssignment,
  isExpanded,
  isPlainParameter,
  staticText,
  type Assignment,
  type Command,
  type CommandSubstitution,
  type DeclareCommand,
  type Word,
  type WordPart,
} from "../shell/tree.ts";
import { wordsIn, wordsOf } from "../shell/tree-walk.ts";
import type { Field } from "../shell/fields.ts";
import { ExpansionError, type Scope, SHELL_NAME, type Value } from "../shell/variables.ts";
import { SCRATCH_PREFIX } from "../workspace/mount/scratch-files.ts";
import { LimitReached } from "../io/limit-reached.ts";

/** Value of each variable by its name, or "unknown". A name that is missing is not set. */
export type KnownValues = ReadonlyMap<string, Value | "unknown">;

/** Longer values, as `${x//a/$x}` makes them again and again, are taken for unknown. */
const MOST_KNOWN_UNITS = 1 << 16;

/** Key for the positional parameters: there are none unless it says that they are not known. */
export const POSITIONAL = "@";
/** Key that is there once a variable has been declared: it may turn what is assigned into something else, or mean another. */
export const DECLARED = "-";
/** Key that is there in a script: a variable that it has not set may have come from the environment. */
export const INHERITED = "+";
/** Key that is there for a variable whose value is not known but is a path in the scratch. */
const inScratchKey = (name: string): string => `/${name}`;
/** Variables that the shell sets or computes. */
const COMPUTED = /^(BASHPID|BASH_\w+|EPOCH\w+|FUNCNAME|LINENO|OPTARG|OPTIND|PIPESTATUS|RANDOM|SECONDS|MAPFILE|REPLY)$/;

class NotKnown extends Error {
  override readonly name = "NotKnown";
}

/** The fields of `word`; undefined where they are not known. */
export function knownFields(word: Word, values: KnownValues, rootPath: string): readonly Field[] | undefined {
  return known(() => expandToFields(word, scopeOf(values, rootPath)));
}

/** The value that `assignment` sets, as far as it is known. */
export function assignedValue(assignment: Assignment, values: KnownValues, rootPath: string): Value | "unknown" {
  const { name, append, value, subscript, elements } = assignment;
  // Arrays, numbers made of expressions, text in other letters: known when the line runs.
  if (subscript !== undefined || elements !== undefined || values.has(DECLARED) || values.has(`${DECLARED}${name}`)) return "unknown";
  const added = known(() => expandToValue(value, scopeOf(values, rootPath)));
  if (added === undefined || added.text.length > MOST_KNOWN_UNITS) return "unknown";
  const before = append ? values.get(name) : undefined;
  if (before === "unknown") return "unknown";
  return before === undefined ? added : { text: before.text + added.text, typed: before.typed && added.typed };
}

/** The values after `assignment`. */
export function afterAssigning(assignment: Assignment, values: KnownValues, rootPath: string): KnownValues {
  const { name, append, subscript, elements, value } = assignment;
  const after = new Map(values);
  const isWhole =
    !append && subscript === undefined && elements === undefined && !values.has(DECLARED) && !values.has(`${DECLARED}${name}`);
  const path = isWhole ? scratchPath(value, values, rootPath) : undefined;
  after.set(name, assignedValue(assignment, values, rootPath));
  if (path === undefined) after.delete(inScratchKey(name));
  else after.set(inScratchKey(name), IN_SCRATCH);
  return after;
}

const IN_SCRATCH: Value = { text: "", typed: true };

/**
 * A path that stands for all that `word` may give, if these can only be paths below SCRATCH_PREFIX: it begins with that name, or
 * is one that mktemp prints. What follows need not be known.
 */
export function scratchPath(word: Word, values: KnownValues, rootPath: string): string | undefined {
  let path = "";
  for (const part of word.parts) {
    const text = part.kind === "text" ? part.text : pathOfPart(part, word, values, rootPath);
    if (text === undefined) break;
    path += text;
  }
  return path.startsWith(`${SCRATCH_PREFIX}/`) ? path : undefined;
}

function pathOfPart(part: WordPart, word: Word, values: KnownValues, rootPath: string): string | undefined {
  const [field, ...others] = knownFields({ ...word, parts: [part] }, values, rootPath) ?? [];
  const text = field === undefined || others.length > 0 ? undefined : staticText(fieldWord(field, word));
  if (text !== undefined) return text;
  if (part.kind === "parameter" && isPlainParameter(part)) {
    const mark = values.get(inScratchKey(part.name));
    return mark === undefined || mark === "unknown" ? undefined : MADE_PATH;
  }
  return part.kind === "command" && isMktemp(part.body) ? MADE_PATH : undefined;
}

/** Stands for a path that mktemp has made. */
const MADE_PATH = `${SCRATCH_PREFIX}/tmp.XXXXXXXXXX`;

/** mktemp makes files in the scratch alone. */
function isMktemp(body: CommandSubstitution["body"]): boolean {
  if ("kind" in body) return false;
  const [item, ...others] = body.items;
  const [command, ...further] = item?.pipeline.commands ?? [];
  if (others.length > 0 || further.length > 0 || command?.kind !== "simple") return false;
  return staticText(command.words[0]) === "mktemp";
}

/** The values after a command that declares variables. */
export function afterDeclaring({ items }: DeclareCommand, values: KnownValues, rootPath: string): KnownValues {
  const words = items.filter((item): item is Word => !isAssignment(item)).map(staticText);
  const flags = words.filter((text) => text === undefined || /^[-+]/.test(text));
  // A reference changes the variables that it leads to.
  if (flags.some((text) => text === undefined || text.includes("n"))) return withUnknown(values, [...values.keys(), DECLARED]);
  let after = new Map(values);
  for (const text of words) {
    const name = /^[A-Za-z_]\w*/.exec(text ?? "")?.[0];
    if (name !== undefined && /[[=]/.test(text ?? "")) after.set(name, "unknown");
    if (name !== undefined && flags.length > 0) after.set(`${DECLARED}${name}`, "unknown");
  }
  for (const item of items) {
    if (!isAssignment(item)) continue;
    if (flags.length > 0) after.set(`${DECLARED}${item.name}`, "unknown");
    after = new Map(afterAssigning(item, after, rootPath));
  }
  return after;
}

/** Variables that expanding the words of `command` may set: `${x:=1}`, `$((x++))`. */
export function setByWords(command: Command): readonly string[] {
  const names: string[] = [];
  const texts = command.kind === "arithmetic" ? [command.expression] : [];
  for (const { subscript, elements } of assignmentsOf(command)) {
    if (subscript !== undefined) texts.push(subscript.index);
    for (const { pair } of elements ?? []) if (pair !== undefined) texts.push(pair.subscript.index);
  }
  if (command.kind === "arithmetic-for") texts.push(command.start, command.condition, command.step);
  for (const word of wordsOf(command).flatMap((outer) => (isExpanded(outer) ? [...wordsIn(outer)] : []))) {
    for (const part of word.parts) {
      if (part.kind === "parameter" && part.operation?.kind === "assign") names.push(part.name);
      if (part.kind === "arithmetic") texts.push(part.expression);
      if (part.kind !== "parameter") continue;
      if (part.subscript?.kind === "element") texts.push(part.subscript.index);
      if (part.operation?.kind === "slice") texts.push(part.operation.offset, part.operation.length ?? part.operation.offset);
    }
  }
  for (const text of texts) {
    const source = text.parts.map((part) => (part.kind === "text" ? part.text : " ")).join("");
    if (/=|\+\+|--/.test(source)) names.push(...(source.match(/[A-Za-z_]\w*/g) ?? []));
  }
  return names;
}

function assignmentsOf(command: Command): readonly Assignment[] {
  if (command.kind === "declare") return command.items.filter(isAssignment);
  return command.kind === "simple" || command.kind === "assign" ? command.assignments : [];
}

/** Values where two ways through the line meet. */
export function joinedValues(a: KnownValues, b: KnownValues): KnownValues {
  if (a === b) return a;
  const joined = new Map<string, Value | "unknown">();
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(name), b.get(name)];
    const same = left !== undefined && right !== undefined && left !== "unknown" && right !== "unknown" && left.text === right.text;
    joined.set(name, same ? { text: left.text, typed: left.typed && right.typed } : "unknown");
  }
  return joined;
}

export function withUnknown(values: KnownValues, names: Iterable<string>): KnownValues {
  let changed: Map<string, Value | "unknown"> | undefined;
  for (const name of names) {
    changed ??= new Map(values);
    changed.set(name, "unknown");
    changed.delete(inScratchKey(name));
  }
  return changed ?? values;
}

function known<T>(expand: () => Expanding<T>): T | undefined {
  try {
    const next = expand().next();
    return next.done === true ? next.value : undefined;
  } catch (thrown) {
    // An expansion that fails is reported when the line runs.
    if (thrown instanceof NotKnown || thrown instanceof ExpansionError || thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
}

function scopeOf(values: KnownValues, rootPath: string): Scope {
  const own = new Map<string, Value>();
  const get = (name: string): Value | undefined => {
    const value = own.get(name) ?? values.get(name);
    if (value === "unknown" || COMPUTED.test(name) || (value === undefined && values.has(INHERITED))) throw new NotKnown(name);
    return value;
  };
  const unknown = (): never => {
    throw new NotKnown("");
  };
  return {
    get,
    set: (name, value) => void own.set(name, value),
    array(name) {
      get(name);
      return undefined;
    },
    setElement: unknown,
    elementIndex: (_, subscript) => (subscript < 0n ? unknown() : Number(subscript)),
    get name(): string {
      return values.has(INHERITED) ? unknown() : SHELL_NAME;
    },
    get positional(): readonly Value[] {
      if (values.get(POSITIONAL) === "unknown") unknown();
      return [];
    },
    names: unknown,
    attributes: unknown,
    isDeclaredOnly: unknown,
    referenceOf: () => undefined,
    get optionLetters(): string {
      return unknown();
    },
    complain: unknown,
    get shellNumber(): number {
      return unknown();
    },
    get status(): number {
      throw new NotKnown("?");
    },
    rootPath,
    missing: () => {},
  };
}
