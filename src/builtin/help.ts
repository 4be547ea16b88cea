/** `NAME --help` and `NAME --version`, made from the definition. */
import type { BuiltinDefinition, OperandShape } from "./definition.ts";
import { namedFlags, type NamedFlag } from "./flag-names.ts";
import { subcommandRows } from "./subcommands.ts";

/** The page that `NAME --help` prints; `name` is the one that was typed. */
export function helpText(definition: BuiltinDefinition, name: string): string {
  const flags = namedFlags(definition.flags);
  const offered = flags.filter(({ flag }) => flag.kind !== "refused");
  const sections = [
    `Usage: ${usageLine(definition, name)}\n${definition.summary}\n${otherNames(definition, name)}`,
    section("Flags:", [...offered.map((named): Row => [spellings(named), named.flag.help]), ...standardFlags(definition, flags)]),
    section("Commands:", definition.subcommands === undefined ? [] : subcommandRows(definition.subcommands(), FLAGS_WIDTH)),
    section("Not available here:", [...flags.flatMap(refusedRow), ...refusedCommands(definition)]),
    section(
      "Examples:",
      definition.examples.map(({ command, note }): Row => [command, note ?? ""]),
    ),
    section(
      "Differs on purpose:",
      (definition.deviations ?? []).map(({ from, what, why }): Row => [`${what} (${from})`, why]),
    ),
    `Reference: ${definition.reference}\nStandard:  ${definition.standard}\n`,
  ];
  return sections.filter((text) => text !== "").join("\n");
}

/** The line that `NAME --version` prints. */
export function versionText(definition: BuiltinDefinition, name: string): string {
  return `${name} (shelpa-mcp), measured against ${definition.reference}\n`;
}

/** "head [FLAG]... [FILE]..." */
export function usageLine(definition: BuiltinDefinition, name: string): string {
  const offers = Object.values(definition.flags).some((flag) => flag.kind !== "refused");
  return [name, ...(offers ? ["[FLAG]..."] : []), ...operandWords(definition.operands)].join(" ");
}

/** "-n, --lines=NUM", with room for the letter where a flag has only long names. */
export function spellings(named: NamedFlag): string {
  const { flag, letters, longNames } = named;
  const arg = flag.kind === "switch" ? undefined : flag.arg;
  const optional = valueIsOptional(named);
  const long = longNames.map((name) => `--${name}`).join(", ");
  const short = letters.map((letter) => `-${letter}`).join(", ");
  if (long === "") return arg === undefined ? short : optional ? `${short}[${arg}]` : `${short} ${arg}`;
  if (flag.kind === "command") return `${short === "" ? "   " : `${short},`} ${long} ${flag.arg}...`;
  const value = arg === undefined ? "" : optional ? `[=${arg}]` : `=${arg}`;
  return `${short === "" ? "   " : `${short},`} ${long}${value}`;
}

function valueIsOptional({ flag }: NamedFlag): boolean {
  return (flag.kind === "value" && "ifBare" in flag) || (flag.kind === "refused" && flag.argOptional === true);
}

function operandWords(shape: OperandShape): readonly string[] {
  switch (shape.kind) {
    case "none":
      return [];
    case "values":
      return counted("OPERAND", shape.min ?? 0, shape.max ?? Infinity);
    case "paths":
      return counted("FILE", shape.min ?? 0, shape.max ?? Infinity);
    case "pattern-then-paths":
      return ["PATTERN", "[FILE]..."];
    case "program-then-paths":
      return ["PROGRAM", "[FILE]..."];
  }
}

function counted(word: string, min: number, max: number): readonly string[] {
  const needed = Array.from({ length: min }, () => word);
  if (max === min) return needed;
  if (max !== Infinity) return [...needed, ...Array.from({ length: max - min }, () => `[${word}]`)];
  return min === 0 ? [`[${word}]...`] : [...needed.slice(1), `${word}...`];
}

function otherNames({ name, aliases = [] }: BuiltinDefinition, typed: string): string {
  const others = [name, ...aliases].filter((other) => other !== typed);
  return others.length === 0 ? "" : `Other names: ${others.join(", ")}\n`;
}

type Row = readonly [left: string, right: string];

/** Rows for `--help` and `--version`, which every builtin with parsed flags has. */
function standardFlags(definition: BuiltinDefinition, flags: readonly NamedFlag[]): readonly Row[] {
  if (definition.syntax === "raw") return [];
  const rows: Row[] = [];
  const taken = (name: string): boolean => flags.some(({ longNames }) => longNames.includes(name));
  if (!taken("help")) rows.push(["    --help", "print this page"]);
  if (!taken("version")) rows.push(["    --version", "print what this is measured against"]);
  return rows;
}

function refusedRow(named: NamedFlag): readonly Row[] {
  const { flag } = named;
  if (flag.kind !== "refused") return [];
  const instead = typeof flag.suggestion === "string" ? flag.suggestion : flag.suggestion?.([], undefined);
  return [[spellings(named), instead === undefined ? flag.reason : `${flag.reason}; instead: ${instead}`]];
}

function refusedCommands({ subcommands }: BuiltinDefinition): readonly Row[] {
  return (subcommands?.().refused ?? []).map(({ names, why, instead }) => [
    names.join(" "),
    instead === "" ? why : `${why}; instead: ${instead}`,
  ]);
}

/** Width of the lists of flags beside the names of commands. */
const FLAGS_WIDTH = 100;

/** Width in columns past which a left cell gets a line of its own. */
const WIDEST_LEFT = 28;

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const width = Math.min(WIDEST_LEFT, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    if (right === "") return `  ${left}\n`;
    const indented = right.split("\n").join(`\n${" ".repeat(width + 4)}`);
    return left.length > width ? `  ${left}\n${" ".repeat(width + 4)}${indented}\n` : `  ${left.padEnd(width)}  ${indented}\n`;
  });
  return `${title}\n${lines.join("")}`;
}
