/** Conflicts between fd's flags, reported in clap's words. */
import type { GivenKey, Occurrence, StaticInvocation } from "../../src/builtin/definition.ts";
import { clapSpelling, clapUsage } from "./clap-arguments.ts";
import { namedFlags, type NamedFlag } from "../../src/builtin/flag-names.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { flags } from "./flags.ts";

type Flags = typeof flags;
type Key = GivenKey<Flags>;

const PAIRS: readonly (readonly [Key, Key])[] = [
  ["glob", "fixedStrings"],
  ["exact", "glob"],
  ["exact", "fixedStrings"],
  ["listDetails", "absolutePath"],
  ["listDetails", "print0"],
  ["listDetails", "format"],
  ["listDetails", "exec"],
  ["listDetails", "execBatch"],
  ["execBatch", "exec"],
  ["exactDepth", "maxDepth"],
  ["exactDepth", "minDepth"],
  ["prune", "size"],
  ["prune", "exactDepth"],
  ["quiet", "maxResults"],
  ["stripCwdPrefix", "searchPath"],
];
/** Flags that run a command, and those that none of them goes with. */
const EXECS = ["exec", "execBatch", "listDetails"] as const satisfies readonly Key[];
const NOT_WITH_EXECS = ["maxResults", "quiet", "one"] as const satisfies readonly Key[];
const NOT_WITH_PATHS = ["searchPath", "stripCwdPrefix"] as const satisfies readonly Key[];

/** Throws UsageError where two flags do not go together, or one lacks another that it needs. */
export function checkConflicts({ name, occurrences, operands, flags: values }: StaticInvocation<Flags>): void {
  const inForce = (key: Key): boolean => {
    const value = values[key];
    return key === "batchSize" || key === "threads" || (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false);
  };
  const names = new Map(namedFlags(flags).map((named) => [named.key, named]));
  const used = inOrder(occurrences, (key) => Array.isArray(values[key])).filter(inForce);
  const named = (keys: readonly Key[]): readonly NamedFlag[] => keys.flatMap((key) => names.get(key) ?? []);
  for (const key of used) {
    const others = conflictsOf(key, used);
    const pathsConflict = operands.length > 1 && NOT_WITH_PATHS.some((other) => other === key);
    if (others.length === 0 && !pathsConflict) continue;
    const spelled = [...named(others).map(clapSpelling), ...(pathsConflict ? ["[path]..."] : [])];
    const shown = spelled.length === 1 ? ` '${spelled[0] ?? ""}'` : `:${spelled.map((other) => `\n  ${other}`).join("")}`;
    const subject = named([key]).map(clapSpelling).join("");
    const usage = clapUsage(name, named(used.filter((other) => !others.includes(other))), pathsConflict ? 1 : operands.length);
    throw new UsageError("unexpected-value", `the argument '${subject}' cannot be used with${shown}`, { subject, details: usage });
  }
  if (used.includes("batchSize") && !used.includes("execBatch")) {
    const missing = named(["execBatch"]);
    throw new UsageError("missing-value", "the following required arguments were not provided:", {
      subject: "--batch-size",
      details: `${missing.map((flag) => `  ${clapSpelling(flag)}\n`).join("")}${clapUsage(name, [...missing, ...named(used)], operands.length)}`,
    });
  }
}

/** The flags that were given, each where it was given last, or first where it `gathers` values. */
function inOrder(occurrences: readonly Occurrence<Flags>[], gathers: (key: Key) => boolean): readonly Key[] {
  const last = new Map<Key, number>();
  for (const [at, { key }] of occurrences.entries()) if (!gathers(key) || !last.has(key)) last.set(key, at);
  return [...last].sort(([, left], [, right]) => left - right).map(([key]) => key);
}

/** The flags in `used` that do not go with `key`, and for a group all of its flags. */
function conflictsOf(key: Key, used: readonly Key[]): readonly Key[] {
  const others = PAIRS.flatMap(([one, other]) => (one === key ? [other] : other === key ? [one] : [])).filter((other) =>
    used.includes(other),
  );
  if (NOT_WITH_EXECS.some((other) => other === key)) return EXECS.some((exec) => used.includes(exec)) ? [...others, ...EXECS] : others;
  if (EXECS.some((exec) => exec === key)) return [...others, ...NOT_WITH_EXECS.filter((other) => used.includes(other))];
  return others;
}
