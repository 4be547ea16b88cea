import { describe, expect, test } from "vitest";
import { CommandLineError } from "../../src/cli/command-line-error.ts";
import { readMcpArguments } from "../../src/cli/mcp-arguments.ts";
import { mcpHelp } from "../../src/cli/mcp-help.ts";

const PLAIN = {
  root: ".",
  "read-only": false,
  strict: false,
  structured: false,
  split: false,
  rawOutput: false,
  aliases: [],
  mount: [],
  "also-read": [],
  interactive: false,
};
const HTTP = {
  host: "127.0.0.1",
  port: 3456,
  allowedHosts: [],
  allowedOrigins: [],
  tokenFile: undefined,
  socket: undefined,
  log: undefined,
  graceMs: 0,
};

test.each([
  { name: "a root", argv: ["--root", "."], settings: PLAIN },
  { name: "a root, joined", argv: ["--root=/a b"], settings: { ...PLAIN, root: "/a b" } },
  { name: "a root from the environment", argv: [], environment: { SHELPA_ROOT: "/w" }, settings: { ...PLAIN, root: "/w" } },
  { name: "a root that overrides the environment", argv: ["--root", "."], environment: { SHELPA_ROOT: "/w" }, settings: PLAIN },
  {
    name: "all of them",
    argv: [
      "--read-only",
      "--strict",
      "--alias",
      "/workspace",
      "--alias=/src",
      "--structured",
      "--split",
      "--mount",
      "/d=x",
      "--mount=/e=y:rw",
      "--also-read",
      "z",
      "--raw-output",
      "--root",
      ".",
    ],
    settings: {
      root: ".",
      "read-only": true,
      strict: true,
      structured: true,
      split: true,
      rawOutput: true,
      aliases: ["/workspace", "/src"],
      mount: ["/d=x", "/e=y:rw"],
      "also-read": ["z"],
      interactive: false,
    },
  },
  { name: "an address that is left out", argv: ["--http", "--root", "."], settings: { ...PLAIN, http: HTTP } },
  {
    name: "an address, and whom to answer there",
    argv: [
      "--root",
      ".",
      "--http",
      "0.0.0.0:80",
      "--token-file=t",
      "--allow-host",
      "a.example",
      "--allow-host",
      "b",
      "--allow-origin",
      "c",
      "--grace",
      "2.5",
    ],
    settings: {
      ...PLAIN,
      http: {
        ...{ host: "0.0.0.0", port: 80, allowedHosts: ["a.example", "b"], allowedOrigins: ["c"], tokenFile: "t" },
        ...{ socket: undefined, log: undefined, graceMs: 2500 },
      },
    },
  },
  { name: "the end of options", argv: ["--root", ".", "--"], settings: PLAIN },
])("$name", ({ argv, environment = {}, settings }) => {
  expect(readMcpArguments(argv, environment)).toEqual({ kind: "serve", settings });
});

test.each([
  { argv: ["--help"], kind: "help" },
  { argv: ["-h"], kind: "help" },
  { argv: ["--read-only", "--help"], kind: "help" },
  { argv: ["--version"], kind: "version" },
  { argv: ["-V"], kind: "version" },
])("$argv", ({ argv, kind }) => {
  expect(readMcpArguments(argv, {})).toEqual({ kind });
});

interface Refusal {
  readonly name: string;
  readonly argv: readonly string[];
  readonly environment?: Record<string, string>;
  readonly message: string;
  readonly suggestion: string | undefined;
}

