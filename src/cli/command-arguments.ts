/** Arguments of a subcommand of `shelpa-mcp` (`audit log --json`), with errors that show the command that works. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearest } from "../builtin/nearest.ts";
import { CommandLineError } from "./command-line-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

type Values<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { type: "boolean" }
    ? boolean | undefined
    : O[K] extends { multiple: true }
      ? readonly string[] | undefined
      : string | undefined;
};

/** Flags every subcommand has. */
export const COMMON = { root: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

/** What `argv` gives. `command` is the words before it, `usage` what is said of operands. Throws CommandLineError. */
export function readCommand<const O extends Options>(
  command: string,
  argv: readonly string[],
  options: O,
  operands: { readonly min: number; readonly max: number; readonly names: string },
): { readonly values: Values<O>; readonly operands: readonly string[] } {
  let parsed: { values: unknown; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (thrown) {
    throw explained(thrown, command, Object.keys(options));
  }
  const { positionals } = parsed;
  const wanted = `shelpa-mcp ${command}${operands.names === "" ? "" : ` ${operands.names}`}`;
  if (positionals.length < operands.min) throw new CommandLineError(`missing operand: ${wanted}`);
  if (positionals.length > operands.max) throw new CommandLineError(`extra operand '${positionals[operands.max]}': ${wanted}`);
  return { values: parsed.values as Values<O>, operands: positionals };
}

function explained(thrown: unknown, command: string, known: readonly string[]): unknown {
  if (!(thrown instanceof TypeError) || !("code" in thrown) || !String(thrown.code).startsWith("ERR_PARSE_ARGS_")) return thrown;
  const name = /'--([^' ]+)'/.exec(thrown.message)?.[1];
  const close = name === undefined || known.includes(name) ? undefined : nearest(name, known);
  const [sentence = ""] = thrown.message.split(". ");
  const hint = close === undefined ? "" : `: did you mean '--${close}'?`;
  return new CommandLineError(`${command}: ${sentence.replace(/\.$/, "")}${hint}`);
}

/** The root that a subcommand works on: `--root`, `$SHELPA_ROOT`, the current directory. */
export const rootOrHere = (given: string | undefined): string => given ?? process.env["SHELPA_ROOT"] ?? ".";

/** An instant as people type it, in milliseconds since the epoch. Throws CommandLineError. */
export function readInstant(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ""] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return Date.now() - Number(amount) * (UNIT_MS[unit] as number);
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs))
    throw new CommandLineError(`${flag}: '${text}' is no time; give 2026-02-25, 2026-02-25T13:17:30Z or an age such as 2h`);
  return atMs;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
