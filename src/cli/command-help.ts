/** The page that `--help` prints, made from a command's definition. */
import type { Command, Option } from "./command.ts";
import { HELP_OPTION } from "./read-command.ts";

/** Column at which the meaning of an option begins, and the width of its lines. */
const COLUMN = 24;
const WIDTH = 80;

/** `sections` are further paragraphs, above the details. */
export function helpText(command: Command, sections: readonly string[] = []): string {
  const { summary, details, exits } = command;
  const usage = usageText(usageLines(command));
  const options = optionRows(command).map(([spelling, help]) => row(spelling, help));
  const paragraphs = [
    `${usage}${wrapped(summary)}`,
    options.join(""),
    ...sections,
    ...(details === undefined ? [] : [details.endsWith("\n") ? details : `${details}\n`]),
    wrapped(`Exit status: ${exits}`),
  ];
  return paragraphs.join("\n");
}

/** "shelpa-mcp check [OPTION]... 'LINE'", and the other forms there are. */
export function usageLines({ name, needs, operands: { names }, usages = [] }: Command): readonly string[] {
  return [[name, ...(needs === undefined ? [] : [needs]), "[OPTION]...", ...(names === "" ? [] : [names])].join(" "), ...usages];
}

export const usageText = (lines: readonly string[]): string =>
  lines.map((line, index) => `${index === 0 ? "Usage:" : "  or: "} ${line}\n`).join("");

/** Each option's spelling ("-n, --number NUM") and meaning, --help last. */
export function optionRows({ options }: Pick<Command, "options">): readonly (readonly [string, string])[] {
  const { version, ...own } = options;
  const rows = Object.entries({ ...own, help: HELP_OPTION, ...(version === undefined ? {} : { version }) });
  return rows.map(([name, option]) => [spelled(name, option), `${option.help}${option.repeats === true ? "; may be repeated" : ""}`]);
}

function spelled(name: string, { short, shortOnly, arg, ifBare }: Option): string {
  const value = arg === undefined ? "" : ifBare === undefined ? ` ${arg}` : ` [${arg}]`;
  if (shortOnly === true) return `-${short}${value}`;
  return `${short === undefined ? "   " : `-${short},`} --${name}${value}`;
}

/** One entry of a list: a name, and its meaning beside or below it. */
export function row(name: string, meaning: string): string {
  const left = `  ${name}`;
  const text = wrapped(meaning, COLUMN, COLUMN);
  return left.length <= COLUMN - 2 ? `${left}${text.slice(left.length)}` : `${left}\n${text}`;
}

/** A sentence as the meaning of an entry. */
export const phrase = (sentence: string): string => `${sentence[0]?.toLowerCase()}${sentence.slice(1).replace(/\.$/, "")}`;

/** `text` broken at blanks, its first line indented by `first` columns and the others by `rest`. */
export function wrapped(text: string, first = 0, rest = 0): string {
  const lines: string[] = [];
  let line = " ".repeat(first);
  for (const word of text.split(" ")) {
    const isEmpty = line.trim() === "";
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${" ".repeat(rest)}${word}`;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line, ""].join("\n");
}
