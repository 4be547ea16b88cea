/**
 * Changes to a YAML file that a person keeps: an entry below a key of the top, in block style, is written and taken out line by line;
 * every other line stays.
 */
import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isNode, isScalar, parseDocument, stringify, visit, type Pair } from "yaml";
import { besidesMark, UneditableFile, type IsOurs } from "./json-edit.ts";

export interface YamlChange {
  /** The key of the top that holds the entries, and the name of the entry. */
  readonly path: readonly [string, string];
  /** The entry, made from the one that is there. */
  readonly value: (held: unknown) => unknown;
  /** The entry goes, whatever was there before it. */
  readonly isOurs: IsOurs;
}

/** `text` (undefined: there is no file) with `change` made; equal to `text` where it holds already. Throws UneditableFile. */
export function editedYaml(text: string | undefined, { path, value }: YamlChange): string {
  return besidesMark(text, (given = "") => {
    const before = mapping(given);
    refuseShared(given, path);
    const held = entryAt(before, path);
    const wanted = value(held);
    if (isDeepStrictEqual(held, wanted)) return given;
    const after = withEntry(given.trim() === "{}" ? "" : given, path, wanted);
    return checked(after, { ...before, [path[0]]: { ...holderAt(before, path[0]), [path[1]]: wanted } }, path);
  });
}

/**
 * `text` without the entry of `change`, or with that of `before` again where it is not ours alone, and without its holder where that
 * becomes empty and `before` (the text from before the change; undefined: there was no file) had none. Throws UneditableFile.
 */
export function restoredYaml(text: string, { path, isOurs }: YamlChange, before: string | undefined): string {
  return besidesMark(text, (given = "") => {
    const now = mapping(given);
    refuseShared(given, path);
    const held = entryAt(now, path);
    if (held === undefined) return given;
    const [holder, name] = path;
    const past = mapping((before ?? "").replace(/^\ufeff/, ""));
    const earlier = entryAt(past, path);
    if (earlier !== undefined && !isOurs(held, earlier))
      return checked(withEntry(given, path, earlier), { ...now, [holder]: { ...holderAt(now, holder), [name]: earlier } }, path);
    const { [name]: _gone, ...rest } = holderAt(now, holder);
    const { [holder]: _all, ...others } = now;
    const isLast = Object.keys(rest).length === 0;
    const hadHolder = Object.hasOwn(past, holder);
    const wanted = isLast ? (hadHolder ? { ...now, [holder]: null } : others) : { ...now, [holder]: rest };
    return checked(withoutEntry(given, path, isLast && !hadHolder), wanted, path);
  });
}

/** The value of a YAML text, which may have a byte order mark. Throws UneditableFile. */
export const yamlValue = (text: string): unknown => mapping(text.replace(/^\ufeff/, ""));

/** Aliases that multiply make much of a small file. */
const MOST_ALIASES = 100;

type Mapping = Readonly<Record<string, unknown>>;

function mapping(text: string): Mapping {
  const value = contentOf(text);
  if (!isMapping(value)) throw new UneditableFile("it holds no YAML mapping");
  return value;
}

function contentOf(text: string): unknown {
  try {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {};
  } catch (thrown) {
    // The parser's own errors, of an alias that leads to nothing or multiplies, and of brackets that nest without end.
    throw new UneditableFile(`it is no YAML: ${thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown)}`);
  }
}

/** Throws UneditableFile where an anchor, an alias or a merged mapping stands on the way to the entry or in it. */
function refuseShared(text: string, [holder, name]: YamlChange["path"]): void {
  const top = parseDocument(text).contents;
  const outer = pairsOf(top).find(({ key }) => isNamed(key, holder));
  const inner = pairsOf(outer?.value).find(({ key }) => isNamed(key, name));
  const way = [top, outer?.key, outer?.value, inner?.key];
  const isMerged = [top, outer?.value].some((node) => pairsOf(node).some(({ key }) => isNamed(key, "<<") || isAlias(key)));
  if (isMerged || way.some(isShared) || hasShared(inner?.value))
    throw new UneditableFile(
      `'${holder}.${name}' is reached by an anchor or an alias, which is not changed with certainty: write it out by hand`,
    );
}

