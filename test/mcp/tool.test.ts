import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { instructions, toolDefinition } from "../../src/mcp/tool.ts";
import { builtins } from "../../builtins/registry.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { policyContext } from "../../src/guard/policy-context.ts";

/** Commands that the shipped server offers. */
const COMMAND_NAMES = policyContext(builtins, DEFAULT_POLICY).registry.names();
const definition = (readOnly: boolean): ReturnType<typeof toolDefinition> =>
  toolDefinition({ commandNames: COMMAND_NAMES, readOnly, recordsRedirects: false, structured: false });

describe.each([false, true])("the tool, read-only %s", (readOnly) => {
  test("has instructions under 1,000 characters", () => {
    expect(instructions(readOnly).length).toBeLessThan(1000);
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
  const recording = toolDefinition({ commandNames: COMMAND_NAMES, readOnly: false, recordsRedirects: true, structured: false });
  expect(recording.description).toContain("< FILE, > FILE, <<EOF");
  expect(recording.description).toContain("& does not");
});

describe("the commands that it names", () => {
  const commands = (commandNames: readonly string[]): string | undefined =>
    /Commands: (.*)$/.exec(
      toolDefinition({ commandNames, readOnly: false, recordsRedirects: false, structured: false }).description ?? "",
    )?.[1];

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
