/** What a program does that is not done here: why, and the line that does it. */
import { quoteWord } from "../../src/io/quote.ts";
import { toText } from "../../src/io/text.ts";
import type { Refusal } from "./tree.ts";

export function reasonOf({ kind, what }: Refusal): string {
  switch (kind) {
    case "run":
      return `${what} would start a command, and no external program is ever started here`;
    case "write":
      return `${what} would write a file, and files are written by tee alone, which records what it replaces`;
    case "load":
      return `${what} would load a library, and there are none`;
  }
}

/**
 * The stage that does what was meant: `print | "sort"` becomes a stage of its own, `print > "f"` becomes `| tee f`.
 * Only where all of the output goes there, which the caller says; undefined where there is no such stage.
 */
export function rewritten(
  words: readonly string[],
  programAt: number,
  refusals: readonly Refusal[],
  allPrintsGo: boolean,
): string | undefined {
  const [first] = refusals;
  if (first === undefined) return undefined;
  const { source } = first.place;
  const program = source.text;
  const others = refusals.some(({ operator, literal }) => operator !== first.operator || literal !== first.literal);
  if (!source.isOperand || others || first.literal === undefined) return undefined;
  if (first.operator === "system" && refusals.length === 1 && isOnlySystem(program)) return shown(first.literal);
  if (!allPrintsGo || ![">", ">>", "|"].includes(first.operator)) return undefined;
  let edited = "";
  let from = 0;
  for (const { at, end } of refusals) {
    edited += program.slice(from, at).replace(/[ \t]+$/, "");
    from = end;
  }
  edited += program.slice(from);
  const stage = words.map((word, at) => (at === programAt ? quoteWord(shown(edited)) : quoteWord(word))).join(" ");
  if (first.operator === "|") return `${stage} | ${shown(first.literal)}`;
  return `${stage} | tee ${first.operator === ">>" ? "-a " : ""}${quoteWord(shown(first.literal))}`;
}

const isOnlySystem = (program: string): boolean => /^\s*BEGIN\s*\{\s*system\(\s*"[^"\\]*"\s*\)\s*;?\s*\}\s*$/.test(program);

const shown = (bytes: string): string => toText(Buffer.from(bytes, "latin1"));
