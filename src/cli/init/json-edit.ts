/** Changes to a JSON file that a person keeps: comments, order, indentation and everything else stay as they are. */
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

/** Names of properties, and positions in arrays, from the top to a value. */
export type JsonPath = readonly (string | number)[];

export type JsonChange =
  /**
   * The value at `path` (undefined: there is none) becomes `value` of it; objects on the way are made. One that `isOurs` goes, whatever
   * was there before it.
   */
  | { readonly kind: "value"; readonly path: readonly string[]; readonly value: (held: unknown) => unknown; readonly isOurs?: IsOurs }
  /** The array at `path` has an element `value`: in the place of the first that `isOld` picks, else at its end. */
  | {
      readonly kind: "element";
      readonly path: readonly string[];
      readonly value: unknown;
      readonly isOld?: (element: unknown) => boolean;
    };

/** True for a value `held` that is ours alone, although the file had `earlier` in its place before. */
export type IsOurs = (held: unknown, earlier: unknown) => boolean;

/** Thrown for a file whose content is not of the type its name says: nothing can be changed in it. */
export class UneditableFile extends Error {
  override readonly name = "UneditableFile";
}

/** The mark by which editors of Windows begin a file in UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";

/** `edit` made to `text` but the byte order mark that it may begin with. */
export function besidesMark(text: string | undefined, edit: (text: string | undefined) => string): string {
  return text?.startsWith(BYTE_ORDER_MARK) === true ? BYTE_ORDER_MARK + edit(text.slice(1)) : edit(text);
}

/** `text` (undefined: there is no file) with `changes` made; equal to `text` where they hold already. Throws UneditableFile. */
export function editedJson(text: string | undefined, changes: readonly JsonChange[]): string {
  return besidesMark(text, (given) => changes.reduce(edited, given === undefined || given.trim() === "" ? "{\n}\n" : given));
}

/**
 * `text` without what `changes` put there; objects and arrays that become empty by it go too. What `before` (the text from before the
 * first of them; undefined: there was no file) had stays, or comes back. Throws UneditableFile.
 */
export function restoredJson(text: string, changes: readonly JsonChange[], before: string | undefined): string {
  const earlier = before === undefined || before.trim() === "" ? undefined : jsonValue(before);
  return besidesMark(text, (given = "") =>
    given.trim() === "" ? given : changes.toReversed().reduce((now, change) => restored(now, change, earlier), given),
  );
}

