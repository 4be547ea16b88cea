/** `policy`: what this server allows, as its configuration and flags have made it. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { toBytes } from "../../src/io/text.ts";

export const policy = defineBuiltin({
  name: "policy",
  summary: "Print the policy in force: what may be read, written and run here, and up to which limits.",
  standard: "https://github.com/shelpa/shelpa-mcp/blob/main/docs/configuration.md",
  reference: "no other tool",
  operands: { kind: "none" },
  flags: {},
  needsSession: true,
  examples: [{ command: "policy | grep '^profile'", stdout: "profile         standard\n" }],
  async *run({ server, warn }) {
    if (server === undefined) {
      warn("there is no server here");
      return 1;
    }
    yield toBytes(server.policy());
    return 0;
  },
});
