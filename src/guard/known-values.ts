/**
 * Variables whose values the text of the line gives away: `F=a.txt; head $F` is checked as `head a.txt`. It is a help
 * for telling early, and nothing rests on it: values known only when a stage starts are checked again then.
 */
import { expandToFields, expandToValue, type Expanding } from "../shell/word-expansion.ts";
import type { Assignment, Command, Word } from "../shell/tree.ts";
import { wordsIn, wordsOf } from "../shell/tree-walk.ts";
import type { Field } from "../shell/fields.ts";
import { ExpansionError, type Scope, type Value } from "../shell/variables.ts";
import { LimitReached } from "../io/limit-reached.ts";

/** Value of each variable by its name, or "unknown". A name that is missing is not set. */
export type KnownValues = ReadonlyMap<string, Value | "unknown">;

/** Longer values, as `${x//a/$x}` makes them again and again, are taken for unknown. */
const MOST_KNOWN_UNITS = 1 << 16;

class NotKnown extends Error {
  override readonly name = "NotKnown";
}

/** The fields of `word`; undefined where they are not known. */
export function knownFields(word: Word, values: KnownValues, rootPath: string): readonly Field[] | undefined {
  return known(() => expandToFields(word, scopeOf(values, rootPath)));
}

/** The value that `assignment` sets, as far as it is known. */
export function assignedValue({ name, append, value }: Assignment, values: KnownValues, rootPath: string): Value | "unknown" {
  const added = known(() => expandToValue(value, scopeOf(values, rootPath)));
  if (added === undefined || added.text.length > MOST_KNOWN_UNITS) return "unknown";
  const before = append ? values.get(name) : undefined;
  if (before === "unknown") return "unknown";
  return before === undefined ? added : { text: before.text + added.text, typed: before.typed && added.typed };
}

/** Variables that expanding the words of `command` may set: `${x:=1}`, `$((x++))`. */
export function setByWords(command: Command): readonly string[] {
  const names: string[] = [];
  const texts = command.kind === "arithmetic" ? [command.expression] : [];
  if (command.kind === "arithmetic-for") texts.push(command.start, command.condition, command.step);
  for (const word of wordsOf(command).flatMap((outer) => [...wordsIn(outer)])) {
    for (const part of word.parts) {
      if (part.kind === "parameter" && part.operation?.kind === "assign") names.push(part.name);
      if (part.kind === "arithmetic") texts.push(part.expression);
    }
  }
  for (const text of texts) {
    const source = text.parts.map((part) => (part.kind === "text" ? part.text : " ")).join("");
    if (/=|\+\+|--/.test(source)) names.push(...(source.match(/[A-Za-z_]\w*/g) ?? []));
  }
  return names;
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
  for (const name of names) (changed ??= new Map(values)).set(name, "unknown");
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
  return {
    get(name) {
      const value = own.get(name) ?? values.get(name);
      if (value === "unknown") throw new NotKnown(name);
      return value;
    },
    set: (name, value) => void own.set(name, value),
    get status(): number {
      throw new NotKnown("?");
    },
    rootPath,
    missing: () => {},
  };
}
