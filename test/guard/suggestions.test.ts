/**
 * Every suggestion does what it says: what the guard and the argument parsers can refuse is refused here in a small
 * workspace, and each line that is suggested is put through the guard and, where it writes nothing, run.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import type { BuiltinDefinition, OperandShape } from "../../src/builtin/definition.ts";
import { namedFlags, type NamedFlag } from "../../src/builtin/flag-names.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { foreignNames } from "../../src/guard/foreign-commands.ts";
import { callRules, stageRules, syntaxRules } from "../../src/guard/rules.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

const allBuiltins = await loadBuiltins();

/** Names that the lines below, and the tables of the builtins, use. */
const TREE = [
  ...["a", "b", "f", "x", "a.txt", "b.txt", "in.txt", "app.log", "one", "two", "file"].map((name) => `${name}: one 1\ntwo 2\nthree 3\n`),
  "src/a.ts: x\n",
  "src/b.ts: x\n",
  "d/x: x\n",
  'a.json: {"a": 1}\n',
];

let place: Tree;
/** What the mounts of examples are. */
let beside: Tree;
beforeAll(() => {
  place = tree(TREE);
  beside = tree(["a.txt: x\n"]);
});
afterAll(() => {
  place.remove();
  beside.remove();
});

/** Failures of the suggestions for `lines`: none, if all is well. `suggested`: number of different suggestions that were tried. */
async function failures(lines: Iterable<string>, policy: Partial<Policy> = {}): Promise<{ failed: readonly string[]; suggested: number }> {
  const mounts = policy.mounts?.map((mount) => ({ ...mount, directory: beside.path }));
  const given = { ...DEFAULT_POLICY, ...policy, ...(mounts === undefined ? {} : { mounts }) };
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: given, limits: { timeMs: 10_000 } });
  const failed: string[] = [];
  const suggestions = new Map<string, string>();
  try {
    for (const line of lines) {
      const assessment = await shell.newSession().assess(line);
      for (const { command } of assessment.alternatives) if (!suggestions.has(command)) suggestions.set(command, line);
    }
    for (const [suggestion, line] of suggestions) {
      const wrong = await whatIsWrong(shell, filledIn(suggestion));
      if (wrong !== undefined) failed.push(`${line}\n  try: ${suggestion}\n  ${wrong}`);
    }
    return { failed, suggested: suggestions.size };
  } finally {
    await shell.close();
  }
}

/** Words in capitals stand for names. */
const filledIn = (line: string): string =>
  line
    .replace(/\bFILE\b/g, "a.txt")
    .replace(/\bDIR\b/g, "src")
    .replace(/\bPATTERN\b/g, "x");

async function whatIsWrong(shell: Shell, line: string): Promise<string | undefined> {
  const session = shell.newSession();
  const { allowed, denial_reason: reason, stages } = await session.assess(line);
  if (!allowed) return `refused: ${reason ?? ""}`;
  if (stages.some(({ writes, writes_unknown: unknown }) => writes.length > 0 || unknown)) return undefined;
  const { result, stderr } = await session.run(line, { stdin: "x 1\n", keepBytes: 1 << 16 });
  if (result.kind !== "completed") return JSON.stringify(result);
  const said = stderr.toString();
  // Outside a repository `git diff` prints its usage, too.
  return USAGE.test(said) && !said.startsWith("warning: Not a git repository") ? said : undefined;
}

/** Messages of the tools about arguments that they cannot read. */
const USAGE =
  /Try '.*--help'|try '--help'|usage:|(in|un)valid option|unrecognized option|unknown (option|predicate|primary)|missing operand|extra operand|command not found/i;

describe("the examples of each rule", () => {
  test.each([...syntaxRules, ...callRules, ...stageRules])("$id", async ({ refuses, under = {} }) => {
    expect(
      (
        await failures(
          refuses.map(({ line }) => line),
          under as Partial<Policy>,
        )
      ).failed,
    ).toEqual([]);
  });
});

test("commands that are none", async () => {
  const lines = foreignNames().flatMap((name) => [
    name,
    `${name} a.txt`,
    `${name} a.txt b.txt`,
    `${name} -x a.txt`,
    `${name} -r src x`,
    `${name} ls -l`,
    `${name} -n 5 ls -l | wc -l`,
    `${name} 5 grep -rn x .`,
    `${name} -c 'ls | wc -l'`,
    `${name} install x`,
    `${name} -p new/dir`,
    `${name} x=1`,
    `${name} --version`,
    `cat a.txt | ${name}`,
  ]);
  const { failed, suggested } = await failures(lines);
  expect(failed).toEqual([]);
  expect(suggested).toBeGreaterThan(50);
});

describe("flags", () => {
  test.each(allBuiltins.map((definition) => ({ name: definition.name, definition })))("of $name", async ({ definition }) => {
    expect((await failures(badCalls(definition))).failed).toEqual([]);
  });
});

