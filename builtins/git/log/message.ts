/** The parts of a commit's message: its title, the text after it, and the whole as it is printed. */
import { textWidth } from "../../../src/display/character-width.ts";
import { toWord, withoutTrailingSpace } from "../objects/byte-text.ts";

/** The subject of a message: its first paragraph on one line. */
export function subjectOf(message: string): string {
  const text = withoutEmptyLines(message);
  // Mostly it is a line with an empty one after it.
  const first = text.indexOf("\n");
  if (first < 0 || text[first + 1] === "\n" || first + 1 === text.length)
    return withoutTrailingSpace(first < 0 ? text : text.slice(0, first));
  return titleOf(text).replaceAll("\n", " ");
}

/** The first paragraph of a message, in its lines. */
export function titleOf(message: string): string {
  const lines: string[] = [];
  for (const whole of withoutEmptyLines(message).split("\n")) {
    const line = withoutTrailingSpace(whole);
    if (line === "") break;
    lines.push(line);
  }
  return lines.join("\n");
}

/** Without those it begins with. */
export const withoutEmptyLines = (message: string): string =>
  FIRST_VISIBLE.test(message) ? message : message.replace(/^(?:[ \t\r\f\v]*\n)+/, "");

const FIRST_VISIBLE = /^[^ \t\r\f\v\n]/;

/** The message after its subject. */
export function bodyOf(message: string): string {
  const text = withoutEmptyLines(message);
  const [all] = /^(?:[^\n]*[^ \t-\r][^\n]*(?:\n|$))*/.exec(text) ?? [""];
  return text.slice(all.length).replace(/^(?:[ \t\r\f\v]*\n)+/, "");
}

/** A message four columns in, without empty lines at its ends. */
export function indented(message: string, by = "    ", tabColumns = 8): string {
  const text = withoutTrailingSpace(withoutEmptyLines(message));
  if (text === "") return "";
  return `${text
    .split("\n")
    .map(withoutTrailingSpace)
    .map((line) => (line === "" ? by : by + expandTabs(line, tabColumns)))
    .join("\n")}\n`;
}

/** Tabs as they would look at the left margin. */
export function expandTabs(line: string, columns: number): string {
  if (columns === 0 || !line.includes("\t")) return line;
  let out = "";
  for (const part of line.split("\t").slice(0, -1)) {
    out += part;
    out += " ".repeat(columns - (textWidth(toWord(out)) % columns));
  }
  return out + line.slice(line.lastIndexOf("\t") + 1);
}
