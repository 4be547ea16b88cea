/** The tables of flags as the lists that `git --help` and docs/builtins/git.md show. */
import type { FlagReason, Subcommand, Subcommands } from "../../../src/builtin/subcommands.ts";
import { DIFF_FLAGS } from "../diff/diff-flags.ts";
import { PRETTY_FLAGS, WALK_FLAGS } from "../log/walk-flags.ts";
import { FILTER_FLAGS } from "../refs/ref-filter.ts";
import { COMMANDS, NEAREST, REFUSED } from "./commands.ts";
import type { Flag, FlagTable } from "./flags.ts";

const FAMILIES: readonly (readonly [name: string, table: FlagTable])[] = [
  ["flags of differences", DIFF_FLAGS],
  ["flags of histories", WALK_FLAGS],
  ["flags of commits", PRETTY_FLAGS],
  ["flags of references", FILTER_FLAGS],
];

export function flagLists(): Subcommands {
  return {
    families: FAMILIES.map(([name, table]) => listed(name, table, [])),
    commands: [...COMMANDS].map(([name, { flags }]) =>
      listed(
        name,
        flags,
        FAMILIES.filter(([, family]) => holds(flags, family)),
      ),
    ),
    refused: [
      ...together([...REFUSED].map(([name, [why, instead]]) => ({ flags: [name], why, instead }))),
      ...[...NEAREST].map(([name, instead]) => ({ flags: [name], why: "it is not done here; this comes nearest", instead })),
    ].map(({ flags, why, instead }) => ({ names: flags, why, instead: instead ?? "" })),
  };
}

/** A command has a family's flags if it knows them all, and reads most of them as the family does. */
function holds(table: FlagTable, family: FlagTable): boolean {
  const names = Object.keys(family);
  return (
    names.every((name) => Object.hasOwn(table, name)) && names.filter((name) => table[name] === family[name]).length * 2 > names.length
  );
}

function listed(name: string, table: FlagTable, families: typeof FAMILIES): Subcommand {
  const own = Object.entries(table).filter(([flag, of]) => families.every(([, family]) => family[flag] !== of));
  const reasons = (kind: Flag["kind"]): FlagReason[] =>
    together(
      own.flatMap(([flag, of]) => {
        if (of.kind !== kind || of.kind === "read") return [];
        return [of.kind === "refused" ? { flags: [flag], why: of.why, instead: of.instead } : { flags: [spelled(flag, of)], why: of.why }];
      }),
    );
  return {
    name,
    flags: own.flatMap(([flag, of]) => (of.kind === "read" ? [spelled(flag, of)] : [])),
    families: families.map(([family]) => family),
    withoutEffect: reasons("no effect"),
    refused: reasons("refused").map((reason) => ({ ...reason, flags: inFamilies(reason.flags) })),
  };
}

/** Flags that are a whole family are told by its name. */
function inFamilies(flags: readonly string[]): string[] {
  const whole = FAMILIES.filter(([, family]) => Object.keys(family).every((name) => flags.includes(name)));
  const rest = flags.filter((flag) => !whole.some(([, family]) => Object.hasOwn(family, flag)));
  return [...whole.map(([name]) => `[${name}]`), ...rest];
}

function spelled(name: string, flag: Flag): string {
  const isLong = name.startsWith("--");
  switch (flag.kind === "refused" ? "nothing" : flag.takes) {
    case "nothing":
      return name;
    case "value":
      return isLong ? `${name}=VALUE` : `${name} VALUE`;
    case "optional":
      return isLong ? `${name}[=VALUE]` : `${name}[VALUE]`;
    case "next":
      return `${name} [VALUE]`;
  }
}

/** Flags of the same reason in one row. */
function together(reasons: readonly FlagReason[]): FlagReason[] {
  const rows = new Map<string, FlagReason>();
  for (const reason of reasons) {
    const key = `${reason.why}\n${reason.instead}`;
    rows.set(key, { ...reason, flags: [...(rows.get(key)?.flags ?? []), ...reason.flags] });
  }
  return [...rows.values()];
}
