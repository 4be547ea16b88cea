/** One run of `symbols`. */
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import { codeFiles } from "./code-files.ts";
import { codeLines } from "./code-lines.ts";
import type { symbolFlags } from "./flags.ts";

export async function* runSymbols(invocation: Invocation<typeof symbolFlags>): AsyncGenerator<Uint8Array, ExitStatus> {
  const { operands, flags, files, warn, wait } = invocation;
  const [name = "", ...paths] = operands;
  const { ignoreCase: foldCase, substring, refs, kind, body, json, ...others } = flags;
  allFlagsRead(others);
  const kinds = kind && [...kind];
  const question = { what: "symbols", name, options: { foldCase, substring }, refs, kinds, look: { body, json } } as const;
  const output = new BlockBuilder();
  let found = false;
  let failed = false;
  const steps = codeFiles(files, paths.length === 0 ? ["."] : paths);
  for await (const part of codeLines(steps, { question, isRead: () => true, turn: () => wait(0) })) {
    if (part.what === "lines") {
      found = true;
      output.add(toBytes(part.text));
      if (output.full) yield output.take();
    } else if (part.what === "passed") {
      if (!output.empty) yield output.take();
      warn(part.message);
      failed ||= part.isError;
    }
  }
  if (!output.empty) yield output.take();
  return failed ? 2 : found ? 0 : 1;
}
