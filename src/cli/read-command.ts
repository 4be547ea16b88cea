/** Reads arguments by a command's definition, with errors that show the command that works. */
import { nearest } from "../builtin/nearest.ts";
import { quoteWord } from "../display/quote.ts";
import type { Command, Given, Option, OptionTable, Values } from "./command.ts";
import { CommandLineError } from "./command-line-error.ts";

/** Parses `argv`; `--help` and `--version` win over everything else that is valid. Throws CommandLineError. */
export function readCommand<O extends OptionTable>(command: Command<O>, argv: readonly string[]): Given<O> | "help" | "version" {
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  let areOptionsOver = false;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (areOptionsOver || word === "-" || !word.startsWith("-")) {
      areOptionsOver ||= command.firstOperandEndsOptions === true;
      operands.push(word);
      continue;
    }
    if (word === "--") {
      areOptionsOver = true;
      continue;
    }
    const { spelling, joined } = parts(word);
    const found = optionNamed(spelling, command.options);
    if (found === undefined) throw unknownOption(command, argv, at);
    const [name, option] = found;
    const values = given.get(name) ?? [];
    given.set(name, values);
    if (option.arg === undefined) {
      if (joined !== undefined) {
        throw new CommandLineError(`${prefix(command)}option '${spelling}' takes no value`, corrected(command, argv, at, spelling));
      }
      values.push("");
      continue;
    }
    const next = argv[at + 1];
    if (joined === undefined && option.ifBare !== undefined && (next === undefined || next.startsWith("-"))) {
      values.push(option.ifBare);
      continue;
    }
    const value = joined ?? next;
    const isValue = value !== undefined && (option.anyValue === true || (value !== "" && (joined !== undefined || !/^-./.test(value))));
    if (!isValue) throw missingValue(command, argv, at, spelling, option);
    if (joined === undefined) at++;
    values.push(value);
  }
  if (given.has("help")) return "help";
  if (given.has("version")) return "version";
  const { min, max, names } = command.operands;
  const usage = `${command.name}${names === "" ? "" : ` ${names}`}`;
  if (operands.length < min) throw new CommandLineError(`missing operand: ${usage}`);
  if (operands.length > max) throw new CommandLineError(`extra operand '${operands[max]}'${isPlain(command) ? "" : `: ${usage}`}`);
  return { values: valuesOf(command.options, given), operands, argv };
}

/** The option that every command has. */
export const HELP_OPTION: Option = { short: "h", help: "display this help and exit" };

/** `--name=value`, `-n5`: the option and the value joined to it. */
function parts(word: string): { readonly spelling: string; readonly joined: string | undefined } {
  if (!word.startsWith("--")) return { spelling: word.slice(0, 2), joined: word.length > 2 ? word.slice(2) : undefined };
  const equals = word.indexOf("=");
  return equals === -1 ? { spelling: word, joined: undefined } : { spelling: word.slice(0, equals), joined: word.slice(equals + 1) };
}

function optionNamed(spelling: string, options: OptionTable): readonly [string, Option] | undefined {
  if (spelling === "--help" || spelling === "-h") return ["help", HELP_OPTION];
  const isLong = spelling.startsWith("--");
  return Object.entries(options).find(([name, { short, shortOnly }]) =>
    isLong ? shortOnly !== true && spelling === `--${name}` : spelling === `-${short}`,
  );
}

function valuesOf<O extends OptionTable>(options: O, given: ReadonlyMap<string, readonly string[]>): Values<O> {
  const values = Object.entries(options).map(([name, { arg, repeats }]) => {
    const all = given.get(name);
    return [name, arg === undefined ? all !== undefined : repeats === true ? (all ?? []) : all?.at(-1)];
  });
  return Object.fromEntries(values) as Values<O>;
}

function unknownOption(command: Command, argv: readonly string[], at: number): CommandLineError {
  const { spelling, joined } = parts(argv[at] as string);
  const long = Object.entries(command.options).flatMap(([name, { shortOnly }]) => (shortOnly === true ? [] : [name]));
  const close = spelling.startsWith("--") ? nearest(spelling.slice(2).toLowerCase().replaceAll("_", "-"), [...long, "help"]) : undefined;
  const message = `${prefix(command)}unrecognized option '${spelling}'`;
  if (close === undefined) return new CommandLineError(message);
  return new CommandLineError(
    `${message}: did you mean '--${close}'?`,
    corrected(command, argv, at, `--${close}${joined === undefined ? "" : `=${quoteWord(joined)}`}`),
  );
}

function missingValue(
  command: Command,
  argv: readonly string[],
  at: number,
  spelling: string,
  { arg = "", example = arg }: Option,
): CommandLineError {
  const wanted = `${spelling}${spelling.startsWith("--") && argv[at]?.includes("=") === true ? "=" : " "}${quoteWord(example)}`;
  return new CommandLineError(
    `${prefix(command)}option '${spelling}' requires ${withArticle(WANTED[arg] ?? arg)}`,
    corrected(command, argv, at, wanted),
  );
}

const WANTED: Readonly<Record<string, string>> = {
  DIR: "directory",
  FILE: "file",
  NAME: "name",
  PREFIX: "prefix",
  "HOST:PORT": "address",
};

const withArticle = (noun: string): string => `${/^[AEIOU]/i.test(noun) ? "an" : "a"} ${noun}`;

/** The command with another word (or words, quoted as they must be) in the place of argument `at`. */
export function corrected(command: Command, argv: readonly string[], at: number, words: string): string {
  return [command.name, ...argv.map((argument, index) => (index === at ? words : quoteWord(argument)))].join(" ");
}

/** The command as it was typed, with `words`, quoted as they must be, behind it. */
export const completed = (command: Pick<Command, "name">, argv: readonly string[], words: string): string =>
  [command.name, ...argv.map(quoteWord), words].join(" ");

/** Name of a subcommand, to begin a message with: the program's own name stands before every message already. */
function prefix(command: Command): string {
  return isPlain(command) ? "" : `${command.name.slice(command.name.indexOf(" ") + 1)}: `;
}

const isPlain = ({ name }: Command): boolean => !name.includes(" ");
