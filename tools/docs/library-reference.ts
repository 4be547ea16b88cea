/** Reference of the library: the declaration of each name that src/index.ts exports, with its comments, between two marks of docs/library.md. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

const ENTRY = "src/index.ts";
const BEGIN = "<!-- reference: npm run docs -->\n";
const END = "<!-- /reference -->";

/** `page` with the reference of today; `top` is the checkout. Throws where it has no marks. */
export function withLibraryReference(page: string, top: string): string {
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error("docs/library.md has no marks around the reference");
  return `${page.slice(0, from)}\n${reference(top)}${page.slice(to)}`;
}

function reference(top: string): string {
  const { body } = parsed(join(top, ENTRY));
  return body.flatMap((statement) => exportsOf(statement, top)).join("");
}

/** A section for each name that a statement of the entry exports. */
function exportsOf(statement: Node, top: string): readonly string[] {
  const source = statement["source"] as { readonly value: string };
  const path = join(dirname(join(top, ENTRY)), source.value);
  const file = parsed(path);
  const names = (statement["specifiers"] as readonly { readonly exported: { readonly name: string } }[]).map(
    ({ exported }) => exported.name,
  );
  return names.map((name) => `### ${name}\n\n\`\`\`ts\n${declaration(file, name, path)}\n\`\`\`\n\n`);
}

/** A node of ESTree or of its extension for TypeScript. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

interface ParsedFile {
  readonly text: string;
  readonly body: readonly Node[];
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[];
}

function parsed(path: string): ParsedFile {
  const text = readFileSync(path, "utf8");
  const { program, comments } = parseSync(path, text);
  return { text, body: program.body as unknown as readonly Node[], comments };
}

function declaration(file: ParsedFile, name: string, path: string): string {
  for (const statement of file.body) {
    const declared = statement["declaration"] as Node | null | undefined;
    if (statement.type !== "ExportNamedDeclaration" || !declared) continue;
    const [variable] = (declared["declarations"] as readonly Node[] | undefined) ?? [];
    const { name: own } = ((variable ?? declared)["id"] ?? {}) as { readonly name?: string };
    if (own === name) return `${commentBefore(file, statement)}${shape(file, declared)}`;
  }
  throw new Error(`${path} declares no ${name}`);
}

/** A declaration without code. */
function shape(file: ParsedFile, declared: Node): string {
  const { text } = file;
  switch (declared.type) {
    case "ClassDeclaration": {
      const body = declared["body"] as Node;
      const members = (body["body"] as readonly Node[]).flatMap((member) => memberShape(file, member));
      return `${text.slice(declared.start, body.start)}{\n${members.join("\n")}\n}`;
    }
    case "FunctionDeclaration":
      return signature(text, declared, declared["body"] as Node);
    case "VariableDeclaration": {
      const [{ id, init }] = declared["declarations"] as readonly [{ readonly id: Node; readonly init: Node }];
      // A table is its own description, an expression over others is not.
      return init.type === "ObjectExpression" ? text.slice(declared.start, declared.end) : `const ${text.slice(id.start, id.end)};`;
    }
    default:
      return withoutInternal(file, declared);
  }
}

/** A member of a class; none for what is no part of the interface. */
function memberShape(file: ParsedFile, member: Node): readonly string[] {
  const comment = commentBefore(file, member);
  const key = member["key"] as Node | undefined;
  if (key?.type === "PrivateIdentifier" || member["accessibility"] === "private" || comment.includes("@internal")) return [];
  const { text } = file;
  const { body = null } = (member["value"] ?? {}) as { readonly body?: Node | null };
  const shown = body === null ? text.slice(member.start, member.end).replace(/ = [^;]*;$/, ";") : signature(text, member, body);
  return [`  ${comment}${shown.startsWith("  ") ? shown.trimStart() : shown}`];
}

const signature = (text: string, { start }: Node, body: Node): string =>
  `${text
    .slice(start, body.start)
    .trimEnd()
    .replace(/^((?:static )?)async /, "$1")};`;

/** An interface or a type, without the members that are marked as internal. */
function withoutInternal(file: ParsedFile, declared: Node): string {
  const body = declared["body"] as Node | undefined;
  let shown = file.text.slice(declared.start, declared.end);
  for (const member of ((body?.["body"] ?? []) as readonly Node[]).toReversed()) {
    const comment = commentBefore(file, member);
    if (!comment.includes("@internal")) continue;
    const from = file.text.lastIndexOf("/**", member.start);
    shown = shown.slice(0, from - declared.start).trimEnd() + shown.slice(member.end - declared.start);
  }
  return shown;
}

/** The comment right before a node, with what stands between the two; "" where there is none. */
function commentBefore({ text, comments }: ParsedFile, { start }: Node): string {
  const comment = comments.findLast(({ end }) => end <= start);
  if (comment === undefined || text.slice(comment.end, start).trim() !== "" || !comment.value.startsWith("*")) return "";
  return text.slice(comment.start, start);
}
