/**
 * jq's plain part in process (builtins/jq/own-run.ts): what is ours, and that the module goes on where it is not, as if it had
 * read all of the input. An option without effect sends a command to the module.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownPlan } from "../../../builtins/jq/own-plan.ts";
import { OwnRun } from "../../../builtins/jq/own-run.ts";
import type { Invocation } from "../../../src/builtin/definition.ts";
import { inputFrom } from "../../../src/io/input.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

const TO_MODULE = "--unbuffered";

describe("what is ours", () => {
  test.each([
    ["-r", ".name"],
    [".scripts", "package.json"],
    ["."],
    ["-r", ".items[].id"],
    ["-c", ".[] | {a, b}"],
    ["keys"],
    ["length"],
    ["-r", ".a // empty", "f", "g"],
    ['select(.level=="error")'],
    ["-r", ".counts, .a.b"],
    ["{run_id, tests: [.results[]? | {id: .test_id, dir}]}"],
    ["{id, n: .files | length}"],
    ["-cS", "map(select(.a.b >= 2 and (.c | not)))"],
    ["-e", "."],
    ["-n", "--arg", "x", "y", "{$x, a: $x}"],
    ["-s", "map(.n) | add"],
    ["-r", 'to_entries[] | "\\(.key)=\\(.value)"'],
    ["-r", '.[] | select(.name | startswith("a")) | .path', "--tab"],
    ['.message.content | if type == "string" then .[0:100] else (.[0].type // "array") end'],
  ])("%j %j", (...args) => expect(ownPlan(args)).toBeDefined());

  test.each([
    ["-R", "."],
    [".a as $x | $x"],
    ["$ENV.PATH"],
    ["$nope"],
    ["--indent", "0", "."],
    ["-c", "--tab", "."],
    [".a = 1"],
    [".a |= 1"],
    [".a?//1"],
    [".[1.5]"],
    ["{(.a): 1}"],
    ["1 == 2 == 3"],
    ["-1 * 2"],
    ["1e3"],
    ["def f: 1; f"],
    [".", "-", "f"],
    [".", "/dev/stdin"],
    ["--arg", "x", "\udcff", "$x"],
    [`1${",1".repeat(60_000)}`],
    ["(".repeat(100) + "." + ")".repeat(100)],
  ])("not %j %j", (...args) => expect(ownPlan(args)).toBeUndefined());
});

/** Blocks of `text`, and what our own jq makes of it: "module" where it would ask for that. */
async function own(args: readonly string[], blocks: readonly string[], heldBytes = 1 << 26): Promise<string> {
  const plan = ownPlan(args);
  if (plan === undefined) return "not ours";
  const stdin = inputFrom(blocks.map(toBytes));
  // The rest of an invocation is the module's.
  const invocation = { stdin, limits: { lineBytes: heldBytes, heldBytes, spillBytes: 0 }, wait: async () => {} } as unknown as Invocation<
    Record<never, never>
  >;
  let output = "";
  const run = new OwnRun(plan, invocation, async function* () {
    output += "module:";
    for (let block = await stdin.read(); block !== undefined; block = await stdin.read()) output += toText(block);
    yield* [];
    return 0;
  });
  for await (const block of run.run()) output += toText(block);
  return output;
}

type OwnRow = readonly [name: string, args: readonly string[], blocks: readonly string[], expected: string | RegExp, heldBytes?: number];