/** Calls with each refused flag, and with what the parser refuses. */
function badCalls(definition: BuiltinDefinition): readonly string[] {
  const { name, flags, operands } = definition;
  const rest = operandsOf(operands);
  const typed = quoteWord(name);
  const calls = [`${typed} --zzz ${rest}`, `${typed} -Ω`, typed, `${typed} ${rest} ${rest} ${rest}`, `${typed} --hel`];
  for (const named of namedFlags(flags)) {
    const { flag } = named;
    for (const spelling of spellingsOf(named)) {
      const joint = spelling.startsWith("--") ? "=" : "";
      if (flag.kind === "refused") {
        const value = flag.arg === undefined || flag.argOptional === true ? "" : " new.txt";
        calls.push(`${typed} ${spelling}${value} ${rest}`, `${typed} ${spelling}${value}`);
        if (flag.arg !== undefined) calls.push(`${typed} ${spelling}${joint}new.txt ${rest}`);
      }
      if (flag.kind === "value") calls.push(`${typed} ${spelling}${joint}'no such value' ${rest}`);
      if (flag.kind === "value" || flag.kind === "path") calls.push(`${typed} ${spelling}`);
      if (flag.kind === "switch" && spelling.startsWith("--")) calls.push(`${typed} ${spelling}=1 ${rest}`);
    }
  }
  return calls;
}

const spellingsOf = ({ letters, longNames }: NamedFlag): readonly string[] => [
  ...[...letters].map((letter) => `-${letter}`),
  ...longNames.map((long) => `--${long}`),
];

function operandsOf(shape: OperandShape): string {
  switch (shape.kind) {
    case "none":
      return "";
    case "values":
      return "a";
    case "paths":
      return shape.min === 2 ? "a.txt b.txt" : shape.access === "write" ? "new.txt" : "a.txt";
    case "pattern-then-paths":
      return "x a.txt";
    case "program-then-paths":
      return ". a.txt";
  }
}

test("constructs of the shell that are left out", async () => {
  const lines = [
    ...["ls > x", "ls >> x", "ls >| x", "ls 2> x", "ls &> x", "ls &>> x", "ls > x 2>&1", "cat <> a.txt", "ls 4>&3"],
    ...["cat a.txt > x | wc -l", "ls | wc -l > x", "( ls ; pwd ) > x", "for f in *.txt; do cat $f; done > x"],
    ...["if ls; then pwd; fi > x", "> x", "echo a > x; cat x", "ls | tee >(wc -l)", "exec > x"],
    ...[
      "ls &",
      "ls & pwd",
      "export() { ls; }",
      "function local { ls; }",
      "time time ls",
      "coproc ls",
      "select x in a; do ls; done",
      "a=(1 2)",
      "echo ${a[0]}",
    ],
    ...[
      "echo ${!x}",
      "echo $[1+1]",
      "echo $!",
      "echo $RANDOM",
      "echo $SECONDS",
      "ls ~root",
      "ls !(a)",
      "echo {a..Z}",
      "echo `echo \\`ls\\``",
      "readonly",
    ],
    ...[
      "echo 'a",
      'echo "a',
      "ls |",
      "| ls",
      "ls &&",
      "( ls",
      "if ls; then pwd",
      "echo $(ls",
      "cat <<E\nx",
      "ls ;; pwd",
      "}",
      "done",
      "for x",
    ],
    ...[
      "source a.txt",
      ". a.txt",
      "eval ls -l",
      "trap ls EXIT",
      "exec ls",
      "alias a=b",
      "set -x",
      "declare -a x",
      "local x=1",
      "[ a",
      "[[ a ]",
      "cd src | ls",
    ],
  ];
  const { failed, suggested } = await failures(lines);
  expect(failed).toEqual([]);
  expect(suggested).toBeGreaterThan(15);
});

test("rows of the builtins' own tables that are refused", async () => {
  const directory = fileURLToPath(new URL("../builtins", import.meta.url));
  const lines = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => refusedRows(readFileSync(join(directory, file), "utf8")));
  const { failed, suggested } = await failures(lines);
  expect(failed).toEqual([]);
  expect(suggested).toBeGreaterThan(50);
});

/** The commands of rows that carry `refused:`, read off the source. */
function refusedRows(source: string): readonly string[] {
  const found: string[] = [];
  let command: string | undefined;
  for (const [, key, quoted] of source.matchAll(/\b(command|refused):\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g)) {
    if (key === "command") command = unquoted(quoted as string);
    else if (command !== undefined) found.push(command);
  }
  return found;
}

const unquoted = (source: string): string =>
  source.startsWith('"') ? (JSON.parse(source) as string) : source.slice(1, -1).replace(/\\(.)/g, "$1");
