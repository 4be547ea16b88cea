/** `explain`: what a line would do here, without running any of it. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

export const explain = defineBuiltin({
  name: "explain",
  summary: "Tell whether a line may run, how bad it would be, and what it would read and write; run nothing.",
  standard: "https://github.com/shelpa/shelpa-mcp/blob/main/docs/risk.md",
  reference: "no other tool",
  operands: { kind: "values", min: 1 },
  syntax: "posix",
  needsSession: true,
  flags: { json: { kind: "switch", help: "print one JSON object" } },
  examples: [
    {
      command: "explain 'head -n 1 a.txt' | head -n 2",
      files: { "a.txt": "x\n" },
      stdout: "allowed       yes\nrisk          Normal, severity none\n",
    },
    { command: "explain --json 'chmod +x a.txt' | jq -c '.allowed, .severity'", stdout: 'false\n"High"\n' },
  ],
  async *run({ operands, flags, files, server, warn }) {
    const { json: asJson, ...unread } = flags;
    allFlagsRead(unread);
    if (server === undefined) {
      warn("there is no server here");
      return 2;
    }
    const [first = "", ...others] = operands;
    // Typed without quotes, the words are those of the line.
    const line = others.length === 0 ? first : operands.map(quoteWord).join(" ");
    const { allowed, text, json } = await server.assess(line, files.currentDirectory);
    yield toBytes(asJson ? `${json}\n` : text);
    return allowed ? 0 : 1;
  },
});