describe("bad usage", () => {
  test.each<Refusal>([
    {
      name: "no address",
      argv: ["--root", ".", "--http", "a b"],
      message: "--http takes HOST:PORT, not 'a b'",
      suggestion: "shelpa-mcp --root . --http 127.0.0.1:3456",
    },
    ...["-1", "5s", "1e3", "86401"].map((grace) => ({
      name: `a grace of '${grace}'`,
      argv: ["--root", ".", "--http", `--grace=${grace}`],
      message: `--grace takes seconds, from 0 to 86400, not '${grace}'`,
      suggestion: "shelpa-mcp --root . --http --grace=5",
    })),
    {
      name: "a check of one workspace",
      argv: ["--root", ".", "--check"],
      message: "--check is about --workspaces, which was not given; 'shelpa-mcp doctor' looks at a server of one",
      suggestion: undefined,
    },
    {
      name: "a grace without HTTP",
      argv: ["--root", ".", "--grace", "5"],
      message: "--grace is about --http, which was not given",
      suggestion: "shelpa-mcp --http --root . --grace 5",
    },
    {
      name: "whom to answer, without HTTP",
      argv: ["--root", ".", "--allow-host", "a"],
      message: "--allow-host is about --http, which was not given",
      suggestion: "shelpa-mcp --http --root . --allow-host a",
    },
    {
      name: "no root",
      argv: [],
      message: "no root was given: the one directory whose files the tool may touch",
      suggestion: "shelpa-mcp --root .",
    },
    {
      name: "no root, other flags",
      argv: ["--read-only"],
      message: "no root was given: the one directory whose files the tool may touch",
      suggestion: "shelpa-mcp --root . --read-only",
    },
    {
      name: "an empty root in the environment",
      argv: [],
      environment: { SHELPA_ROOT: "" },
      message: "no root was given: the one directory whose files the tool may touch",
      suggestion: "shelpa-mcp --root .",
    },
    {
      name: "two roots",
      argv: ["--root", "a", "--root", "b"],
      message: "one --root only, and 2 were given: serve each with a process of its own, or all with --workspaces",
      suggestion: "shelpa-mcp --root a",
    },
    {
      name: "a root without a value",
      argv: ["--root"],
      message: "option '--root' requires a directory",
      suggestion: "shelpa-mcp --root .",
    },
    {
      name: "a flag where the root should be",
      argv: ["--root", "--strict"],
      message: "option '--root' requires a directory",
      suggestion: "shelpa-mcp --root . --strict",
    },
    { name: "an empty root", argv: ["--root="], message: "option '--root' requires a directory", suggestion: "shelpa-mcp --root=." },
    {
      name: "an operand that is the root",
      argv: ["/my dir"],
      message: "extra operand '/my dir'",
      suggestion: "shelpa-mcp --root '/my dir'",
    },
    { name: "an operand besides the root", argv: ["--root", ".", "x"], message: "extra operand 'x'", suggestion: undefined },
    {
      name: "a misspelt flag",
      argv: ["--root", ".", "--readonly"],
      message: "unrecognized option '--readonly': did you mean '--read-only'?",
      suggestion: "shelpa-mcp --root . --read-only",
    },
    {
      name: "a misspelt flag with a value",
      argv: ["--rooot=/a"],
      message: "unrecognized option '--rooot': did you mean '--root'?",
      suggestion: "shelpa-mcp --root=/a",
    },
    { name: "an unknown flag", argv: ["--frobnicate"], message: "unrecognized option '--frobnicate'", suggestion: undefined },
    { name: "an unknown letter", argv: ["-x"], message: "unrecognized option '-x'", suggestion: undefined },
    {
      name: "a value for a switch",
      argv: ["--root", ".", "--strict=yes"],
      message: "option '--strict' takes no value",
      suggestion: "shelpa-mcp --root . --strict",
    },
    {
      name: "a relative alias",
      argv: ["--root", ".", "--alias", "work"],
      message: "--alias must be an absolute path, not 'work'",
      suggestion: "shelpa-mcp --root . --alias /work",
    },
  ])("$name", ({ argv, environment = {}, message, suggestion }) => {
    let thrown: unknown;
    try {
      readMcpArguments(argv, environment);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CommandLineError);
    expect(thrown).toMatchObject({ message, suggestion });
    if (suggestion !== undefined) {
      const words = suggestion
        .split(/ (?=(?:[^']*'[^']*')*[^']*$)/)
        .slice(1)
        .map((word) => word.replaceAll("'", ""));
      expect(readMcpArguments(words, {}).kind).toBe("serve");
    }
  });
});

test("help names every flag, fits a terminal, and shows a configuration that is JSON", () => {
  const help = mcpHelp();
  for (const flag of ["--root DIR", "--read-only", "--strict", "--alias PREFIX", "--raw-output", "--help", "--version"])
    expect(help).toContain(flag);
  const configuration = help.slice(help.indexOf("  {\n"), help.indexOf("\n\nWithout"));
  expect(JSON.parse(configuration)).toEqual({ mcpServers: { shelpa: { command: "shelpa-mcp", args: ["--root", "/path/to/project"] } } });
  const beforeConfiguration = help.slice(0, help.indexOf("A client's"));
  for (const line of beforeConfiguration.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
