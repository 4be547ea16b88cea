/** Changes to a TOML file that a person keeps: only the lines of the table concerned are written anew. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { besidesMark, UneditableFile } from "./json-edit.ts";

export interface TomlChange {
  /** Names of the table: ["mcp_servers", "shelpa"]. */
  readonly table: readonly string[];
  /** Keys it gets, made from those it has (undefined: there is no such table); its other keys stay. */
  readonly values: (held: TomlTable | undefined) => TomlTable;
  /** The table is ours, and goes whole with our keys. */
  readonly isOurs: boolean;
}

/** `text` (undefined: there is no file) with `changes` made; equal to `text` where they hold already. Throws UneditableFile. */
export function editedToml(text: string | undefined, changes: readonly TomlChange[]): string {
  return besidesMark(text, (given) => changes.reduce(edited, given ?? ""));
}

function edited(old: string, { table, values, isOurs }: TomlChange): string {
  const before = parsed(old);
  const current = tableAt(before, table);
  const made = values(current && plain(current));
  const wanted = isOurs ? made : { ...current, ...made };
  if (current !== undefined && isDeepStrictEqual(plain(current), plain(wanted))) return old;
  const { eol, header } = layout(old, table);
  const [ownKeys, inner] = [keysOf(wanted, false), keysOf(wanted, true)];
  // Tables inside it keep their lines where nothing in them changes.
  const withInner = !isDeepStrictEqual(plain(inner), plain(keysOf(current ?? {}, true)));
  const lines = withInner ? `${stringify(ownKeys)}\n${innerTables(inner, table)}` : stringify(ownKeys);
  const section = `${header}\n${lines}`.trimEnd().replaceAll("\n", eol);
  const after = current === undefined ? appended(old, section, eol) : replaced(old, table, section, eol, withInner);
  // Of what stands there, which may be somebody else's work, nothing is advised.
  const advised = `${header}\n${stringify(values(undefined))}`.trimEnd();
  return checked(after, [withTable(before, table, wanted)], `write it by hand:\n${advised}`, header);
}

/** The keys of `table` that lead to tables, or the others. */
const keysOf = (table: TomlTable, areTables: boolean): TomlTable =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => isTable(value) === areTables));

/** The lines of the tables `inner` inside the table of these names. */
const innerTables = (inner: TomlTable, names: readonly string[]): string =>
  Object.keys(inner).length === 0 ? "" : stringify(withTable({}, names, inner));

/**
 * `text` without what `changes` put there. Keys that `before` (the text from before the first of them; undefined: there was no file)
 * had in a table that is not ours stay. Throws UneditableFile.
 */
export function restoredToml(text: string, changes: readonly TomlChange[], before: string | undefined): string {
  const earlier = parsed(withoutMark(before ?? ""));
  return besidesMark(text, (given = "") => changes.reduce((now, change) => restored(now, change, earlier), given));
}

function restored(old: string, { table, values, isOurs }: TomlChange, earlier: TomlTable): string {
  const now = parsed(old);
  const current = tableAt(now, table);
  if (current === undefined) return old;
  const had = tableAt(earlier, table);
  const gone = Object.keys(values(undefined)).filter((key) => had === undefined || !Object.hasOwn(had, key));
  const kept = isOurs ? {} : Object.fromEntries(Object.entries(current).filter(([key]) => !gone.includes(key)));
  const goesWhole = Object.keys(kept).length === 0 && (isOurs || had === undefined);
  const { eol, header } = layout(old, table);
  const section = goesWhole ? undefined : `${header}\n${stringify(keysOf(kept, false))}`.trimEnd().replaceAll("\n", eol);
  const after = replaced(old, table, section, eol, goesWhole);
  // A table that only holds others is there, or not, by a line of its own.
  const wanted = goesWhole ? [withTable(now, table, undefined), withTable(now, table, undefined, true)] : [withTable(now, table, kept)];
  return checked(after, wanted, "take it out by hand", header);
}

/** The value of a TOML text, which may have a byte order mark. Throws UneditableFile. */
export const tomlValue = (text: string): unknown => plain(parsed(withoutMark(text)));

const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

function parsed(text: string): TomlTable {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [what = ""] = thrown.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new UneditableFile(`it is no TOML: line ${thrown.line}: ${what}`);
  }
}

/** `after`, if it means one of `wanted`: lines of a form that is not known were not touched, and then it does not. */
function checked(after: string, wanted: readonly TomlTable[], advice: string, header: string): string {
  const meant = valueIn(after);
  if (meant !== undefined && wanted.some((one) => isDeepStrictEqual(meant, plain(one)))) return after;
  throw new UneditableFile(`${header} stands in it in a form that cannot be changed line by line; ${advice}`);
}

/** Undefined for what is no TOML, as where lines of an array of tables follow a key of its name. */
function valueIn(text: string): TomlTable | undefined {
  try {
    return plain(parsed(text));
  } catch (thrown) {
    if (thrown instanceof UneditableFile) return undefined;
    throw thrown;
  }
}

function layout(text: string, table: readonly string[]): { readonly eol: string; readonly header: string } {
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", header: `[${table.join(".")}]` };
}

function appended(text: string, section: string, eol: string): string {
  const kept = text.trimEnd();
  return `${kept}${kept === "" ? "" : eol + eol}${section}${eol}`;
}

/**
 * `text` with `section` in the place of the lines from the table's header to the next one, but the comments and empty lines that lead to
 * that; where it is undefined they go. `withInner`: and with them the tables inside the table that follow it.
 */
function replaced(text: string, table: readonly string[], section: string | undefined, eol: string, withInner: boolean): string {
  const lines = text.split(/\r?\n/);
  const names = table.map((name) => `(?:${name}|"${name}"|'${name}')`).join("\\s*\\.\\s*");
  const isHeader = new RegExp(`^\\s*\\[\\s*${names}\\s*\\]\\s*(?:#.*)?$`);
  const isInside = new RegExp(`^\\s*\\[\\s*${names}\\s*\\.`);
  const start = lines.findIndex((line) => isHeader.test(line));
  if (start === -1) return text;
  let end = start + 1;
  const endsIt = (line: string): boolean => /^\s*\[/.test(line) && !(withInner && isInside.test(line));
  while (end < lines.length && !endsIt(lines[end] as string)) end++;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] as string)) end--;
  if (section !== undefined) lines.splice(start, end - start, ...section.split(eol));
  // The empty line before it goes with it, unless it then is the first of the file.
  else if (start > 0 && lines[start - 1] === "") lines.splice(start - 1, end - start + 1);
  else lines.splice(start, end - start);
  return lines.join(eol);
}

function tableAt(root: TomlTable, names: readonly string[]): TomlTable | undefined {
  let found: unknown = root;
  for (const name of names) found = isTable(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return isTable(found) ? found : undefined;
}

/** `root` with `value` as the table of these names; without it, and without tables that become empty but for `keepsEmpty`, where it is undefined. */
function withTable(
  root: TomlTable,
  [name = "", ...deeper]: readonly string[],
  value: TomlTable | undefined,
  keepsEmpty = false,
): TomlTable {
  const inner = root[name];
  const next = deeper.length === 0 ? value : withTable(isTable(inner) ? inner : {}, deeper, value, keepsEmpty);
  if (next !== undefined && (value !== undefined || keepsEmpty || Object.keys(next).length > 0)) return { ...root, [name]: next };
  return Object.fromEntries(Object.entries(root).filter(([key]) => key !== name));
}

/** The parser's tables have no prototype, which a comparison would see. */
const plain = (value: TomlTable): TomlTable => structuredClone(value);

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
