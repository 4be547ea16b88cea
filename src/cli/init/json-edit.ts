/** Changes to a JSON file that a person keeps: comments, order, indentation and everything else stay as they are. */
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

export type JsonChange =
  /** The value at `path` is `value`; objects on the way are made. */
  | { readonly kind: "set"; readonly path: readonly string[]; readonly value: unknown }
  /** The array at `path` has an element `value`: in the place of the first that `replaces` picks, else at its end. */
  | {
      readonly kind: "element";
      readonly path: readonly string[];
      readonly value: unknown;
      readonly replaces?: (element: unknown) => boolean;
    };

/** Thrown for a file whose content is not of the type its name says: nothing can be changed in it. */
export class UneditableFile extends Error {
  override readonly name = "UneditableFile";
}

/** `text` (undefined: there is no file) with `changes` made; equal to `text` where they hold already. Throws UneditableFile. */
export function editedJson(text: string | undefined, changes: readonly JsonChange[]): string {
  const old = text === undefined || text.trim() === "" ? "{\n}\n" : text;
  return changes.reduce(edited, old);
}

function edited(text: string, change: JsonChange): string {
  const root = parsed(text);
  const found = findNodeAtLocation(root, [...change.path]);
  // The parser's objects have no prototype, which a comparison would see.
  const held: unknown = found === undefined ? undefined : structuredClone(getNodeValue(found));
  if (change.kind === "set") {
    if (isDeepStrictEqual(held, change.value)) return text;
    return found === undefined ? withProperty(text, root, change.path, change.value) : withValue(text, found, change.value);
  }
  if (found === undefined) return withProperty(text, root, change.path, [change.value]);
  if (!Array.isArray(held)) throw new UneditableFile(`'${change.path.join(".")}' is no array`);
  if (held.some((element) => isDeepStrictEqual(element, change.value))) return text;
  const taken = found.children?.[held.findIndex((element) => change.replaces?.(element) === true)];
  return taken === undefined ? withChild(text, found, "", change.value) : withValue(text, taken, change.value);
}

function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new UneditableFile(`line ${line} is no JSON (${printParseErrorCode(first.error)})`);
  }
  if (root?.type !== "object") throw new UneditableFile("it holds no JSON object");
  return root;
}

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
  if (holder.type !== "object") throw new UneditableFile(`'${name}' has no object to stand in`);
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
