/** Flag defaults, and occurrences → values; compiled once per definition. */
import type { Flag, FlagTable, FlagValues, Occurrence } from "./definition.ts";
import { namedFlags, type NamedFlag } from "./flag-names.ts";

interface KnownTable {
  readonly named: readonly NamedFlag[];
  readonly byKey: ReadonlyMap<string, Flag>;
  /** The value of each flag that is not given. */
  readonly absent: Readonly<Record<string, unknown>>;
}

const known = new WeakMap<FlagTable, KnownTable>();

export const flagsOf = (table: FlagTable): readonly NamedFlag[] => tableOf(table).named;

export function valuesOf(table: FlagTable, occurrences: readonly Occurrence[]): FlagValues<FlagTable> {
  const { byKey, absent } = tableOf(table);
  // A literal, because an object made without a prototype by Object.create is copied key by key.
  const values: Record<string, unknown> = { __proto__: null, ...absent };
  for (const { key, value } of occurrences) {
    const flag = byKey.get(key);
    if (flag === undefined) continue;
    values[key] = isRepeated(flag) ? [...(values[key] as unknown[]), value] : value;
    if (flag.kind === "switch" || flag.kind === "value") {
      for (const other of flag.overrides ?? []) if (other !== key) values[other] = absent[other];
    }
  }
  return values as FlagValues<FlagTable>;
}

function tableOf(table: FlagTable): KnownTable {
  let found = known.get(table);
  if (found === undefined) {
    const named = namedFlags(table);
    const absent = named.map(({ key, flag }): [string, unknown] => [key, absentValue(flag)]);
    found = { named, byKey: new Map(named.map(({ key, flag }) => [key, flag])), absent: Object.fromEntries(absent) };
    known.set(table, found);
  }
  return found;
}

function absentValue(flag: Flag): unknown {
  if (flag.kind === "switch") return false;
  if (isRepeated(flag)) return [];
  return flag.kind === "value" ? flag.otherwise : undefined;
}

const isRepeated = (flag: Flag): boolean =>
  flag.kind === "command" || ((flag.kind === "value" || flag.kind === "path") && flag.repeats === true);

declare const unread: unique symbol;
/** The value of a flag that is refused, or has no effect: of no use, and no other flag's value is of this type. */
export type Unread = { readonly [unread]: true };

/**
 * The compiler's proof that a tool reads each of its flags: it takes the values that remain once those that the tool reads
 * were taken out (`const { all, number, ...others } = flags; allFlagsRead(others)`). A flag that is added to the table and
 * nowhere else is a compile error; refused and `unread` ones pass.
 */
export function allFlagsRead<T>(_others: T & NoneLeft<T>): void {}

/** Neither keys that are not known one by one nor a value of type `any` passes: either would hide a flag. */
type NoneLeft<T> = string extends keyof T ? never : { readonly [K in keyof T]: IsAny<T[K]> extends true ? never : Unread };
type IsAny<T> = 0 extends 1 & T ? true : false;

/** The same proof for a tool that reads occurrences in order: called in the `default` of a switch over their keys. */
export function noFlagLeft(_occurrence: never): void {}
