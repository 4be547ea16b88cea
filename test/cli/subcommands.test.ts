/** The table of commands: how arguments are read by it, and the help that is made from it. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineCommand } from "../../src/cli/command.ts";
import { helpText } from "../../src/cli/command-help.ts";
import { SERVE, SHELPA } from "../../src/cli/commands.ts";
import { mcpHelp } from "../../src/cli/mcp-help.ts";
import { readCommand } from "../../src/cli/read-command.ts";
import { commandsOf, subcommandOf, SUBCOMMANDS } from "../../src/cli/subcommands.ts";

const EVERY = [SHELPA, SERVE, ...SUBCOMMANDS.flatMap(commandsOf)];

let printed: string;
beforeEach(() => {
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

describe.each(EVERY.map((command) => [command.name, command] as const))("%s --help", (name, command) => {
  const help = helpText(command);
  test("names every option, and its own usage first", () => {
    expect(help.startsWith(`Usage: ${name} `)).toBe(true);
    for (const [long, { shortOnly, short }] of Object.entries(command.options))
      expect(help).toContain(shortOnly ? `-${short}` : `--${long}`);
  });
  test("fits a terminal", () => {
    const beforeExample = help.split("\nA client's")[0] ?? "";
    for (const line of beforeExample.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
  test("each option's example is a value for it", () => {
    const operands = Array.from({ length: command.operands.min }, () => "x");
    const wrong = Object.entries(command.options).filter(([long, { arg, example, short, shortOnly, help: meaning }]) => {
      const given = [shortOnly ? `-${short}` : `--${long}`, example ?? ""];
      const isRead = arg === undefined || typeof readCommand(command, [...given, ...operands]) === "object";
      return !isRead || !/^[^A-Z].*[^.]$/.test(meaning);
    });
    expect(wrong).toEqual([]);
  });
});

describe("which command is meant", () => {
  test.each(SUBCOMMANDS.map(({ word }) => word))("shelpa-mcp %s --help", async (word) => {
    expect(await subcommandOf([word, "--help"])?.run()).toBe(0);
    expect(printed.startsWith(`Usage: shelpa-mcp ${word} `)).toBe(true);
    expect(mcpHelp()).toContain(`\n  ${word} `);
  });
  test.each([
    [["doctr", "--root", "a b"], "shelpa-mcp doctor --root 'a b'"],
    [["uninstall"], "shelpa-mcp init --remove"],
    [["./project"], "shelpa-mcp --root ./project"],
    [["nonsense"], "shelpa-mcp --help"],
  ])("%j is no command, and the one that was meant is named", (argv, suggestion) => {
    expect(() => subcommandOf(argv)).toThrow(expect.objectContaining({ suggestion }));
  });
  test("a group alone tells of its members", async () => {
    expect(await subcommandOf(["audit"])?.run()).toBe(0);
    expect(printed).toContain("shelpa-mcp audit diff [OPTION]... RECORD [RECORD|current]\n");
    expect(printed).toContain("\n  verify                check the chain,");
  });
  test("a member that there is not", () => {
    expect(() => subcommandOf(["audit", "verfy", "--json"])).toThrow(
      expect.objectContaining({
        message: "audit: there is no 'verfy'; there are log, show, diff, verify, anchor, restore, report, export, prune, serve",
        suggestion: "shelpa-mcp audit verify --json",
      }),
    );
  });
  test("what is no subcommand is the server's", () => {
    expect(subcommandOf(["--root", "check"])).toBeUndefined();
    expect(subcommandOf([])).toBeUndefined();
  });
});

const SAMPLE = defineCommand({
  name: "sample",
  summary: "Try the reader.",
  operands: { names: "[WORD]...", min: 0, max: 2 },
  options: {
    number: { short: "n", arg: "NUM", help: "a number" },
    all: { help: "a switch" },
    name: { arg: "NAME", repeats: true, help: "names" },
    at: { arg: "HOST", ifBare: "here", help: "an address" },
  },
  exits: "0.",
});
const NONE = { number: undefined, all: false, name: [], at: undefined };

test.each([
  { argv: [], values: NONE, operands: [] },
  { argv: ["a", "-n5", "--all", "b"], values: { ...NONE, number: "5", all: true }, operands: ["a", "b"] },
  { argv: ["-n", "5", "--number=6"], values: { ...NONE, number: "6" }, operands: [] },
  { argv: ["--name", "a", "--name=b=c"], values: { ...NONE, name: ["a", "b=c"] }, operands: [] },
  { argv: ["--at", "--all"], values: { ...NONE, at: "here", all: true }, operands: [] },
  { argv: ["--at", "there"], values: { ...NONE, at: "there" }, operands: [] },
  { argv: ["--", "--all", "-"], values: NONE, operands: ["--all", "-"] },
])("sample $argv", ({ argv, values, operands }) => {
  expect(readCommand(SAMPLE, argv)).toEqual({ values, operands, argv });
});

test.each([
  { argv: ["a", "b", "c"], message: "extra operand 'c'", suggestion: undefined },
  { argv: ["--nmae", "a b"], message: "unrecognized option '--nmae': did you mean '--name'?", suggestion: "sample --name 'a b'" },
  { argv: ["--nmae=a b"], message: "unrecognized option '--nmae': did you mean '--name'?", suggestion: "sample --name='a b'" },
  { argv: ["--all=yes"], message: "option '--all' takes no value", suggestion: "sample --all" },
  { argv: ["-n"], message: "option '-n' requires a NUM", suggestion: "sample -n NUM" },
  { argv: ["-x"], message: "unrecognized option '-x'", suggestion: undefined },
  { argv: ["--constructor"], message: "unrecognized option '--constructor'", suggestion: undefined },
])("sample $argv is wrong", ({ argv, message, suggestion }) => {
  expect(() => readCommand(SAMPLE, argv)).toThrow(expect.objectContaining({ message, suggestion }));
});
