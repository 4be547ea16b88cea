/** The definitions in one file: found by its language's query, nested by where they stand. */
import type { Node, Query, QueryMatch, Tree } from "web-tree-sitter";

/** One definition. What is asked for seldom is worked out when asked, while the tree is there. */
export class Definition {
  readonly kind: string;
  readonly name: string;
  /** With the names of what it stands in: "Class.method". */
  readonly qualifiedName: string;
  /** How many definitions it stands in. */
  readonly depth: number;
  /** Where the name begins: UTF-16 unit of the text. */
  readonly nameAt: number;
  readonly #nameNode: Node;
  readonly #node: Node;
  readonly #text: string;
  #whole: Node | undefined;

  constructor({ name, whole, kind }: Found, text: string, place: { readonly qualifiedName: string; readonly depth: number }) {
    this.kind = kind;
    this.name = nameText(name, kind);
    this.qualifiedName = place.qualifiedName;
    this.depth = place.depth;
    this.nameAt = name.startIndex;
    this.#nameNode = name;
    this.#node = whole;
    this.#text = text;
  }

  /** The name's line, from 1. */
  get nameLine(): number {
    return this.#nameNode.startPosition.row + 1;
  }

  /** Lines from 1 of the whole definition, with its decorators and `export`. */
  get firstLine(): number {
    return this.#wholeNode().startPosition.row + 1;
  }

  /** A definition that ends with its line's newline ends on that line. */
  get lastLine(): number {
    const { row, column } = this.#wholeNode().endPosition;
    return column === 0 && row >= this.firstLine ? row : row + 1;
  }

  /** To find what stands around a node costs as much as the node is deep. */
  #wholeNode(): Node {
    this.#whole ??= this.depth < MOST_QUALIFIED ? withWrapping(this.#node) : this.#node;
    return this.#whole;
  }

  /** What stands before the body, on one line and not longer than `SIGNATURE_UNITS`. */
  get signature(): string {
    return signatureOf(this.#node, this.#text);
  }
}

/** The longest signature printed, in UTF-16 units: a screen's line and a half. */
const SIGNATURE_UNITS = 160;

/** Definitions in definitions whose names are all said: code that goes deeper is a trap for whoever adds them up. */
const MOST_QUALIFIED = 32;

/** Definitions in the order of their names in the text. */
export function definitionsIn(tree: Tree, text: string, query: Query): readonly Definition[] {
  const found = firstPatterns(query.matches(tree.rootNode)).sort(
    (a, b) => a.from - b.from || b.to - a.to || a.name.startIndex - b.name.startIndex,
  );
  const definitions: Definition[] = [];
  const around: Enclosing[] = [];
  for (const find of found) {
    const { from, to, owners } = find;
    while ((around.at(-1)?.to ?? Infinity) <= from) around.pop();
    const passesOver = find.kind === "property" || find.kind === "field" ? CALLED : TAGGED.has(find.kind) ? TYPE_NAME : NOTHING;
    const enclosing = around.findLast((one) => to <= one.to && (from > one.from || to < one.to) && !passesOver.has(one.kind));
    const kind = find.kind === "function" && (owners.length > 0 || HOLDS_METHODS.has(enclosing?.kind ?? "")) ? "method" : find.kind;
    const prefix = enclosing === undefined ? [] : [enclosing.depth < MOST_QUALIFIED ? enclosing.qualifiedName : "…"];
    const qualifiedName = [...prefix, ...owners, nameText(find.name, kind).replace(SEPARATOR, ".")].join(".");
    const depth = enclosing === undefined ? 0 : enclosing.depth + (enclosing.kind === "scope" ? 0 : 1);
    around.push({ kind, qualifiedName, from, to, depth });
    if (kind !== "scope") definitions.push(new Definition({ ...find, kind }, text, { qualifiedName, depth }));
  }
  return definitions.sort((a, b) => a.nameAt - b.nameAt);
}

