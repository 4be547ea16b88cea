/** Changes to a TOML file that a person keeps: only the lines of the table concerned are written anew. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, type TomlTable } from "smol-toml";
import { UneditableFile } from "./json-edit.ts";

export interface TomlChange {
  /** Names of the table: ["mcp_servers", "shelpa"]. */
  readonly table: readonly string[];
  /** Keys it gets; its other keys stay. */
  readonly values: TomlTable;
}

/** `text` (undefined: there is no file) with `change` made; equal to `text` where it holds already. Throws UneditableFile. */
export function editedToml(text: string | undefined, { table, values }: TomlChange): string {
  const old = text ?? "";
  const before = parsed(old);
  const current = tableAt(before, table);
  const wanted = { ...current, ...values };
  if (current !== undefined && isDeepStrictEqual(plain(current), plain(wanted))) return old;
  const eol = old.includes("\r\n") ? "\r\n" : "\n";
  const header = `[${table.join(".")}]`;
  const own = Object.fromEntries(Object.entries(wanted).filter(([, value]) => !isTable(value)));
  const section = `${header}\n${stringify(own)}`.trimEnd().replaceAll("\n", eol);
  const edited = current === undefined ? appended(old, section, eol) : replaced(old, table, section, eol);
  const after = parsed(edited);
  if (!isDeepStrictEqual(plain(after), plain(withTable(before, table, wanted)))) {
    throw new UneditableFile(`${header} stands in it in a form that cannot be changed line by line; write it by hand:\n${section}`);
  }
  return edited;
}

function parsed(text: string): TomlTable {
  try {
    return parse(text);
  } catch (thrown) {
    throw new UneditableFile(`it is no TOML: ${thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown)}`);
  }
}

function appended(text: string, section: string, eol: string): string {
  const kept = text.trimEnd();
  return `${kept}${kept === "" ? "" : eol + eol}${section}${eol}`;
}

/** The lines from the table's header to the next one, but the comments and empty lines that lead to that. */
function replaced(text: string, table: readonly string[], section: string, eol: string): string {
  const lines = text.split(/\r?\n/);
  const names = table.map((name) => `(?:${name}|"${name}"|'${name}')`).join("\\s*\\.\\s*");
  const start = lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${names}\\s*\\]\\s*(?:#.*)?$`).test(line));
  if (start === -1) return text;
  let end = start + 1;
  while (end < lines.length && !/^\s*\[/.test(lines[end] as string)) end++;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] as string)) end--;
  lines.splice(start, end - start, ...section.split(eol));
  return lines.join(eol);
}

function tableAt(root: TomlTable, names: readonly string[]): TomlTable | undefined {
  let found: unknown = root;
  for (const name of names) found = isTable(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return isTable(found) ? found : undefined;
}

function withTable(root: TomlTable, [name, ...deeper]: readonly string[], value: TomlTable): TomlTable {
  if (name === undefined) return value;
  const inner = root[name];
  return { ...root, [name]: withTable(isTable(inner) ? inner : {}, deeper, value) };
}

/** The parser's tables have no prototype, which a comparison would see. */
const plain = (value: TomlTable): unknown => structuredClone(value);

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
