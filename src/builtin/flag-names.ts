/** Spellings of a flag table's entries on the command line. */
import type { Flag, FlagTable } from "./definition.ts";

/** One flag with every spelling it answers to. */
export interface NamedFlag {
  readonly key: string;
  readonly flag: Flag;
  /** Single letters, without the dash. */
  readonly letters: readonly string[];
  /** Long names, without the dashes; the first is the canonical one. */
  readonly longNames: readonly string[];
}

export function namedFlags(table: FlagTable): NamedFlag[] {
  return Object.entries(table).map(([key, flag]) => ({
    key,
    flag,
    letters: [...(flag.short ?? "")],
    longNames: flag.long === false ? [] : flag.long === undefined ? [kebab(key)] : typeof flag.long === "string" ? [flag.long] : flag.long,
  }));
}

const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function takesValue({ flag }: NamedFlag): boolean {
  return flag.kind === "value" || flag.kind === "path" || (flag.kind === "refused" && flag.arg !== undefined);
}

/** True if the flag may stand without its value. */
export function valueMayBeAbsent({ flag }: NamedFlag): boolean {
  return (flag.kind === "value" && "ifBare" in flag) || (flag.kind === "refused" && flag.argOptional === true);
}
