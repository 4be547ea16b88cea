/** factor: the prime factors of whole numbers of any size. */
import { defineBuiltin, type Invocation } from "../../src/builtin/definition.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toText } from "../../src/io/text.ts";
import { primeFactors } from "./prime-factors.ts";

export const factor = defineBuiltin({
  name: "factor",
  summary: "Print the prime factors of each number, or of those on standard input.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/factor-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  flags: {},
  examples: [
    { command: "factor 360 97", stdout: "360: 2 2 2 3 3 5\n97: 97\n" },
    { command: "factor", stdin: "12 7\n", stdout: "12: 2 2 3\n7: 7\n" },
  ],
  async *run(invocation) {
    const { operands, warn, wait } = invocation;
    const output = new BlockBuilder();
    let exit = 0;
    for await (const text of operands.length > 0 ? operands : words(invocation)) {
      const digits = /^ *\+?(\d+)$/.exec(text)?.[1];
      if (digits === undefined) {
        if (!output.empty) yield output.take();
        warn(`${quoteCurly(text)} is not a valid positive integer`);
        exit = 1;
        continue;
      }
      const number = BigInt(digits);
      output.addText(`${number}:`);
      for (const prime of await primeFactors(number, () => wait(0))) output.addText(` ${prime}`);
      output.addByte(0x0a);
      if (output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
    return exit;
  },
});

/** Words between blanks, as readtoken of gnulib cuts them. */
async function* words({ stdin, limits }: Pick<Invocation, "stdin" | "limits">): AsyncGenerator<string, void> {
  for await (const block of lineBlocks(stdin, limits.lineBytes)) {
    for (const line of linesOf(block)) {
      // A NUL ends a word for whoever reads it, and what follows is lost.
      for (const word of toText(line).split(/[ \t]+/)) if (word !== "") yield word.split("\0", 1)[0] as string;
    }
  }
}
