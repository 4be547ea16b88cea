/** Chooses the command lines of jq that our own filters run, and reads their request. */
import { isStandardInput } from "../../src/builtin/inputs.ts";
import type { Filter } from "./filter.ts";
import { parseFilter } from "./filter-parser.ts";
import { HandOver } from "./hand-over.ts";
import type { PrintStyle } from "./json-printer.ts";
import { Text } from "./json-value.ts";

export interface OwnPlan {
  readonly filter: Filter;
  readonly style: PrintStyle;
  /** What the filter's inputs are: each value, all values as one array, or null once. */
  readonly inputs: "each" | "slurped" | "null";
  /** The last result decides the exit status (`-e`). */
  readonly resultDecides: boolean;
  /** None: standard input. */
  readonly files: readonly string[];
}

/** Undefined where the command line is for the module. */
export function ownPlan(args: readonly string[]): OwnPlan | undefined {
  const given = new Set<string>();
  const variables = new Map<string, Text>();
  const positionals: string[] = [];
  const indents: string[] = [];
  try {
    for (let at = 0; at < args.length; at++) {
      const text = args[at] as string;
      if (!text.startsWith("-") || text === "-") {
        positionals.push(text);
        continue;
      }
      const value = args[at + 1] ?? "";
      if (text === "--arg") {
        const content = args[at + 2];
        if (content === undefined || !content.isWellFormed() || variables.has(value)) return undefined;
        variables.set(value, new Text(content));
        at += 2;
        continue;
      }
      if (text === "--indent") {
        if (!/^[1-7]$/.test(value)) return undefined;
        indents.push(" ".repeat(Number(value)));
        at++;
        continue;
      }
      const names = text.startsWith("--") ? [text.slice(2)] : [...text.slice(1)].map((letter) => SHORT.get(letter) ?? "");
      for (const name of names) {
        if (!OPTIONS.has(name)) return undefined;
        if (name === "tab") indents.push("\t");
        given.add(name);
      }
    }
    // Of several the last decides, in ways of their own.
    if (indents.length + (given.has("compact-output") ? 1 : 0) > 1) return undefined;
    const [program = ".", ...operands] = positionals;
    const readsInput = operands.length === 0 || (operands.length === 1 && operands[0] === "-");
    if (program.length > MOST_PROGRAM_UNITS) return undefined;
    if (!program.isWellFormed() || (!readsInput && operands.some((operand) => operand === "-" || isStandardInput(operand))))
      return undefined;
    const joins = given.has("join-output");
    return {
      filter: parseFilter(program, variables),
      style: {
        indent: given.has("compact-output") ? undefined : (indents[0] ?? "  "),
        sortsKeys: given.has("sort-keys"),
        raw: joins || given.has("raw-output"),
        joins,
      },
      inputs: given.has("null-input") ? "null" : given.has("slurp") ? "slurped" : "each",
      resultDecides: given.has("exit-status"),
      files: readsInput ? [] : operands,
    };
  } catch (thrown) {
    if (thrown instanceof HandOver) return undefined;
    throw thrown;
  }
}

/** A filter nests as deep as it is long. */
const MOST_PROGRAM_UNITS = 2000;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["r", "raw-output"],
  ["c", "compact-output"],
  ["n", "null-input"],
  ["s", "slurp"],
  ["e", "exit-status"],
  ["S", "sort-keys"],
  ["j", "join-output"],
  ["M", "monochrome-output"],
]);
const OPTIONS: ReadonlySet<string> = new Set([...SHORT.values(), "tab"]);