const pairsOf = (node: unknown): readonly Pair[] => (isMap(node) ? node.items : []);
const isNamed = (key: unknown, name: string): boolean => isScalar(key) && key.value === name;
const isShared = (node: unknown): boolean => isAlias(node) || (isNode(node) && "anchor" in node && node.anchor !== undefined);

function hasShared(value: unknown): boolean {
  let found = false;
  if (isNode(value))
    visit(value, {
      Node: (_key, node) => {
        found ||= isShared(node);
      },
    });
  return found;
}

const isMapping = (value: unknown): value is Mapping => typeof value === "object" && value !== null && !Array.isArray(value);

function holderAt(root: Mapping, key: string): Mapping {
  const found = root[key] ?? {};
  if (!isMapping(found))
    throw new UneditableFile(`'${key}' is ${Array.isArray(found) ? "a list" : "a single value"}, and must be a mapping`);
  return found;
}

const entryAt = (root: Mapping, [holder, name]: YamlChange["path"]): unknown => holderAt(root, holder)[name];

/** `after`, if it means `wanted`: flow style and anchors are not known to the lines, and then it does not. */
function checked(after: string, wanted: Mapping, [holder, name]: YamlChange["path"]): string {
  // A key that stands there in flow style would stand there twice.
  if (meansThat(after, wanted)) return after;
  throw new UneditableFile(`'${holder}' stands in it in a form that cannot be changed line by line; change '${holder}.${name}' by hand`);
}

function meansThat(text: string, wanted: Mapping): boolean {
  try {
    return isDeepStrictEqual(contentOf(text), wanted);
  } catch (thrown) {
    if (thrown instanceof UneditableFile) return false;
    throw thrown;
  }
}

interface Block {
  readonly lines: string[];
  /** Indices of the lines of the holder's key and of the first that is not below it. */
  readonly start: number;
  readonly end: number;
  readonly indentation: string;
}

/** The lines below the key `holder` of the top; undefined where it is not there, or not in block style. */
function blockOf(text: string, holder: string): Block | undefined {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => new RegExp(`^(?:${holder}|"${holder}"|'${holder}')\\s*:\\s*(?:#.*)?$`).test(line));
  if (start === -1) return undefined;
  let end = start + 1;
  while (end < lines.length && /^(?:\s|#|$)/.test(lines[end] as string)) end++;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] as string)) end--;
  const first = lines.slice(start + 1, end).find((line) => /^\s+[^\s#]/.test(line));
  return { lines, start, end, indentation: /^\s+/.exec(first ?? "  ")?.[0] ?? "  " };
}

/** Indices of an entry's first line and of the one behind its last; undefined where it is not in block style. */
function placeIn({ lines, start, end, indentation }: Block, name: string): readonly [number, number] | undefined {
  const isName = new RegExp(`^${indentation}(?:${name}|"${name}"|'${name}')\\s*:`);
  const from = lines.findIndex((line, index) => index > start && index < end && isName.test(line));
  if (from === -1) return undefined;
  let to = from + 1;
  while (to < end && (lines[to]?.startsWith(`${indentation} `) === true || /^\s*$/.test(lines[to] as string))) to++;
  while (to > from + 1 && /^\s*$/.test(lines[to - 1] as string)) to--;
  return [from, to];
}

function withEntry(text: string, [holder, name]: YamlChange["path"], value: unknown): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = blockOf(text, holder);
  const indentation = block?.indentation ?? "  ";
  const entry = stringify({ [name]: value }, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => indentation + line);
  if (block === undefined) {
    const kept = text.trimEnd();
    return `${kept}${kept === "" ? "" : eol}${[`${holder}:`, ...entry].join(eol)}${eol}`;
  }
  const [from, to] = placeIn(block, name) ?? [block.end, block.end];
  block.lines.splice(from, to - from, ...entry);
  return block.lines.join(eol);
}

function withoutEntry(text: string, [holder, name]: YamlChange["path"], withHolder: boolean): string {
  const block = blockOf(text, holder);
  const place = block && placeIn(block, name);
  if (block === undefined || place === undefined) return text;
  block.lines.splice(place[0], place[1] - place[0]);
  if (withHolder) block.lines.splice(block.start, 1);
  return block.lines.join(text.includes("\r\n") ? "\r\n" : "\n");
}
