/**
 * Small definitions for the guard's own tests: what the guard must know of a builtin is in its definition, so these
 * are enough, and the tests do not change with the real ones.
 */
import { defineBuiltin, type BuiltinDefinition, type FlagTable, type OperandShape } from "../../src/builtin/definition.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { policyContext } from "../../src/guard/policy-context.ts";
import type { GuardContext } from "../../src/guard/rule.ts";

function standIn(name: string, operands: OperandShape, flags: FlagTable = {}, more: Partial<BuiltinDefinition> = {}): BuiltinDefinition {
  return defineBuiltin({
    name,
    summary: `Stand in for ${name}.`,
    standard: "none",
    reference: "nothing",
    operands,
    flags,
    examples: [{ command: name, stdout: "" }],
    async *run() {
      yield* [];
      return 0;
    },
    ...more,
  });
}

const paths: OperandShape = { kind: "paths", access: "read" };
const values: OperandShape = { kind: "values" };

function letters(named: Readonly<Record<string, string>>): FlagTable {
  return Object.fromEntries(Object.entries(named).map(([key, short]) => [key, { kind: "switch", short, help: key }]));
}

const lines: FlagTable = {
  lines: {
    kind: "value",
    short: "n",
    arg: "NUM",
    help: "lines",
    otherwise: undefined,
    read(text) {
      if (!/^[+-]?\d+$/.test(text)) throw new BadValue(`invalid number of lines: ‘${text}’`);
      return text;
    },
  },
};

export const standIns: readonly BuiltinDefinition[] = [
  standIn("cat", paths, letters({ number: "n" })),
  standIn("head", paths, lines),
  standIn("tail", paths, {
    ...lines,
    follow: {
      kind: "refused",
      short: "f",
      help: "follow",
      reason: "tail -f never ends, and a pipeline here must finish",
      suggestion: (rest) => ["tail -n 200", ...rest].join(" "),
    },
  }),
  standIn("wc", paths, letters({ lines: "l", words: "w", bytes: "c" })),
  standIn("cut", paths, letters({ characters: "c" })),
  standIn("less-than", paths, { output: { kind: "path", short: "o", arg: "FILE", access: "write", help: "write there" } }),
  standIn("ls", { kind: "paths", access: "status" }, letters({ long: "l", all: "a", directory: "d", recursive: "R", almostAll: "A" })),
  standIn("tr", { kind: "values", min: 2, max: 2 }, letters({ delete: "d" })),
  standIn("tee", { kind: "paths", access: "write" }, letters({ append: "a" })),
  standIn(
    "grep",
    { kind: "pattern-then-paths", unless: ["regexp", "file"] },
    {
      ...letters({ ignoreCase: "i", recursive: "r", lineNumber: "n", extended: "E", filesWithMatches: "l", wordRegexp: "w" }),
      regexp: { kind: "value", short: "e", arg: "PATTERN", read: String, otherwise: [], repeats: true, help: "pattern" },
      file: { kind: "path", short: "f", arg: "FILE", access: "read", help: "patterns" },
      include: { kind: "value", arg: "GLOB", read: String, otherwise: [], repeats: true, help: "files" },
      exclude: { kind: "value", arg: "GLOB", read: String, otherwise: [], repeats: true, help: "files" },
      afterContext: { kind: "value", short: "A", arg: "NUM", read: String, otherwise: undefined, help: "context" },
    },
    { aliases: ["egrep", "fgrep"], usageExit: 2 },
  ),
  standIn("cd", { kind: "paths", access: "status", max: 1 }, {}, { navigates: "operand" }),
  standIn("pwd", values),
  standIn("set", values, {}, { syntax: "raw", sharesShell: "needs", setsPositional: true }),
  standIn("true", values, {}, { syntax: "raw" }),
  standIn("rm", { kind: "paths", access: "write", change: "remove" }),
  standIn("help", values),
  standIn("echo", values, {}, { syntax: "raw" }),
  standIn("printf", values, {}, { syntax: "raw" }),
  standIn(
    "awk",
    { kind: "program-then-paths" },
    {},
    {
      check({ operands }) {
        if (operands[0]?.includes("{{") === true)
          throw new UsageError("bad-program", "syntax error near {{", { argument: 0, subject: "{{" });
      },
      effects({ operands }) {
        const program = operands[0] ?? "";
        if (/system\((?!"[^"]*"\))/.test(program)) return [{ kind: "run", what: "system()", operand: 0, suggestion: "awk '{print}'" }];
        const written = /> "(.*)"/.exec(program)?.[1];
        return written === undefined ? [] : [{ kind: "write", path: written, operand: 0 }];
      },
    },
  ),
];

export const ROOT = "/home/me/project";

/** A plain session at the root of a workspace with nothing known about its files. */
export function context(
  changes: Partial<GuardContext> = {},
  policy: Partial<Policy> = {},
  builtins: readonly BuiltinDefinition[] = standIns,
): GuardContext {
  return {
    ...policyContext(builtins, { ...DEFAULT_POLICY, ...policy }),
    currentDirectory: "",
    rootPath: ROOT,
    mountOf: (path) => policy.mounts?.find(({ name }) => path === name || path.startsWith(`${name}/`))?.name,
    insideRoot: (path) => path === ROOT || path.startsWith(`${ROOT}/`),
    look: {
      expand: () => [],
      real: () => undefined,
      target: (path) => (path.startsWith("leaving/") ? { kind: "outside" } : { kind: "new", path }),
      entry: (path) => ({ kind: path.startsWith("leaving/") ? "outside" : "unwritable" }),
      recorded: () => [],
      hasRecords: () => false,
      programFault: () => undefined,
      isReadDenied: () => false,
      gitDirectory: () => undefined,
    },
    ...changes,
  };
}
