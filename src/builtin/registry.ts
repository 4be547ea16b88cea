/** Registry of the builtins by name and alias; a definition is loaded, and checked, when it is first needed. */
import type { BuiltinTopic, Catalogue } from "./catalogue.ts";
import type { BuiltinDefinition } from "./definition.ts";
import { namedFlags, type NamedFlag } from "./flag-names.ts";

/** "bash": a shell has them. "coreutils": GNU's, those that read or print. */
export type BuiltinGroup = "bash" | "coreutils";

/** A builtin whose code is read when a line needs it, with the facts that are needed before. */
export interface LazyBuiltin {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The well-known set that it is named with in the tool's description, which every conversation pays for. */
  readonly group?: BuiltinGroup;
  /** The part of `help` that it is listed in. */
  readonly topic: BuiltinTopic | undefined;
  /** True if it writes files. */
  readonly writes?: true;
  readonly load: () => Promise<BuiltinDefinition>;
}

/** Thrown by `Registry.find`; caught by `Registry.whenLoaded` alone. */
class NotLoaded extends Error {
  readonly builtin: string;

  constructor(builtin: string) {
    super(`the builtin '${builtin}' is not loaded`);
    this.builtin = builtin;
  }
}

export class Registry implements Catalogue {
  readonly #byName = new Map<string, LazyBuiltin>();
  readonly #loaded = new Map<LazyBuiltin, BuiltinDefinition>();
  readonly #names: readonly string[];

  /** Throws where two builtins share a name, or where a definition contradicts itself. */
  constructor(builtins: Iterable<LazyBuiltin | BuiltinDefinition>) {
    const entries: LazyBuiltin[] = [];
    for (const builtin of builtins) {
      const entry = "load" in builtin ? builtin : lazy(builtin);
      if (entry !== builtin) this.#keep(entry, builtin as BuiltinDefinition);
      entries.push(entry);
      for (const name of [entry.name, ...(entry.aliases ?? [])]) {
        if (this.#byName.has(name)) throw new Error(`two builtins answer to '${name}'`);
        this.#byName.set(name, entry);
      }
    }
    this.#names = entries.map(({ name }) => name).sort(compareNames);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The definition of a name; undefined where no builtin has it. Only within `whenLoaded`, which loads the builtins asked for. */
  find(name: string): BuiltinDefinition | undefined {
    const entry = this.#byName.get(name);
    if (entry === undefined) return undefined;
    const definition = this.#loaded.get(entry);
    if (definition === undefined) throw new NotLoaded(name);
    return definition;
  }

  async load(name: string): Promise<BuiltinDefinition | undefined> {
    const entry = this.#byName.get(name);
    if (entry === undefined) return undefined;
    return this.#loaded.get(entry) ?? this.#keep(entry, await entry.load());
  }

  /** Gives the result of `work`, which is begun again after each builtin that must be loaded for it: it must have no effects. */
  async whenLoaded<T>(work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof NotLoaded)) throw thrown;
        await this.load(thrown.builtin);
      }
    }
  }

  #keep(entry: LazyBuiltin, definition: BuiltinDefinition): BuiltinDefinition {
    checkDefinition(definition);
    this.#loaded.set(entry, definition);
    return definition;
  }

  names(): readonly string[] {
    return this.#names;
  }

  topic(name: string): BuiltinTopic | undefined {
    return this.#byName.get(name)?.topic;
  }
}

function lazy(definition: BuiltinDefinition): LazyBuiltin {
  const { name, aliases = [] } = definition;
  return {
    name,
    aliases,
    topic: undefined,
    ...(isWriter(definition) ? { writes: true as const } : {}),
    load: async () => definition,
  };
}

/** True if it makes, moves or removes files. */
const changesTree = ({ writes, operands }: BuiltinDefinition): boolean =>
  writes === "tree" || (operands.kind === "paths" && operands.change !== undefined);

export const isWriter = ({ operands, writes }: BuiltinDefinition): boolean =>
  writes !== undefined || (operands.kind === "paths" && operands.access === "write");

/** True if it writes whole contents and nothing else (tee, undo): such a builtin is there where the policy is strict, too. */
export const writesContent = (definition: BuiltinDefinition): boolean => isWriter(definition) && !changesTree(definition);

/** Order by code unit, which is the same on every machine. */
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
