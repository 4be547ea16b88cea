/** Rule on the state of modules: nothing that a module declares changes after its import. */
import { child, children, nameOf, namesIn, type Node, propertyOf, type Source, textOf } from "./source.ts";

/** Files with state of their module, each with its reason; docs/design.md §4 names them. */
export const STATEFUL: Readonly<Record<string, string>> = {
  "src/exec/executor.ts": "a process of ours has one call at a time",
  "src/wasm/code-thread.ts": "a thread is kept for the next call",
  "src/wasm/tool-thread.ts": "threads are kept for the next stage",
  "src/wasm/grammars.ts": "compiled grammars",
  "src/wasm/wasm-tool.ts": "compiled modules",
  "src/regex/character-class.ts": "a table that is made when it is first needed",
  "src/builtin/flag-values.ts": "flag tables, compiled once per definition",
  "src/io/byte-places.ts": "memory of a WebAssembly function, filled and read within one call",
  "src/io/count-byte.ts": "memory of a WebAssembly function, filled and read within one call",
  "src/search/byte-pairs.ts": "memory of a WebAssembly function, filled and read within one call",
  "src/search/byte-triples.ts": "memory of a WebAssembly function, filled and read within one call",
};

/** Complaints on a file, whether or not it is among those that may have state. */
export function complaintsOfState(source: Source): string[] {
  const { path, body, placesOf } = source;
  const declared = body
    .map((statement) => (statement.type.startsWith("Export") ? child(statement, "declaration") : statement))
    .filter((statement) => statement?.type === "VariableDeclaration" && statement["declare"] !== true) as Node[];
  const variables = new Set(
    declared.flatMap((statement) => children(statement, "declarations").flatMap((declaration) => namesIn(child(declaration, "id")))),
  );
  const classes = new Set(placesOf("ClassDeclaration").map(({ node }) => nameOf(child(node, "id"))));
  const isOurs = (target: Node | undefined): boolean => {
    const owner = ownerOf(target);
    return owner !== undefined && (variables.has(owner) || classes.has(owner));
  };
  const written = [
    ...placesOf("AssignmentExpression").filter(({ node }) => isOurs(child(node, "left"))),
    ...placesOf("UpdateExpression").filter(({ node }) => isOurs(child(node, "argument"))),
    ...placesOf("UnaryExpression").filter(({ node }) => node["operator"] === "delete" && isOurs(child(node, "argument"))),
    ...placesOf("CallExpression").filter(({ node }) => changes(node, isOurs)),
  ].filter(({ within }) => within !== undefined);
  const statics = placesOf("PropertyDefinition").filter(({ node }) => node["static"] === true && node["readonly"] !== true);
  return [
    ...declared.filter((statement) => statement["kind"] !== "const").map((statement) => `${path}: ${textOf(source, statement)}`),
    ...[...written, ...statics].map(({ node }) => `${path}: ${textOf(source, node)}`),
  ];
}

/** `a.b[c]` → "a"; undefined for a variable itself, and for `lastIndex`: a sticky pattern has its place set before each use. */
function ownerOf(target: Node | undefined): string | undefined {
  if (target?.type === "MemberExpression" && propertyOf(target) === "lastIndex") return undefined;
  let owner = target;
  while (owner !== undefined && STEPS.has(owner.type)) owner = child(owner, "object") ?? child(owner, "expression");
  return owner !== target && owner?.type === "Identifier" ? nameOf(owner) : undefined;
}

const STEPS = new Set(["MemberExpression", "TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression", "ParenthesizedExpression"]);

/** `TABLE.set(…)`, `Object.assign(TABLE, …)`. */
function changes(call: Node, isOurs: (target: Node | undefined) => boolean): boolean {
  const callee = child(call, "callee");
  if (callee?.type !== "MemberExpression") return false;
  const method = propertyOf(callee) ?? "";
  if (nameOf(child(callee, "object")) === "Object" && CHANGERS_OF_OBJECT.has(method)) {
    const [target] = children(call, "arguments");
    return target !== undefined && isOurs({ type: "MemberExpression", start: 0, end: 0, object: target });
  }
  return CHANGERS.has(method) && isOurs(callee);
}

const CHANGERS = new Set("set add delete clear push pop shift unshift splice sort reverse fill copyWithin".split(" "));
const CHANGERS_OF_OBJECT = new Set(["assign", "defineProperty", "defineProperties", "setPrototypeOf"]);
