/** The builtins by name. Checks every definition once, when it is built, so that a bad table stops the start. */
import type { BuiltinDefinition, Catalogue } from "./definition.ts";
import { namedFlags, type NamedFlag } from "./flag-names.ts";

export class Registry implements Catalogue {
  readonly #byName = new Map<string, BuiltinDefinition>();
  readonly #names: readonly string[];

  /** Throws where two definitions share a name, or where a definition contradicts itself. */
  constructor(definitions: Iterable<BuiltinDefinition>) {
    const sorted = [...definitions].sort((a, b) => compareNames(a.name, b.name));
    for (const definition of sorted) {
      checkDefinition(definition);
      for (const name of [definition.name, ...(definition.aliases ?? [])]) {
        if (this.#byName.has(name)) throw new Error(`two builtins answer to '${name}'`);
        this.#byName.set(name, definition);
      }
    }
    this.#names = sorted.map((definition) => definition.name);
  }

  find(name: string): BuiltinDefinition | undefined {
    return this.#byName.get(name);
  }

  names(): readonly string[] {
    return this.#names;
  }
}

/** By code unit: the same on every machine. */
const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function checkDefinition(definition: BuiltinDefinition): void {
  const { name, flags } = definition;
  const fail = (what: string): never => {
    throw new Error(`builtin '${name}': ${what}`);
  };
  if (!definition.summary.endsWith(".")) fail("its summary is no sentence");
  if (definition.operands.kind === "paths" || definition.operands.kind === "values") {
    const { min = 0, max = Infinity } = definition.operands;
    if (min > max) fail("it wants more operands than it takes");
  }
  const named = namedFlags(flags);
  if (definition.syntax === "raw" && named.length > 0) fail("its syntax is raw, so its flags can never be given");
  const letters = new Map<string, string>();
  const longNames = new Map<string, string>();
  for (const flag of named) {
    if (flag.letters.length === 0 && flag.longNames.length === 0) fail(`flag '${flag.key}' has no spelling`);
    for (const letter of flag.letters) claim(letters, letter, flag.key, `-${letter}`, fail);
    for (const long of flag.longNames) claim(longNames, long, flag.key, `--${long}`, fail);
    for (const letter of flag.letters) if (letter === "-" || letter === "=") fail(`flag '${flag.key}': '-${letter}' cannot be typed`);
    for (const long of flag.longNames) if (long === "" || long.includes("=")) fail(`flag '${flag.key}': '--${long}' cannot be typed`);
    checkOverrides(flag, flags, fail);
  }
  if ("unless" in definition.operands) {
    for (const key of definition.operands.unless ?? [])
      if (!Object.hasOwn(flags, key)) fail(`its operands depend on '${key}', which is no flag`);
  }
}

function claim(taken: Map<string, string>, spelling: string, key: string, shown: string, fail: (what: string) => never): void {
  const other = taken.get(spelling);
  if (other !== undefined) fail(`flags '${other}' and '${key}' both answer to ${shown}`);
  taken.set(spelling, key);
}

function checkOverrides({ key, flag }: NamedFlag, flags: BuiltinDefinition["flags"], fail: (what: string) => never): void {
  if (flag.kind !== "switch" && flag.kind !== "value") return;
  for (const other of flag.overrides ?? []) {
    if (!Object.hasOwn(flags, other)) fail(`flag '${key}' overrides '${other}', which is no flag`);
  }
}
