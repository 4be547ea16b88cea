/** tsort: an order in which everything comes after what it needs. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { lineBlocks } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly, quoteName } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Relations } from "./relations.ts";

export const tsort = defineBuiltin({
  name: "tsort",
  summary: "Print an order of all words in which the first of each pair comes before the second.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/tsort.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: {},
  examples: [{ command: "tsort", stdin: "socks shoes\ntrousers shoes\n", stdout: "socks\ntrousers\nshoes\n" }],
  check({ operands }) {
    const extra = operands[1];
    if (extra !== undefined)
      throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
  },
  async *run(invocation) {
    const file = invocation.operands[0] ?? "-";
    const relations = new Relations();
    let before: string | undefined;
    try {
      for await (const word of words(invocation, file)) {
        if (before === undefined) before = word;
        else {
          relations.add(before, word);
          before = undefined;
        }
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      // What cannot be read is taken for an end.
      if (thrown.code !== "EISDIR") {
        invocation.warn(`${quoteName(file)}: ${thrown.message}`);
        return 1;
      }
    }
    if (before !== undefined) {
      invocation.warn(`${quoteName(file)}: input contains an odd number of tokens`);
      return 1;
    }
    const output = new BlockBuilder();
    let exit = 0;
    for (const step of relations.ordered()) {
      if ("word" in step) {
        output.add(toBytes(step.word));
        output.addByte(0x0a);
        if (output.full) yield output.take();
        continue;
      }
      if (!output.empty) yield output.take();
      invocation.warn(`${quoteName(file)}: input contains a loop:`);
      for (const word of step.loop) invocation.warn(word);
      exit = 1;
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

async function* words(invocation: Invocation, file: string): AsyncGenerator<string, void> {
  const { lineBytes, heldBytes } = invocation.limits;
  let held = 0;
  for await (const block of lineBlocks(openInput(invocation, file), lineBytes)) {
    held += block.length;
    if (held > heldBytes) throw new LimitReached("held", heldBytes, "bytes");
    // A NUL ends a word for whoever reads it, and what follows is lost.
    for (const word of toText(block).split(/[ \t\n]+/)) if (word !== "") yield word.split("\0", 1)[0] as string;
  }
}
