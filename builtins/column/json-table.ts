/** A table as JSON: an object a row, with what stands under it as its children. */
import { inAsciiLowerCase, type LaidOutTable } from "./table.ts";

/** Yields parts of the text; names are in lower case as far as they are ASCII, as the real tool writes them. */
export function* jsonTable({ columns, rows, tree }: LaidOutTable, title: string): Generator<string, void> {
  const shown = columns.filter(({ isHidden }) => !isHidden);
  yield `{\n   ${quoted(title)}: [\n`;
  const indent = (depth: number): string => " ".repeat(6 + 6 * depth);
  const opened = (at: number, depth: number): string => {
    const members = shown.map(({ index, name = "" }) => {
      const cell = rows[at]?.[index];
      return `${indent(depth)}   ${quoted(inAsciiLowerCase(name))}: ${cell === undefined || cell === "" ? "null" : quoted(cell)}`;
    });
    return `{\n${members.join(",\n")}`;
  };
  const siblings = tree === undefined ? [...rows.keys()] : [...rows.keys()].filter((at) => tree.parents[at] === -1);
  /** What is open: rows side by side, and how many of them were written. */
  const open: { readonly rows: readonly number[]; written: number }[] = [{ rows: siblings, written: 0 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const depth = open.length - 1;
    if (level.written === level.rows.length) {
      open.pop();
      if (depth > 0) yield `\n${indent(depth - 1)}   ]\n${indent(depth - 1)}}`;
      continue;
    }
    const at = level.rows[level.written] as number;
    yield (level.written === 0 ? indent(depth) : ",") + opened(at, depth);
    level.written++;
    const under = tree?.children[at] ?? [];
    if (under.length === 0) yield `\n${indent(depth)}}`;
    else {
      yield `${shown.length > 0 ? ",\n" : ""}${indent(depth)}   "children": [\n`;
      open.push({ rows: under, written: 0 });
    }
  }
  yield "\n   ]\n}\n";
}

/** A byte that is no text stays one: what is printed is then no JSON either. */
function quoted(text: string): string {
  if (text.isWellFormed()) return JSON.stringify(text);
  return `"${[...text].map((character) => (character.isWellFormed() ? JSON.stringify(character).slice(1, -1) : character)).join("")}"`;
}
