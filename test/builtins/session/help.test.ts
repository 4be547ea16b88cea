/** `help` has no counterpart among the real tools, so each row says so; the pages themselves are tested in test/builtin. */
import { expect, test } from "vitest";
import { loadBuiltins } from "../../../builtins/registry.ts";
import { Registry } from "../../../src/builtin/registry.ts";
import { help } from "../../../builtins/session/help.ts";
import { inputOf } from "../../../src/io/input.ts";
import { toText } from "../../../src/io/text.ts";

const allBuiltins = await loadBuiltins();

async function run(...operands: string[]): Promise<{ stdout: string; stderr: string; exit: number }> {
  let stdout = "";
  let stderr = "";
  const output = help.run({
    name: "help",
    flags: {},
    occurrences: [],
    operands,
    stdin: inputOf(),
    catalogue: new Registry(allBuiltins),
    warn: (message: string) => {
      stderr += `help: ${message}\n`;
    },
  } as unknown as Parameters<typeof help.run>[0]);
  for (;;) {
    const next = await output.next();
    if (next.done === true) return { stdout, stderr, exit: next.value };
    stdout += toText(next.value);
  }
}

test("alone it lists every builtin with its summary, and the language in brief", async () => {
  const { stdout, stderr, exit } = await run();
  expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
  for (const { name, summary } of allBuiltins)
    expect(stdout).toMatch(new RegExp(`^  ${name.replace("[", "\\[")} +${summary.replace(/[.[\]()*+?|$]/g, "\\$&")}$`, "m"));
  expect(stdout).toContain("Files of the workspace are written with tee");
  for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(140);
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
