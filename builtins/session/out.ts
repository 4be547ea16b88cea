/** `@out N`: what an earlier call of the session printed, as a stage. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

export const out = defineBuiltin({
  name: "@out",
  summary: "Print again what an earlier call of the session printed (N is the number that its answer gives), without running it.",
  standard: "https://github.com/shelpa/shelpa-mcp/blob/main/docs/configuration.md",
  reference: "no other tool",
  operands: { kind: "values", min: 1, max: 1 },
  flags: {},
  needsSession: true,
  examples: [
    {
      command: "@out 7 2>/dev/null | sed -n '421,840p'",
      stdout: "",
      note: "lines 421 to 840 of what call 7 printed, where the session still has it",
    },
  ],
  silence: { 0: "gave nothing" },
  check({ operands: [number = ""] }) {
    if (!/^[1-9]\d{0,8}$/.test(number) && !number.includes("$")) {
      throw new UsageError("bad-value", `invalid number: ${quoteCurly(number)}`, { subject: number });
    }
  },
  async *run({ operands: [number = ""], server, warn }) {
    const bytes = server?.output?.(Number(number));
    if (bytes === undefined) {
      warn(`there is no output ${number} (any more) in this session; run its command again`);
      return 1;
    }
    yield bytes;
    return 0;
  },
});
