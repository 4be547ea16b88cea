import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { instructions, toolDefinitions } from "../../src/mcp/tool.ts";
import { builtins } from "../../builtins/registry.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { policyContext } from "../../src/guard/policy-context.ts";

/** Commands that the shipped server offers. */
const COMMAND_NAMES = policyContext(builtins, DEFAULT_POLICY).registry.names();
const FACTS = { commandNames: COMMAND_NAMES, readOnly: false, recordsRedirects: false, structured: false, split: false };
const defined = (facts: Partial<typeof FACTS>) => {
  const [first, ...others] = toolDefinitions({ ...FACTS, ...facts });
  if (first === undefined) throw new Error("there is no tool");
  return { ...first, others };
};
const definition = (readOnly: boolean) => defined({ readOnly });

describe.each([false, true])("the tool, read-only %s", (readOnly) => {
  test("has instructions under 1,000 characters", () => {
    expect(instructions({ readOnly, split: false, mounts: [] }).length).toBeLessThan(1000);
  });
});

test("says what is true of each mode", () => {
  expect(definition(false).annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    openWorldHint: false,
  });
  expect(definition(true).annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  expect(definition(false).description).toContain("tee FILE");
  expect(definition(true).description).not.toContain("tee FILE");
  expect(definition(false).description).toContain("> FILE, & do not");
  const recording = defined({ recordsRedirects: true });
  expect(recording.description).toContain("<( ), > FILE, <<EOF");
  expect(recording.description).toContain("& does not");
});

test("two tools: one reads and says so, the other is for the lines that write", () => {
  const { others, ...reading } = defined({ split: true, recordsRedirects: true });
  expect(reading).toMatchObject({ name: "shelpa_pipe", annotations: { readOnlyHint: true, destructiveHint: false } });
  expect(reading.description).toContain("Only reads: shelpa_write takes lines that change files.");
  expect(reading.description).toContain("> FILE, & do not");
  expect(others).toMatchObject([{ name: "shelpa_write", annotations: { readOnlyHint: false, destructiveHint: true } }]);
  expect(others[0]?.description).toMatch(/^shelpa_pipe for lines that change files \(> FILE, too\)\. Write with `tee FILE`/);
  expect(defined({ split: true, readOnly: true }).others).toEqual([]);
  expect(instructions({ readOnly: false, split: true, mounts: [] }).length).toBeLessThan(1000);
});

describe("the commands that it names", () => {
  const commands = (commandNames: readonly string[]): string | undefined =>
    /Commands: (.*)$/.exec(defined({ commandNames: [...commandNames] }).description ?? "")?.[1];

  test("a group by its label, and what a shell has not at all", () => {
    expect(commands(COMMAND_NAMES)).toMatch(/^most of coreutils; .*\bawk\b.*\bgit\b.*\bxargs\b/);
    expect(commands(COMMAND_NAMES)).not.toMatch(/\bcat\b|\bcd\b/);
  });
  test("one more in a group costs nothing", () => {
    const named = commands(COMMAND_NAMES)?.split(" ") ?? [];
    expect(builtins.filter(({ name, group }) => group !== undefined && named.includes(name))).toEqual([]);
  });
  test("a group of which the policy takes one away, by its names", () => {
    expect(commands(COMMAND_NAMES.filter((name) => name !== "yes"))).toMatch(/^@out awk b2sum .*\bcat\b/);
  });
});

describe("the input schema", () => {
  const isValid = new AjvJsonSchemaValidator().getValidator(definition(false).inputSchema as object);
  test.each([
    { given: { command: "ls" }, valid: true },
    {
      given: { command: "ls", cwd: "a", stdin: "", session: "s", timeout_seconds: 1.5, confirm_oversize: true, dry_run: true },
      valid: true,
    },
    { given: {}, valid: false },
    { given: { command: 1 }, valid: false },
    { given: { command: "ls", comand: "ls" }, valid: false },
    { given: { command: "ls", timeout_seconds: 0 }, valid: false },
    { given: { command: "ls", timeout_seconds: 601 }, valid: false },
  ])("$given: $valid", ({ given, valid }) => {
    expect(isValid(given).valid).toBe(valid);
  });
});

test("the instructions name what is mounted, and no host path", () => {
  const mounts = [
    { name: "/docs", directory: "/srv/host/docs", access: "read", own: [], denyRead: [] },
    { name: "/data", directory: "/srv/host/data", access: "write", own: [], denyRead: [] },
  ] as const;
  const text = instructions({ readOnly: false, split: false, mounts });
  expect(text).toContain("or below /docs (read-only), /data (its own undo records); nothing else exists");
  expect(text).not.toContain("/srv");
});
