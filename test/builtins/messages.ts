/**
 * Tables of error messages: arguments that the guard refuses, run past it, so that what the tool itself would print is
 * held to the byte. With SHELPA_ORACLE set the rows run against the real tool.
 */
import { describe, expect, test } from "vitest";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { askOurs, askTool } from "./tool-fuzz.ts";

/** The arguments, one word each; what stands on standard error; the exit status (default 1). */
export type MessageRow = readonly [args: readonly string[], stderr: string, exit?: number];

export function messages(definition: BuiltinDefinition, rows: readonly MessageRow[]): void {
  describe(`${definition.name}: messages`, () => {
    test.each(rows.map(([args, stderr, exit = 1]) => ({ args, stderr, exit })))("$args", async ({ args, stderr, exit }) => {
      const asked = [{ args, stdin: "" }];
      const [answer] =
        process.env["SHELPA_ORACLE"] === undefined ? await askOurs(definition, asked) : await askTool(definition.name, asked);
      expect(answer).toEqual({ stdout: "", stderr, exit });
    });
  });
}
