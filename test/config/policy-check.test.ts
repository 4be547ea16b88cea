/** A policy that a program gives: as text (parsePolicy), and as an object, of which nothing that is misspelt passes. */
import { describe, expect, test } from "vitest";
import { ConfigurationError, DEFAULT_POLICY, parsePolicy, type Policy, Shell, type ShellOptions } from "../../src/index.ts";
import { tree } from "../tree.ts";

describe("parsePolicy", () => {
  test("no text is the default, and a setting is over its profile", async () => {
    expect(await parsePolicy("")).toEqual(DEFAULT_POLICY);
    expect(await parsePolicy('profile = "strict"\n[limits]\ntime_seconds = 2.5\n[commands]\ndeny = ["awk"]\n')).toMatchObject({
      profile: "strict",
      strict: true,
      limits: { ...DEFAULT_POLICY.limits, timeMs: 2500 },
      commands: { only: undefined, deny: ["awk"] },
    });
  });

  test.each([
    ["reed_only = true", "policy: unknown key 'reed_only': did you mean 'read_only'?"],
    ["read_only = 3", "policy: read_only: Invalid input: expected boolean, received number"],
    ["read_only =", /^policy:1:12: /],
    ["[pipelines]\nout = 'ls'", "policy: pipelines.out: @out is the output of an earlier call"],
  ])("%s", async (text, message) => {
    await expect(parsePolicy(text)).rejects.toThrow(ConfigurationError);
    await expect(parsePolicy(text)).rejects.toThrow(message);
  });
});

const { limits, approval } = DEFAULT_POLICY;
const { readOnly: _readOnly, ...withoutReadOnly } = DEFAULT_POLICY;

describe.each(["none", "process"] as const)("Shell.open, isolation %s", (isolation) => {
  test.each<[string, unknown, string]>([
    ["no object", 3, "policy.profile: undefined is not one of read-only, standard, strict"],
    ["a setting that is missing", withoutReadOnly, "policy.readOnly: undefined is not true or false"],
    ["a misspelt one", { ...DEFAULT_POLICY, redirect: "record" }, "policy: there is no setting 'redirect': did you mean 'redirects'?"],
    ["a function, which no message takes along", { ...DEFAULT_POLICY, split: () => true }, "policy.split: a function is not true or false"],
    [
      "a size as text",
      { ...DEFAULT_POLICY, limits: { ...limits, heldBytes: "1 MiB" } },
      'policy.limits.heldBytes: "1 MiB" is not a whole number of bytes of at least 1',
    ],
    ["no time", { ...DEFAULT_POLICY, limits: { ...limits, timeMs: 0 } }, "policy.limits.timeMs: 0 is not a number of milliseconds above 0"],
    ["a list that is text", { ...DEFAULT_POLICY, commands: { only: "cat", deny: [] } }, 'policy.commands.only: "cat" is not a list'],
    [
      "an item of a list",
      { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyRead: [".env", ""] } },
      'policy.paths.denyRead[1]: "" is not a rule as in .gitignore',
    ],
    [
      "a word of none",
      { ...DEFAULT_POLICY, approval: { ...approval, protectedPaths: "allow" } },
      'policy.approval.protectedPaths: "allow" is not one of ask, deny',
    ],
    [
      "a severity",
      { ...DEFAULT_POLICY, approval: { ...approval, severity: { autoDeny: "high", actions: approval.severity.actions } } },
      'policy.approval.severity.autoDeny: "high" is not one of Info, Low, Medium, High, Critical',
    ],
    [
      "a pipeline",
      { ...DEFAULT_POLICY, pipelines: { "no name": { command: "ls", description: "", arguments: {} } } },
      "policy.pipelines.no name: a name begins with a letter and is of letters, digits, _ and -",
    ],
    [
      "two at once",
      { ...DEFAULT_POLICY, strict: 1, split: 0 },
      "policy.strict: 1 is not true or false\npolicy.split: 0 is not true or false",
    ],
  ])("%s", async (_, policy, message) => {
    const opened = Shell.open({ root: "/", isolation, policy: policy as Policy });
    await expect(opened).rejects.toThrow(ConfigurationError);
    await expect(opened).rejects.toThrow(message);
  });

  test.each<[Partial<ShellOptions>, string]>([
    [{ readOnly: "yes" as unknown as boolean }, 'policy.readOnly: "yes" is not true or false'],
    [{ limits: { timeMs: Number.NaN } }, "policy.limits.timeMs: NaN is not a number of milliseconds above 0"],
    [{ root: "here" }, "the root 'here' is no absolute path"],
  ])("options are checked with it: %j", async (options, message) => {
    await expect(Shell.open({ root: "/", isolation, ...options })).rejects.toThrow(message);
  });
});

test("without a word about isolation, lines run in a process of their own", async () => {
  const place = tree(["f: x\n"]);
  const shell = await Shell.open({ root: place.path, limits: { residentBytes: 96 << 20, timeMs: 60_000 } });
  try {
    // A stage that would hold more than the process may ends with the process, and the next line runs.
    expect((await shell.defaultSession.run("yes | head -c 600000000 | tac | tail -n 1")).result).toMatchObject({
      kind: "stopped",
      limit: "memory",
    });
    expect((await shell.defaultSession.run("cat f")).stdout.toString()).toBe("x\n");
  } finally {
    await shell.close();
    place.remove();
  }
});
