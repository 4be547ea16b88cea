import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { instructions, toolDefinition } from "../../src/mcp/tool.ts";
import { COMMAND_NAMES } from "./fake-shell.ts";

/**
 * About what a byte-pair tokenizer makes of JSON and English: a token per word (one more for every further six
 * letters), digit run or punctuation run. Four characters per token would flatter JSON.
 */
const tokens = (text: string): number =>
  [...text.matchAll(/ ?[A-Za-z]+|\d+|[^\sA-Za-z\d]+/g)].reduce((sum, [word]) => sum + Math.ceil(word.trim().length / 7), 0);

const definition = (readOnly: boolean): ReturnType<typeof toolDefinition> => toolDefinition({ commandNames: COMMAND_NAMES, readOnly });

describe.each([false, true])("the tool, read-only %s", (readOnly) => {
  test("costs a conversation fewer than 450 tokens", () => {
    const json = JSON.stringify(definition(readOnly));
    expect(Math.ceil(json.length / 4)).toBeLessThan(450);
    expect(tokens(json)).toBeLessThan(450);
  });

  test("has instructions under 1,000 characters", () => {
    expect(instructions(readOnly).length).toBeLessThan(1000);
  });
});

test("says what is true of each mode", () => {
  expect(definition(false).annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  });
  expect(definition(true).annotations).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false });
  expect(definition(false).description).toContain("tee FILE");
  expect(definition(true).description).not.toContain("tee FILE");
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
