/** Named pipelines: what a call becomes, that no value is ever syntax, and which definitions stop the start. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type NamedPipeline } from "../../src/config/policy.ts";
import { LocalRunner } from "../../src/exec/local-runner.ts";
import type { RunResult } from "../../src/exec/result.ts";
import { inputOf } from "../../src/io/input.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toText } from "../../src/io/text.ts";
import { definitionProblem } from "../../src/shell/named-pipeline.ts";
import { tree } from "../tree.ts";

const named = (command: string, ...keys: string[]): NamedPipeline => ({
  command,
  description: "",
  arguments: Object.fromEntries(keys.map((key) => [key, ""])),
});

const PIPELINES: Readonly<Record<string, NamedPipeline>> = {
  errors: { ...named("tail -n ${n} ${file} | rg ERROR", "n", "file"), arguments: { n: "how many", file: "" } },
  show: named("printf '<%s>' ${v}", "v"),
  inside: named('printf "<%s>" "a ${v} $(printf %s "${v}")"', "v"),
  joined: named("printf '<%s>' pre${v}post --x=${v}", "v"),
  here: named("cat <<EOF\n${v}\nEOF", "v"),
  set: named('x=${v}; printf "<%s>" "$x"', "v"),
  each: named('for f in ${dir}/*.log; do cat "$f"; done', "dir"),
  test: named('[[ abc == ${v} ]] && echo matched || echo "not matched"', "v"),
  copy: named("cat ${from} | tee ${to}", "from", "to"),
  leave: named("cd ${dir} && x=1 && pwd", "dir"),
  found: named("find ${dir} -name '*.log'", "dir"),
  fixed: named("cat /etc/passwd"),
  remove: named("chmod ${f}", "f"),
  zone: named("date -d @0 +%H"),
};

const FILES = ["app.log: ok\nERROR a\nERROR b\n", "d/", "d/x.log: x\n", "-n: dash\n"];

let place: ReturnType<typeof tree>;
let runner: LocalRunner;
beforeAll(() => {
  place = tree(FILES);
  runner = new LocalRunner({ root: place.path, aliases: [], policy: { ...DEFAULT_POLICY, pipelines: PIPELINES }, timeZone: "UTC" });
});
afterAll(async () => {
  await runner.close();
  place.remove();
});

async function run(line: string): Promise<{ result: RunResult; stdout: string; stderr: string }> {
  const texts = { stdout: "", stderr: "" };
  const result = await runner.run(
    { line, currentDirectory: "", previousDirectory: undefined, session: "s", client: "c" },
    {
      stdin: inputOf(),
      stdout: (block) => void (texts.stdout += toText(block)),
      stderr: (block) => void (texts.stderr += toText(block)),
    },
    new AbortController().signal,
  );
  return { result, ...texts };
}

async function refusal(line: string): Promise<{ reason: string; detail: string; at: string; suggestion: string | undefined }> {
  const { result } = await run(line);
  if (result.kind !== "refused") throw new Error(`${result.kind}, and not refused`);
  const { reason, detail, position, suggestion } = result.violations[0];
  return { reason, detail, at: line.slice(position?.start, position?.end), suggestion };
}

describe("a call is a stage", () => {
  test.each<[string, string, string]>([
    ["alone", "@errors n=1 file=app.log", "ERROR b\n"],
    ["in a pipeline", "@errors file=app.log n=2 | wc -l", "2\n"],
    ["behind another", "echo app.log | while read -r f; do @errors n=1 file=$f; done", "ERROR b\n"],
    ["in a substitution", 'echo "$(@errors n=1 file=app.log)"', "ERROR b\n"],
    ["in a list, its status deciding", "@errors n=1 file=nope 2>/dev/null || echo none", "none\n"],
    ["its output thrown away", "@errors n=1 file=app.log >/dev/null", ""],
    ["with a call for a value", '@show v="$(@errors n=1 file=app.log)"', "<ERROR b>"],
    ["a value beside a pattern", "@each dir=d", "x\n"],
    ["a pattern as a value is text", "@each dir='*'", ""],
    ["a variable for it alone", "TZ=Asia/Tokyo @zone; @zone", "09\n00\n"],
    ["what it sets and where it goes are its own", '@leave dir=d >/dev/null; echo "[$x]"; ls d', "[]\nx.log\n"],
  ])("%s", async (_, line, stdout) => {
    const outcome = await run(line);
    expect(outcome.result.kind).toBe("completed");
    expect(outcome.stdout).toBe(stdout);
  });

  test("reports and audit tell what was typed and what ran", async () => {
    const { result } = await run("@copy from=app.log to='new file' | wc -l");
    expect(result).toMatchObject({ kind: "completed", expandedLine: "( cat app.log | tee 'new file' ) | wc -l" });
    if (result.kind !== "completed") return;
    expect(result.stages.map(({ command }) => command)).toEqual([
      "@copy from=app.log to='new file'",
      "wc -l",
      "cat app.log",
      "tee 'new file'",
    ]);
    expect(result.receipts.map(({ path }) => path)).toEqual(["new file"]);
    expect((await run("cat .shelpa/@/journal.jsonl")).stdout).toMatch(
      /"command":"@copy from=app.log to='new file' \| wc -l","ran":"\( cat app.log \| tee 'new file' \) \| wc -l"/,
    );
  });
});

const ATTACKS = [
  "; rm -rf /",
  "$(cat /etc/passwd)",
  "`cat /etc/passwd`",
  "| tee f",
  "a\nrm b",
  "\n",
  "",
  " ",
  "a  b",
  "'",
  '"',
  "'; echo '",
  '"; echo "',
  "\\",
  "${v}",
  "$v",
  "${HOME}",
  "$((1+1))",
  "*",
  "?*[a-z]",
  "{a,b}",
  "~",
  "~/x",
  "#",
  "&",
  "> f",
  "<<EOF",
  "EOF",
  "!",
  "=",
  "v=v",
  "%s%n",
  "日本語",
  "\u202eevil",
  "\u{1f600}",
  "é",
  "a\tb",
];

describe("a value is never syntax", () => {
  test.each(ATTACKS.map((value) => [JSON.stringify(value), value] as const))("%s", async (_, value) => {
    const call = (name: string): string => `@${name} v=${value === "" ? "''" : `$'${[...value].map(escaped).join("")}'`}`;
    expect((await run(call("show"))).stdout).toBe(`<${value}>`);
    const substituted = value.replace(/\n+$/, "");
    expect((await run(call("inside"))).stdout).toBe(`<a ${value} ${substituted}>`);
    expect((await run(call("joined"))).stdout).toBe(`<pre${value}post><--x=${value}>`);
    expect((await run(call("here"))).stdout).toBe(`${value}\n`);
    expect((await run(call("set"))).stdout).toBe(`<${value}>`);
  });
  test("any text", { timeout: 60_000 }, async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 }).filter((value) => !/^-|[\0\r]/.test(value) && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect((await run(`@show v=${quoteWord(value)}`)).stdout).toBe(`<${value}>`);
      }),
      { numRuns: 100 },
    );
  });
  test("a NUL", async () => expect(await refusal("@show v='a\0b'")).toMatchObject({ reason: "PARSE" }));
  test("a pattern in a value matches itself alone", async () => {
    expect((await run("@test v='*'")).stdout).toBe("not matched\n");
    expect((await run("@test v=abc")).stdout).toBe("matched\n");
  });
  test("a dash in front of an operand makes no flag of it", async () => {
    expect((await run("@errors n=1 file=-n")).stderr).toBe("");
    expect((await run("@errors n=1 file=-f")).stderr).toBe("tail: cannot open '-f' for reading: No such file or directory\n");
    expect((await run("f=-f; @errors n=1 file=$f")).stderr).toBe("tail: cannot open '-f' for reading: No such file or directory\n");
  });
  test("where a command reads its flags itself, such a value is refused", async () => {
    expect(await refusal("@found dir=-print")).toMatchObject({ reason: "BAD_VALUE", at: "-print" });
    expect(await refusal('d=$(echo -print); @found dir="$d"')).toMatchObject({ reason: "BAD_VALUE" });
  });
});

const escaped = (character: string): string => (/[\\']/.test(character) ? `\\${character}` : character === "\n" ? "\\n" : character);

describe("what is refused, and where", () => {
  const usage = "Its arguments, each once as key=value: n (how many), file.";
  test.each<[string, string, { detail: string; at: string; suggestion?: string | undefined; reason?: string }]>([
    ["a missing argument", "@errors n=1", { detail: `@errors is called without 'file'. ${usage}`, at: "@errors n=1" }],
    ["one too many", "@errors n=1 file=a x=2", { detail: `@errors has no argument 'x'. ${usage}`, at: "x=2" }],
    ["one of an object", "@errors n=1 __proto__=2 file=a", { detail: `@errors has no argument '__proto__'. ${usage}`, at: "__proto__=2" }],
    ["no key", "@errors 1 a", { detail: `'1' is not key=value. ${usage}`, at: "1" }],
    [
      "a repeated one",
      "@errors n=1 n=2 file=a",
      { detail: `'n' is given more than once, and a value is one text: no list and no object. ${usage}`, at: "n=2" },
    ],
    [
      "an object",
      '@errors file=a n={"a":1,"b":2}',
      { detail: `'n' is given more than once, and a value is one text: no list and no object. ${usage}`, at: 'n={"a":1,"b":2}' },
    ],
    [
      "an array",
      "@errors file=a n=[1,2]",
      {
        detail: `'n=[1,2]' is a pattern, and a value is one text: no list and no object. Quote it to have the characters themselves, or call @errors in a for loop. ${usage}`,
        at: "n=[1,2]",
      },
    ],
    [
      "a name that is none",
      "@error n=1 file=app.log",
      {
        reason: "DISALLOWED_CMD",
        detail: `There is no named pipeline '@error'. There are ${Object.keys(PIPELINES)
          .map((name) => `@${name}`)
          .join(", ")}.`,
        at: "@error",
        suggestion: "@errors n=1 file=app.log",
      },
    ],
  ])("%s", async (_, line, expected) => {
    const { reason = "USAGE", suggestion } = expected;
    expect(await refusal(line)).toEqual({ ...expected, reason, suggestion });
  });

  test("a path outside, at the value", async () => {
    expect(await refusal("@errors n=1 file=/etc/passwd")).toMatchObject({ reason: "PATH_ESCAPE", at: "/etc/passwd" });
    expect(await refusal("@copy from=app.log to=/tmp/x")).toMatchObject({ at: "/tmp/x" });
  });
  test("what the definition itself does, at the call", async () => {
    const fixed = await refusal("echo; @fixed | wc -l");
    expect(fixed).toMatchObject({ reason: "PATH_ESCAPE", at: "@fixed" });
    expect(fixed.detail).toMatch(/^in @fixed \(cat \/etc\/passwd\): /);
    expect(await refusal("@remove f=a")).toMatchObject({ reason: "DISALLOWED_CMD", at: "@remove f=a" });
  });
  test("a written path is checked as it starts, where the line does not say it", async () => {
    expect(await refusal('@copy from=app.log to="$(echo .git/config)"')).toMatchObject({ reason: "PROTECTED_PATH" });
  });
  test("too many calls", async () => {
    expect((await refusal("@zone;".repeat(101))).detail).toMatch(/more than 100 times/);
  });
  test("inside another command", async () => {
    expect(await refusal("echo a | xargs @zone")).toMatchObject({ reason: "RUNS_A_COMMAND" });
  });
});

test("help and policy list them", async () => {
  expect((await run("help @errors")).stdout).toBe(
    "Usage: @errors n=N file=FILE\n\nArguments (each once; a value is one text):\n  n  how many\n  file\n\nRuns:\n  tail -n ${n} ${file} | rg ERROR\n",
  );
  expect((await run("help | grep @errors")).stdout).toBe("  @errors n=N file=FILE\n");
  expect((await run("policy | grep @errors")).stdout).toBe(
    "@errors         tail -n ${n} ${file} | rg ERROR  # arguments: n (how many), file\n",
  );
});

describe("definitions", () => {
  test.each([
    ["tail -n ${n} ${file} | rg ERROR", undefined],
    ['f=${file}; head -n $n "$f"; echo ${f:-x}', undefined],
    ["ls |", expect.stringContaining("Syntax error")],
    ["", "there is no command in it"],
    ["@other n=${n}", "it calls @other, and a named pipeline calls no other"],
    ["ls | (cat | @other)", "it calls @other, and a named pipeline calls no other"],
    ["${n} a", "the name of each command must be spelled out"],
    ["echo $((${n} + 1))", "${n} stands in arithmetic, where a value would be read as an expression"],
    ["((${n})) && ls", "${n} stands in arithmetic, where a value would be read as an expression"],
    ["for ((i = 0; i < ${n}; i++)); do ls; done", "${n} stands in arithmetic, where a value would be read as an expression"],
    ["x=abc; echo ${x:${n}}", "${n} stands in arithmetic, where a value would be read as an expression"],
    ["echo ${n} ${n:-1}", "${n} is an argument, and cannot be changed where it is used"],
    ["awk '$1 > ${n}'", "${n} stands where it is plain text (in single quotes, or after a backslash)"],
    ["echo \\${n}", "${n} stands where it is plain text (in single quotes, or after a backslash)"],
    ["rg x > ${file}", expect.stringContaining("tee")],
  ])("%s", (command, problem) => {
    const keys = ["n", "file"].filter((key) => command.includes(`\${${key}}`));
    expect(definitionProblem(command, keys)).toEqual(problem);
  });
});
