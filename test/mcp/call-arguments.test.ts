import { expect, test } from "vitest";
import { ArgumentError, readArguments } from "../../src/mcp/call-arguments.ts";

const LEAST = 'they are at least a line to run, as in {"command":"ls"}';

const NONE = {
  cwd: undefined,
  stdin: undefined,
  session: undefined,
  timeMs: undefined,
  confirmOversize: undefined,
  dryRun: undefined,
};

test.each([
  { name: "a command alone", given: { command: "ls" }, request: { ...NONE, command: "ls" } },
  { name: "an empty command is the shell's affair", given: { command: "" }, request: { ...NONE, command: "" } },
  { name: "null stands for left out", given: { command: "ls", cwd: null, timeout_seconds: null }, request: { ...NONE, command: "ls" } },
  {
    name: "all of them",
    given: { command: "tee f", cwd: "a", stdin: "x", session: "s", timeout_seconds: 0.5, confirm_oversize: true, dry_run: false },
    request: { command: "tee f", cwd: "a", stdin: "x", session: "s", timeMs: 500, confirmOversize: true, dryRun: false },
  },
])("$name", ({ given, request }) => {
  expect(readArguments(given)).toEqual(request);
});

interface Refusal {
  readonly name: string;
  readonly given: unknown;
  readonly message: string | RegExp;
  readonly suggestion: object | undefined;
}

test.each<Refusal>([
  { name: "no command", given: {}, message: `'command' is missing; ${LEAST}`, suggestion: undefined },
  { name: "a null command", given: { command: null }, message: `'command' is missing; ${LEAST}`, suggestion: undefined },
  {
    name: "a misspelt name",
    given: { comand: "ls -l" },
    message: "unknown argument 'comand': did you mean 'command'?",
    suggestion: { command: "ls -l" },
  },
  {
    name: "camel case",
    given: { command: "ls", timeoutSeconds: 3 },
    message: "unknown argument 'timeoutSeconds': did you mean 'timeout_seconds'?",
    suggestion: { command: "ls", timeout_seconds: 3 },
  },
  {
    name: "what other tools call it",
    given: { cmd: "ls" },
    message: "unknown argument 'cmd': did you mean 'command'?",
    suggestion: { command: "ls" },
  },
  {
    name: "a number that does not fit what was meant",
    given: { cmd: ["ls"] },
    message: "unknown argument 'cmd': did you mean 'command'?",
    suggestion: undefined,
  },
  {
    name: "another word for one that is there",
    given: { command: "ls", cmd: "ls" },
    message: "unknown argument 'cmd': did you mean 'command'?",
    suggestion: { command: "ls" },
  },
  {
    name: "a name near none",
    given: { command: "ls", background: true },
    message: "unknown argument 'background': there are command, cwd, stdin, session, timeout_seconds, confirm_oversize, dry_run",
    suggestion: { command: "ls" },
  },
  {
    name: "a name of Object.prototype",
    given: { command: "ls", constructor: 1 },
    message: /^unknown argument 'constructor'/,
    suggestion: { command: "ls" },
  },
  { name: "a command in parts", given: { command: ["ls", "-l"] }, message: "'command' is a string, not an array", suggestion: undefined },
  {
    name: "a number in quotes",
    given: { command: "ls", timeout_seconds: "30" },
    message: "'timeout_seconds' is a number, not a string",
    suggestion: { command: "ls", timeout_seconds: 30 },
  },
  {
    name: "a boolean in quotes",
    given: { command: "ls", dry_run: "true" },
    message: "'dry_run' is a boolean, not a string",
    suggestion: { command: "ls", dry_run: true },
  },
  {
    name: "no time at all",
    given: { command: "ls", timeout_seconds: 0 },
    message: "'timeout_seconds' is a number above 0 and at most 600",
    suggestion: { command: "ls", timeout_seconds: 600 },
  },
  {
    name: "milliseconds",
    given: { command: "ls", timeout_seconds: 30_000 },
    message: "'timeout_seconds' is a number above 0 and at most 600",
    suggestion: { command: "ls", timeout_seconds: 600 },
  },
  { name: "no object", given: "ls", message: `the arguments are not an object; ${LEAST}`, suggestion: undefined },
])("refuses $name", ({ given, message, suggestion }) => {
  const read = (): unknown => readArguments(given);
  expect(read).toThrow(message);
  try {
    read();
  } catch (error) {
    expect((error as ArgumentError).suggestion).toEqual(suggestion);
    if (suggestion !== undefined) expect(() => readArguments(suggestion)).not.toThrow();
  }
});

test("an answer to a call with very many arguments does not send them back", () => {
  const given = { command: "ls", ...Object.fromEntries(Array.from({ length: 9000 }, (_, key) => [`k${key}`, "x"])) };
  try {
    readArguments(given);
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ArgumentError);
    expect((thrown as ArgumentError).message).toContain("more than 64 arguments");
    expect((thrown as ArgumentError).suggestion).toBeUndefined();
  }
});
