/** The list of builtins in the README: each name and alias, between two marks. */
import { builtins } from "../../builtins/registry.ts";

const BEGIN = "<!-- builtins: npm run docs -->\n";
const END = "<!-- /builtins -->";
/** Columns of a line of the list. */
const WIDTH = 120;

/** `readme` with the list of today. Throws where it has no marks. */
export function withBuiltinList(readme: string): string {
  const from = readme.indexOf(BEGIN) + BEGIN.length;
  const to = readme.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error("README.md has no marks around the list of builtins");
  const names = builtins.map(({ name }) => name);
  const aliases = builtins.flatMap((builtin) => builtin.aliases ?? []);
  return `${readme.slice(0, from)}${wrapped(`Builtins: \`${names.join(" ")}\` (and \`${aliases.join(" ")}\`).`)}\n${readme.slice(to)}`;
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