/** The value of a JSON text, which may have comments, trailing commas and a byte order mark. Throws UneditableFile. */
export function jsonValue(text: string): unknown {
  return valueOf(parsed(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
}

/** The parser's objects have no prototype, which a comparison would see. */
const valueOf = (node: Node): unknown => structuredClone(getNodeValue(node));

function edited(text: string, change: JsonChange): string {
  const root = parsed(text);
  refuseRepeats(root, change);
  const found = findNodeAtLocation(root, [...change.path]);
  const held = found && valueOf(found);
  if (change.kind === "value") {
    const value = change.value(held);
    const after = found === undefined ? withProperty(text, root, change.path, value) : withDifference(text, change.path, held, value);
    if (isDeepStrictEqual(at(jsonValue(after), change.path), value)) return after;
    throw new UneditableFile(`'${change.path.join(".")}' stands in it in a form that cannot be changed with certainty; change it by hand`);
  }
  if (found === undefined) return withProperty(text, root, change.path, [change.value]);
  if (!Array.isArray(held)) throw notOfKind(change.path, found, "a list");
  if (held.some((element) => isDeepStrictEqual(element, change.value))) return text;
  const taken = found.children?.[held.findIndex((element) => change.isOld?.(element) === true)];
  return taken === undefined ? withChild(text, found, "", change.value) : withValue(text, taken, change.value);
}

/** `text` with `value` at `path`, where `held` stands: only the places are written anew in which they differ. */
function withDifference(text: string, path: JsonPath, held: unknown, value: unknown): string {
  if (isDeepStrictEqual(held, value)) return text;
  if (Array.isArray(held) && Array.isArray(value) && held.length === value.length) {
    return value.reduce<string>((now, element, at) => withDifference(now, [...path, at], held[at], element), text);
  }
  if (isObject(held) && isObject(value)) {
    const gone = Object.keys(held).filter((key) => !Object.hasOwn(value, key));
    return Object.entries(value).reduce<string>(
      (now, [key, inner]) =>
        Object.hasOwn(held, key)
          ? withDifference(now, [...path, key], held[key], inner)
          : withChild(now, nodeAt(now, path), `${JSON.stringify(key)}: `, inner),
      gone.reduce((now, key) => without(now, nodeAt(now, [...path, key])), text),
    );
  }
  return withValue(text, nodeAt(text, path), value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nodeAt = (text: string, path: JsonPath): Node => findNodeAtLocation(parsed(text), [...path]) as Node;

/** Throws UneditableFile where a key stands twice on the way to the change or in the value there: clients read the last, the tree has the first. */
function refuseRepeats(root: Node, { kind, path }: JsonChange): void {
  let node: Node | undefined = root;
  for (const key of path) {
    if (node?.type !== "object") return;
    const [first, second]: readonly Node[] = (node.children ?? []).filter((property) => property.children?.[0]?.value === key);
    if (second !== undefined) throw repeated(key);
    node = first?.children?.[1];
  }
  if (kind === "value" && node !== undefined) refuseRepeatsIn(node);
}

function refuseRepeatsIn(node: Node): void {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [name, value] = child.type === "property" ? (child.children ?? []) : [undefined, child];
    if (name !== undefined && names.has(name.value)) throw repeated(String(name.value));
    names.add(name?.value);
    if (value !== undefined) refuseRepeatsIn(value);
  }
}

const repeated = (key: string): UneditableFile =>
  new UneditableFile(`'${key}' stands in it twice, and which of them a client obeys is not certain: take one out by hand`);

function restored(text: string, change: JsonChange, earlier: unknown): string {
  const root = parsed(text);
  refuseRepeats(root, change);
  const found = findNodeAtLocation(root, [...change.path]);
  if (found === undefined) return text;
  const held = valueOf(found);
  const earlierHeld = at(earlier, change.path);
  if (change.kind === "value") {
    return earlierHeld === undefined || change.isOurs?.(held, earlierHeld) === true
      ? withoutEmpty(without(text, found), change.path.slice(0, -1), earlier)
      : withDifference(text, change.path, held, earlierHeld);
  }
  if (!Array.isArray(held)) return text;
  const stays = (element: unknown): boolean =>
    !(isDeepStrictEqual(element, change.value) || change.isOld?.(element) === true) ||
    (Array.isArray(earlierHeld) && earlierHeld.some((one) => isDeepStrictEqual(one, element)));
  const gone = held.flatMap((element, index) => (stays(element) ? [] : [index])).toReversed();
  const shorter = gone.reduce((now, index) => without(now, nodeAt(now, [...change.path, index])), text);
  return gone.length === 0 ? text : withoutEmpty(shorter, change.path, earlier);
}

/** `text` without the empty objects and arrays on the way to `path`, that of `path` first, as far as `earlier` did not have them. */
function withoutEmpty(text: string, path: readonly string[], earlier: unknown): string {
  if (path.length === 0 || at(earlier, path) !== undefined) return text;
  const node = nodeAt(text, path);
  // A comment in it is somebody's.
  const isEmpty = (node.children ?? []).length === 0 && text.slice(node.offset + 1, node.offset + node.length - 1).trim() === "";
  return isEmpty ? withoutEmpty(without(text, node), path.slice(0, -1), earlier) : text;
}

/** The value that `path` leads to in `value`; undefined where it leads to nothing. */
function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value);
}

/** `text` without the property or the element whose value `node` is, and without the comma and the line it leaves behind. */
function without(text: string, node: Node): string {
  const child = node.parent?.type === "property" ? node.parent : node;
  const siblings = child.parent?.children ?? [];
  const index = siblings.indexOf(child);
  const next = siblings[index + 1];
  const before = siblings[index - 1];
  const end = child.offset + child.length;
  if (before !== undefined) {
    // From behind its elder sibling's comma, which stays only where another follows or a trailing one stood.
    const from = before.offset + before.length;
    const [comma = ""] = /^\s*,/.exec(text.slice(from)) ?? [];
    const [tail = ""] = /^[ \t]*,?/.exec(text.slice(end)) ?? [];
    const keepsComma = next !== undefined || tail.includes(",");
    const lead = text.slice(from + comma.length, child.offset);
    const comment = lead.trimEnd();
    return `${text.slice(0, from)}${keepsComma ? comma : ""}${comment === "" ? "" : comment}${text.slice(end + tail.length)}`;
  }
  if (next !== undefined) return text.slice(0, child.offset) + text.slice(end).replace(/^\s*,\s*/, "");
  const [tail = ""] = /^[ \t]*,?/.exec(text.slice(end)) ?? [];
  const holder = child.parent as Node;
  const inner = text.slice(holder.offset + 1, child.offset);
  const rest = text.slice(end + tail.length, holder.offset + holder.length - 1);
  if (inner.trim() === "" && rest.trim() === "") return spliced(text, holder.offset + 1, holder.offset + holder.length - 1, "");
  return text.slice(0, child.offset) + text.slice(end + tail.length);
}

const notOfKind = (path: readonly string[], { type }: Node, wanted: string): UneditableFile =>
  new UneditableFile(`'${path.join(".")}' is ${KINDS[type]}, and must be ${wanted}`);

function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new UneditableFile(`it is no JSON: line ${line}: ${JSON_ERRORS[printParseErrorCode(first.error)]}`);
  }
  if (root?.type !== "object") throw new UneditableFile("it holds no JSON object");
  return root;
}