interface Enclosing {
  readonly kind: string;
  readonly qualifiedName: string;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

interface Found {
  readonly name: Node;
  readonly whole: Node;
  readonly kind: string;
  /** UTF-16 units of the whole. */
  readonly from: number;
  readonly to: number;
  readonly owners: readonly string[];
  readonly pattern: number;
}

const HOLDS_METHODS = new Set(["class", "struct", "trait", "interface", "enum", "union", "member", "scope"]);

/** A property that a constructor's parameter is belongs to the class. */
const CALLED: ReadonlySet<string> = new Set(["function", "method", "constructor"]);
/** C's `typedef struct node { … } node_t` gives node another name and does not hold it. */
const TAGGED: ReadonlySet<string> = new Set(["struct", "union", "enum"]);
const TYPE_NAME: ReadonlySet<string> = new Set(["type"]);
const NOTHING: ReadonlySet<string> = new Set();

/** One find for each name: that of the earliest pattern. */
function firstPatterns(matches: readonly QueryMatch[]): Found[] {
  const byName = new Map<number, Found>();
  for (const { captures, patternIndex } of matches) {
    let name = captures.find((capture) => capture.name === "name")?.node;
    const kind = captures.find((capture) => !NO_KIND.test(capture.name));
    if (name === undefined || kind === undefined) continue;
    const owners = captures.filter((capture) => capture.name === "owner").map((capture) => dotted(capture.node.text));
    // C++'s `A::B::c`.
    while (name.type === "qualified_identifier") {
      const scope = name.childForFieldName("scope");
      const inner = name.childForFieldName("name");
      if (inner === null) break;
      if (scope !== null) owners.push(dotted(scope.text));
      name = inner;
    }
    const key = name.startIndex;
    if ((byName.get(key)?.pattern ?? Infinity) <= patternIndex) continue;
    const { node: whole } = kind;
    byName.set(key, { name, whole, kind: kind.name, from: whole.startIndex, to: whole.endIndex, owners, pattern: patternIndex });
  }
  return [...byName.values()];
}

/** Nor those that only a predicate asks about, `@_…`. */
const NO_KIND = /^(name|owner|_.*)$/;

/** On one line. An alias of bash is `name=`; a function of PowerShell may say its scope before a colon. */
function nameText(node: Node, kind: string): string {
  const text = plainName(node.text.replace(/\s+/g, " ")).replace(/^(?:global|local|private|script):(?=\w)/, "");
  return kind === "alias" ? text.replace(/=$/, "") : text;
}

/** Without the back quotes in which Kotlin and Swift put a name that is a word of theirs, or has spaces. */
export function plainName(text: string): string {
  return text.length > 2 && text.startsWith("`") && text.endsWith("`") ? text.slice(1, -1) : text;
}

const SEPARATOR = /\s*(?:::|\\)\s*/g;
const dotted = (text: string): string => text.replace(/\s+/g, "").replace(SEPARATOR, ".");

/** Nodes around a definition that are no more than a part of it. */
const WRAPPING =
  /^(export_statement|decorated_definition|ambient_declaration|template_declaration|lexical_declaration|variable_declaration|expression_statement)$/;

function withWrapping(node: Node): Node {
  let whole = node;
  for (;;) {
    const { parent } = whole;
    if (parent === null || !WRAPPING.test(parent.type) || whole.type === "pair") return whole;
    whole = parent;
  }
}

function signatureOf(node: Node, text: string): string {
  const end = bodyStart(node, text);
  // Much more than is shown need not be made one line.
  const signature = text
    .slice(node.startIndex, Math.min(end, node.startIndex + 4 * SIGNATURE_UNITS))
    .replace(/\s+/g, " ")
    .replace(ENDS_WITH_WORD.has(node.type) ? /[ ;]+end$/ : /(=>|[{:;=,]|\bdo|(?<=\)) end)? ?$/, "")
    .trim();
  return signature.length <= SIGNATURE_UNITS ? signature : `${cut(signature, SIGNATURE_UNITS)}…`;
}

/** Ruby's, which have no body where nothing is in them. */
const ENDS_WITH_WORD = new Set(["method", "singleton_method", "class", "module"]);

/** Not between the two halves of a character. */
function cut(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

function bodyStart(node: Node, text: string): number {
  if (HAS_BRACE.has(node.type)) {
    const brace = text.indexOf("{", node.startIndex);
    return brace < 0 ? node.endIndex : Math.min(brace, node.endIndex);
  }
  const body = bodyOf(node);
  return body === undefined || body.startIndex <= node.startIndex ? node.endIndex : body.startIndex;
}

/** The body has no node of its own: Go's types, PowerShell's classes. */
const HAS_BRACE = new Set(["type_spec", "class_statement", "enum_statement"]);

/** The body, also of a function that is a variable's value; undefined where it has none. */
function bodyOf(node: Node): Node | undefined {
  const own = node.childForFieldName("body") ?? node.namedChildren.find((child) => BODY.test(child.type));
  if (own !== undefined) return own;
  const value = node.childForFieldName("value") ?? node.childForFieldName("right");
  return value?.childForFieldName("body") ?? undefined;
}

const BODY =
  /^(block|body|declaration_list|field_declaration_list|enum_variant_list|enumerator_list|class_body|interface_body|enum_body|enum_class_body|function_body|computed_property|getter|script_block|accessor_list|compound_statement|keyframe_block_list)$/;
