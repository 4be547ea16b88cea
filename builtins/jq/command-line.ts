/**
 * jq's command line as its main.c reads it, as far as the guard must know it: which arguments name files, and which
 * options there are. Everything else is for the module itself to read, and to complain of.
 */
import { nearest } from "../../src/builtin/nearest.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";

export interface FileUse {
  readonly path: string;
  readonly kind: "read" | "status";
  /** Index of the argument. */
  readonly operand: number;
}

/** The files that `args` name. Throws UsageError for an option that jq does not have. */
export function filesNamed(args: readonly string[]): readonly FileUse[] {
  const uses: FileUse[] = [];
  const positionals: number[] = [];
  let optionsEnded = false;
  let programIsFile = false;
  /** What the arguments after the program are, from here on. */
  let further: "files" | "values" = "files";
  /** There was a value that the module may complain of, and it complains of what comes first. */
  let mayFail = false;
  const unknown = (text: string, at: number): FileUse[] => {
    if (mayFail) return uses;
    throw unknownOption(text, at);
  };
  for (let at = 0; at < args.length; at++) {
    const text = args[at] as string;
    if (optionsEnded || !looksLikeOption(text)) {
      if (positionals.length === 0 || further === "files") positionals.push(at);
      else mayFail = true;
      continue;
    }
    if (text === "--") {
      optionsEnded = true;
      continue;
    }
    const option = text.startsWith("--") ? text.slice(2) : undefined;
    const letters = option === undefined ? text.slice(1) : "";
    if (option !== undefined && !Object.hasOwn(LONG_OPTIONS, option)) return unknown(text, at);
    for (let i = 0; i < (option === undefined ? letters.length : 1); i++) {
      const letter = letters[i] ?? "";
      const name = option ?? SHORT_OPTIONS.get(letter);
      if (name === undefined) return unknown(`-${letter}`, at);
      if (INFORMS.has(name)) return uses;
      if (name === "from-file") programIsFile = true;
      if (name === "args" || name === "jsonargs") further = "values";
      if (name === "library-path" && option === undefined && i + 1 < letters.length) {
        uses.push({ path: letters.slice(i + 1), kind: "status", operand: at });
        break;
      }
      const values = LONG_OPTIONS[name] as number;
      const last = args[at + values];
      if (values > 0 && name !== "library-path") mayFail = true;
      if (values === 0 || last === undefined) continue;
      at += values;
      if (name === "library-path") uses.push({ path: last, kind: "status", operand: at });
      if (name === "slurpfile" || name === "rawfile") uses.push({ path: last, kind: "read", operand: at });
    }
  }
  const files = programIsFile ? positionals : positionals.slice(1);
  return [...uses, ...files.map((operand) => ({ path: args[operand] as string, kind: "read", operand }) as const)];
}

/** `-` alone is standard input, and `-5` a program. */
const looksLikeOption = (text: string): boolean => /^-[-A-Za-z]/.test(text);

function unknownOption(text: string, argument: number): UsageError {
  const known = Object.keys(LONG_OPTIONS).map((name) => `--${name}`);
  return new UsageError("unknown-flag", `Unknown option ${text}`, {
    argument,
    subject: text,
    suggestion: text.startsWith("--") ? nearest(text, known) : undefined,
    pointsToHelp: true,
  });
}

/** How many arguments each option takes. */
const LONG_OPTIONS: Readonly<Record<string, number>> = {
  ...{ slurp: 0, stream: 0, "stream-errors": 0, seq: 0, "raw-input": 0, "null-input": 0 },
  ...{ "compact-output": 0, "raw-output": 0, "raw-output0": 0, "join-output": 0, "ascii-output": 0, "sort-keys": 0 },
  ...{ "color-output": 0, "monochrome-output": 0, tab: 0, unbuffered: 0, indent: 1 },
  ...{ "from-file": 0, "library-path": 1, arg: 2, argjson: 2, slurpfile: 2, rawfile: 2, args: 0, jsonargs: 0 },
  ...{ "exit-status": 0, help: 0, version: 0, "build-configuration": 0 },
  ...{ "debug-dump-disasm": 0, "debug-trace": 0, "debug-trace=all": 0 },
};

const INFORMS: ReadonlySet<string> = new Set(["help", "version", "build-configuration"]);

const SHORT_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["s", "slurp"],
  ["r", "raw-output"],
  ["j", "join-output"],
  ["a", "ascii-output"],
  ["c", "compact-output"],
  ["C", "color-output"],
  ["M", "monochrome-output"],
  ["S", "sort-keys"],
  ["R", "raw-input"],
  ["n", "null-input"],
  ["f", "from-file"],
  ["L", "library-path"],
  ["e", "exit-status"],
  ["h", "help"],
  ["V", "version"],
]);
