/** A source file as oxc's parser reads it: its imports, and those of its nodes that a rule of the boundaries asks for. */
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";

export interface Source {
  /** From the top of the project: "src/exec/engine.ts". */
  readonly path: string;
  readonly text: string;
  readonly comments: readonly string[];
  readonly imports: readonly Import[];
  readonly body: readonly Node[];
  /** The nodes of a type, in the order of the text. */
  readonly placesOf: (type: string) => readonly Place[];
}

export interface Import {
  readonly specifier: string;
  /** A file of ours as its path from the top, anything else as it is written. */
  readonly module: string;
  /** "default", "*" and the names that the module gives. */
  readonly names: readonly string[];
  readonly typesOnly: boolean;
}

/** A node of ESTree or of its extension for TypeScript. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

export interface Place {
  readonly node: Node;
  readonly parent: Node | undefined;
  /** The property of `parent` that it stands in. */
  readonly key: string;
  /** The innermost function around it; undefined where it is run by the import. */
  readonly within: Node | undefined;
}

/** Throws where the text is no TypeScript. */
export function parse(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const places = new Map<string, Place[]>();
  const enter = (node: Node, parent: Node | undefined, key: string, within: Node | undefined): void => {
    if (node.type !== "Identifier" || WATCHED.has(node["name"] as string)) {
      const of = places.get(node.type);
      if (of === undefined) places.set(node.type, [{ node, parent, key, within }]);
      else of.push({ node, parent, key, within });
    }
    const inside = FUNCTIONS.has(node.type) ? node : within;
    for (const name in node) {
      const value = node[name];
      if (isNode(value)) enter(value, node, name, inside);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) enter(item, node, name, inside);
    }
  };
  enter(program as unknown as Node, undefined, "", undefined);
  const placesOf = (type: string): readonly Place[] => places.get(type) ?? [];
  const body = children(program as unknown as Node, "body");
  return { path, text, comments: comments.map(({ value }) => value), imports: importsIn(path, placesOf), body, placesOf };
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "TSDeclareFunction"]);

/** Identifiers that rules look for; of the others there are too many to keep. */
const WATCHED = new Set(
  [
    "process global globalThis eval Function require Reflect WebAssembly console fetch WebSocket EventSource XMLHttpRequest navigator",
    "BroadcastChannel Worker SharedWorker crypto performance Date Math setTimeout setInterval Intl",
  ].flatMap((names) => names.split(" ")),
);

function importsIn(path: string, placesOf: Source["placesOf"]): Import[] {
  const found: Import[] = [];
  const add = (source: Node | undefined, names: readonly string[], typesOnly: boolean): void => {
    const specifier = source?.["value"];
    if (typeof specifier === "string")
      found.push({
        specifier,
        module: specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : specifier,
        names,
        typesOnly,
      });
  };
  for (const { node } of placesOf("ImportDeclaration"))
    add(child(node, "source"), children(node, "specifiers").map(importedName), node["importKind"] === "type");
  for (const { node } of placesOf("ExportNamedDeclaration"))
    add(
      child(node, "source"),
      children(node, "specifiers").map((one) => nameOf(child(one, "local"))),
      node["exportKind"] === "type",
    );
  for (const { node } of placesOf("ExportAllDeclaration")) add(child(node, "source"), ["*"], node["exportKind"] === "type");
  for (const { node } of placesOf("ImportExpression")) add(child(node, "source"), ["*"], false);
  for (const { node } of placesOf("TSImportType")) add(child(node, "source"), ["*"], true);
  for (const { node } of placesOf("TSExternalModuleReference")) add(child(node, "expression"), ["*"], false);
  return found;
}

function importedName(specifier: Node): string {
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.type === "ImportNamespaceSpecifier" ? "*" : nameOf(child(specifier, "imported"));
}

export const child = (node: Node, property: string): Node | undefined => (isNode(node[property]) ? node[property] : undefined);

export const children = (node: Node, property: string): Node[] => ((node[property] ?? []) as unknown[]).filter(isNode);

/** The name of an identifier, the value of a string, else "". */
export const nameOf = (node: Node | undefined): string => String(node?.["name"] ?? (node?.type === "Literal" ? node["value"] : ""));

/** `a.b` and `a["b"]` → "b"; undefined where the name is computed. */
export function propertyOf(member: Node): string | undefined {
  const property = child(member, "property");
  if (member["computed"] === true && property?.type !== "Literal") return undefined;
  return nameOf(property);
}

export const textOf = ({ text }: Source, { start, end }: Node): string => text.slice(start, Math.min(end, start + 80)).replace(/\s+/g, " ");

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** Names that the module's own statements declare, for all of its text. */
export function declaredIn({ body }: Source): ReadonlySet<string> {
  const statements = body.map((statement) => child(statement, "declaration") ?? statement);
  return new Set(
    statements.flatMap((statement) => [
      ...children(statement, "declarations").flatMap((declaration) => namesIn(child(declaration, "id"))),
      ...(child(statement, "id") === undefined ? [] : [nameOf(child(statement, "id"))]),
      ...(statement.type === "ImportDeclaration" ? children(statement, "specifiers").map((one) => nameOf(child(one, "local"))) : []),
    ]),
  );
}

/** The names that a pattern binds. */
export function namesIn(pattern: Node | undefined): string[] {
  if (pattern === undefined) return [];
  if (pattern.type === "Identifier") return [nameOf(pattern)];
  return ["properties", "elements", "value", "left", "argument"].flatMap((property) =>
    Array.isArray(pattern[property]) ? children(pattern, property).flatMap(namesIn) : namesIn(child(pattern, property)),
  );
}
