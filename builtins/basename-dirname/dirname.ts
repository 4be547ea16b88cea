/** dirname: a path without its last component. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";

export const dirname = defineBuiltin({
  name: "dirname",
  summary: "Print each path without its last component.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/dirname.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values", min: 1 },
  flags: { zero: { kind: "switch", short: "z", help: "end each line with NUL, not newline" } },
  examples: [
    { command: "dirname src/io/text.ts", stdout: "src/io\n" },
    { command: "dirname a/b c", stdout: "a\n.\n" },
  ],
  async *run({ flags, operands }) {
    const { zero, ...others } = flags;
    allFlagsRead(others);
    const output = new BlockBuilder();
    for (const path of operands) {
      output.add(toBytes(directoryOf(path) + (zero ? "\0" : "\n")));
      if (output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
    return 0;
  },
});

/** "." where there is no slash, "/" where there is nothing before the last. */
function directoryOf(path: string): string {
  const nameEnd = beforeSlashes(path, path.length);
  const slash = path.lastIndexOf("/", nameEnd - 1);
  if (nameEnd === 0 || slash < 0) return path.startsWith("/") ? "/" : ".";
  return path.slice(0, beforeSlashes(path, slash)) || "/";
}

/** Where the slashes that end at `end` begin. */
function beforeSlashes(path: string, end: number): number {
  let at = end;
  while (at > 0 && path[at - 1] === "/") at--;
  return at;
}
