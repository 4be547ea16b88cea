/** `yes`: a line again and again, until its reader has enough. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { BLOCK_BYTES } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";

export const yes = defineBuiltin({
  name: "yes",
  summary: "Print a line with all operands, or y, until the reader closes the pipe.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/yes-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  flags: {},
  examples: [{ command: "yes no | head -n 2", stdout: "no\nno\n" }],
  async *run({ operands }) {
    const line = toBytes(`${operands.length === 0 ? "y" : operands.join(" ")}\n`);
    const lines = Math.max(1, Math.floor(BLOCK_BYTES / line.length));
    const block = Buffer.alloc(lines * line.length, line);
    for (;;) yield block;
  },
});
