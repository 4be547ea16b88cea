/** `help` has no counterpart among the real tools, so each row says so; the pages themselves are tested in test/builtin. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { builtins, loadBuiltins } from "../../../builtins/registry.ts";
import { Registry } from "../../../src/builtin/registry.ts";
import { help } from "../../../builtins/session/help.ts";
import { TOPICS } from "../../../src/builtin/catalogue.ts";
import { inputOf } from "../../../src/io/input.ts";
import { toText } from "../../../src/io/text.ts";

const allBuiltins = await loadBuiltins();

const run = (...operands: string[]): ReturnType<typeof runWith> => runWith({}, ...operands);

async function runWith(facts: object, ...operands: string[]): Promise<{ stdout: string; stderr: string; exit: number }> {
  let stdout = "";
  let stderr = "";
  const output = help.run({
    name: "help",
    flags: {},
    occurrences: [],
    operands,
    stdin: inputOf(),
    catalogue: new Registry(builtins),
    warn: (message: string) => {
      stderr += `help: ${message}\n`;
    },
    ...facts,
  } as unknown as Parameters<typeof help.run>[0]);
  for (;;) {
    const next = await output.next();
    if (next.done === true) return { stdout, stderr, exit: next.value };
    stdout += toText(next.value);
  }
}

test("alone it lists every builtin, by what it does, and the language in brief", async () => {
  const { stdout, stderr, exit } = await run();
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
  const [language = "", commands = ""] = stdout.split(/^Commands \(.*:\n/m);
  const names = commands.split("\n").flatMap((line) => line.slice(13).split(" "));
  expect(names.filter((name) => name !== "").sort()).toEqual(allBuiltins.map(({ name }) => name).sort());
  expect([...commands.matchAll(/^ {2}(\w+)/gm)].map(([, topic]) => topic)).toEqual([...TOPICS]);
  expect(language).toContain("Files of the workspace are written with tee");
  for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(140);
  expect(encode(stdout).length).toBeLessThanOrEqual(700);
});

test.each([
  ["nothing", "The workspace is read-only.\n"],
  ["commands", "not with > or >>; undo takes it back.\n"],
  ["redirections", "are written with > FILE and >> FILE,\n"],
])("it says how files are written: %s", async (writing, text) => {
  expect((await runWith({ server: { pipelines: [], writing } })).stdout).toContain(text);
});

test.each(TOPICS)("with the group %s, a line for each of its commands, unless that is a command", async (topic) => {
  const { stdout, exit } = await run(topic);
  const members = builtins.filter((builtin) => builtin.topic === topic).map(({ name }) => name);
  expect(exit).toBe(0);
  if (members.includes(topic)) return expect({ members, stdout }).toEqual({ members: [topic], stdout: expect.stringMatching(/^Usage: /) });
  for (const { name, summary } of allBuiltins)
    expect(new RegExp(`^  ${name} +${summary.replace(/[.[\]()*+?|$]/g, "\\$&")}$`, "m").test(stdout), name).toBe(members.includes(name));
});

test("with a name it prints that page, with several one after the other", async () => {
  const { stdout, exit } = await run("help", "tee");
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^Usage: help [^]*\n\nUsage: tee /);
});

test("an unknown name ends with 1 and the nearest name, the others are printed all the same", async () => {
  const { stdout, stderr, exit } = await run("hepl", "tee", "qqqqqq", "a b");
  expect(stdout).toMatch(/^Usage: tee /);
  expect(stderr).toBe(
    "help: no command is called hepl; did you mean help?\nhelp: no command is called qqqqqq; help alone lists them all\nhelp: no command is called 'a b'; help alone lists them all\n",
  );
  expect(exit).toBe(1);
});