describe("values that are ours, and such as are not", () => {
  const rows: readonly OwnRow[] = [
    ["over blocks", [".a"], ['{"a"', ':"x', 'é"}\n{"a', '":2}'], '"xé"\n2\n'],
    ["a character over blocks", ["."], ['"\udcc3', '\udca9"'], '"é"\n'],
    ["nothing is printed before it is known that all of a value is", [".a,.b.c"], ['{"a":1,"b":2}'], 'module:{"a":1,"b":2}'],
    ["a number in another form", ["."], ["1\n1e3\n"], "module:1\n1e3\n"],
    ["a name twice", ["."], ['{"a":1,"a":2}'], 'module:{"a":1,"a":2}'],
    ["a name twice among many", ["."], [`{${Array.from({ length: 70 }, (_, at) => `"k${at % 69}":1`).join()}}`], /^module:/],
    ["a lone surrogate", ["."], ['"\\ud800"'], 'module:"\\ud800"'],
    ["not UTF-8", ["."], ['"\udcff"'], 'module:"\udcff"'],
    ["a NUL", ["."], ["1\0"], "module:1\0"],
    ["a byte order mark", ["."], ["\ufeff1"], "module:\ufeff1"],
    ["no end", ["."], ["[1,2"], "module:[1,2"],
    ["an index into a number", [".a.b"], ['{"a":1}'], 'module:{"a":1}'],
    ["deep", ["."], ["[".repeat(300) + "]".repeat(300)], /^module:/],
    [
      "a string past the limit",
      ["length"],
      [
        '"',
        ..."x"
          .repeat(1 << 10)
          .split("", 8)
          .map((x) => x.repeat(1 << 20)),
        '"',
      ],
      /^module:/,
      1 << 22,
    ],
    ["results past counting", [`[${"(.,.)|".repeat(30)}.]|length`], ["1"], "module:1"],
    ["a string that doubles", [`${'"\\(.)\\(.)"|'.repeat(40)}length`], ['"a"'], 'module:"a"'],
    ["names of JavaScript", [".__proto__.constructor"], ['{"__proto__":{"constructor":1},"a":{}}\n', '{"a":1}'], "1\nnull\n"],
    [
      "an object made with them",
      ["{__proto__, constructor}"],
      ['{"__proto__":1} {}'],
      /"__proto__": 1,\n {2}"constructor": null\n.*"__proto__": null/s,
    ],
  ];
  for (const [name, args, blocks, expected, heldBytes] of rows)
    test(name, async () => {
      const output = await own(args, blocks, heldBytes);
      if (typeof expected === "string") expect(output).toBe(expected);
      else expect(output).toMatch(expected);
    });
});

describe("the module goes on", () => {
  const line = (at: number): string => `{"a":${at},"s":"${"x".repeat(at % 90)}","t":[1,{"é":null}]}`;
  const lines = (count: number, separator: string): string => Array.from({ length: count }, (_, at) => line(at)).join(separator);
  const INPUTS = [
    ["an error in the middle", `${lines(4500, "\n")}\n{"a":[}\n${lines(10, "\n")}\n`],
    ["an error in a long line", `${lines(2000, "\n")}\n${lines(4000, "  ")} {"a":1e5} {"a" 1}\n`],
    ["an error of the filter", `${lines(4500, "\n\n")}\n[1]\n${lines(3, "\n")}`],
    ["another form of a number, and no last newline", `${lines(4500, "\r\n")} {"a":1E2,"s":1}\n{"a":null}`],
    ["no end", `${lines(4500, "\n")}{"a":`],
    ["one large value", `[${lines(4500, ",\n")}]`],
  ] as const;
  const FILTERS = [".a", "-e .a", "-e 'select(.a == 9)|null'", "'.t,.a'", "-c '.[0]?'"];

  test.each(INPUTS)("%s", { timeout: 120_000 }, async (_, text) => {
    const place = tree(["g: 1\n"]);
    try {
      writeFileSync(join(place.path, "f"), text);
      for (const filter of FILTERS) {
        for (const command of ["jq MORE FILTER f", "cat f | jq MORE FILTER", "jq MORE FILTER g f"]) {
          const run = (more: string) => runOurs({ command: command.replace("FILTER", filter).replace("MORE", more) }, place.path);
          const [ours, module] = [await run(""), await run(TO_MODULE)];
          expect(ours.stderr, `${command} ${filter}`).toBe(module.stderr);
          expect(ours.exit, `${command} ${filter}`).toBe(module.exit);
          expect(ours.stdout === module.stdout, `${command} ${filter}: ${ours.stdout.length} and ${module.stdout.length} characters`).toBe(
            true,
          );
        }
      }
    } finally {
      place.remove();
    }
  });
});