/** The parser's errors in words. */
const JSON_ERRORS: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: "a word that is no value",
  InvalidNumberFormat: "a number that cannot be read",
  PropertyNameExpected: "a name in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a : is missing",
  CommaExpected: "a , is missing",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "something follows the end of the value",
  InvalidCommentToken: "a comment stands where none may",
  UnexpectedEndOfComment: "a comment has no end, */",
  UnexpectedEndOfString: 'a string has no end, "',
  UnexpectedEndOfNumber: "a number breaks off",
  InvalidUnicode: "\\u is not followed by four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash is followed by a character that it cannot escape",
  InvalidCharacter: "a control character stands in a string",
  "<unknown ParseErrorCode>": "it cannot be read",
};

/** The kinds of a JSON value in words. */
const KINDS: Readonly<Record<Node["type"], string>> = {
  object: "an object",
  array: "a list",
  property: "a property",
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  null: "null",
};

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (thrown) {
    // The parser goes down a level with each bracket.
    if (thrown instanceof RangeError) throw new UneditableFile("it nests deeper than can be read");
    throw thrown;
  }
}

function withProperty(text: string, root: Node, path: readonly string[], value: unknown): string {
  let depth = path.length - 1;
  while (findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth--;
  const holder = findNodeAtLocation(root, path.slice(0, depth)) as Node;
  const name = path[depth] as string;
  if (holder.type !== "object") throw notOfKind(path.slice(0, depth), holder, "an object");
  const whole = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return withChild(text, holder, `${JSON.stringify(name)}: `, whole);
}

/** Puts a property or an element behind the last one of `holder`, on a line of its own where the others are. */
function withChild(text: string, holder: Node, label: string, value: unknown): string {
  const children = holder.children ?? [];
  const last = children.at(-1);
  const inner = { start: holder.offset + 1, end: holder.offset + holder.length - 1 };
  const { eol, unit } = layout(text);
  const isSpread = last === undefined ? text.includes("\n") : text.slice(inner.start, last.offset).includes("\n");
  if (!isSpread) {
    const at = last === undefined ? inner.start : last.offset + last.length;
    return spliced(text, at, at, `${last === undefined ? "" : ", "}${label}${JSON.stringify(value)}`);
  }
  const outer = indentationAt(text, holder.offset);
  const own = last === undefined ? outer + unit : indentationAt(text, last.offset);
  const child = `${eol}${own}${label}${printed(value, own, unit, eol)}`;
  if (last === undefined)
    return spliced(text, inner.start, inner.end, `${text.slice(inner.start, inner.end).trimEnd()}${child}${eol}${outer}`);
  const after = last.offset + last.length;
  const rest = text.slice(after, inner.end);
  // A comma that ends the list already, and a comment behind the last child on its line, stay before the new one.
  const [tail = ""] = /^[ \t]*(?:,[ \t]*)?(?:\/\/[^\r\n]*)?/.exec(rest) ?? [];
  const comma = /^[ \t]*,/.test(tail) ? "" : ",";
  return `${text.slice(0, after)}${comma}${tail}${child}${text.slice(after + tail.length)}`;
}

function withValue(text: string, node: Node, value: unknown): string {
  const { eol, unit } = layout(text);
  const isSpread = text.slice(node.offset, node.offset + node.length).includes("\n") || text.slice(0, node.offset).includes("\n");
  const shown = isSpread ? printed(value, indentationAt(text, node.offset), unit, eol) : JSON.stringify(value);
  return spliced(text, node.offset, node.offset + node.length, shown);
}

const printed = (value: unknown, indentation: string, unit: string, eol: string): string =>
  JSON.stringify(value, undefined, unit).replaceAll("\n", eol + indentation);

const spliced = (text: string, from: number, to: number, insert: string): string => text.slice(0, from) + insert + text.slice(to);

/** The white space that begins the line of `offset`. */
function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Line ending and indentation of the file itself. */
function layout(text: string): { eol: string; unit: string } {
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  " };
}
