/**
 * Rules on flag tables: each flag of a table is read, or the compiler says so. `allFlagsRead` and `noFlagLeft` prove it by the
 * types of what is left; these rules hold that what they are given is what is left, and that each builtin is defined in this way.
 */
import { child, children, nameOf, type Node, propertyOf, type Source, textOf } from "./source.ts";

const PROOFS = { allFlagsRead: "src/builtin/flag-values.ts", noFlagLeft: "src/builtin/flag-values.ts" };
const DEFINING = { ...PROOFS, defineBuiltin: "src/builtin/definition.ts" };

/** Complaints on one file of builtins/. */
export function complaintsOfFlags(source: Source): string[] {
  const { path, placesOf } = source;
  if (!path.startsWith("builtins/")) return [];
  const calls = placesOf("CallExpression").map(({ node }) => node);
  const found = [
    ...calls.filter((call) => nameOf(child(call, "callee")) === "allFlagsRead" && !takesWhatIsLeft(source, call)),
    ...calls.filter((call) => nameOf(child(call, "callee")) === "noFlagLeft" && !closesSwitch(source, call)),
    // A value that is taken out and put away is not read.
    ...placesOf("ObjectPattern").flatMap(({ node }) =>
      children(node, "properties").filter((property) => nameOf(bound(property)).startsWith("_") && property.type === "Property"),
    ),
    ...placesOf("UnaryExpression")
      .map(({ node }) => node)
      .filter((node) => node["operator"] === "void" && isPlain(child(node, "argument"))),
    ...placesOf("ExpressionStatement")
      .map(({ node }) => node)
      .filter((node) => isPlain(child(node, "expression"))),
    ...["TSAsExpression", "TSTypeAssertion", "TSNonNullExpression"]
      .flatMap(placesOf)
      .map(({ node }) => node)
      .filter((node) => castsFlags(source, node)),
    ...tablesOfAnyKey(source),
    ...renamed(source),
  ];
  return found.map((node) => `${path}: ${textOf(source, node)}`);
}

const HOLDERS = new Set(["TSSatisfiesExpression", "TSTypeParameter"]);

function bound(property: Node): Node | undefined {
  const value = child(property, "value");
  return value?.type === "AssignmentPattern" ? child(value, "left") : value;
}

/** A variable, or a member of `flags`. */
const isPlain = (node: Node | undefined): boolean =>
  node?.type === "Identifier" || (node?.type === "MemberExpression" && /(?:^|\.)flags$/.test(chainOf(child(node, "object"))));

const chainOf = (node: Node | undefined): string =>
  node?.type === "MemberExpression" ? `${chainOf(child(node, "object"))}.${propertyOf(node)}` : nameOf(node);

/** One argument: the rest of a pattern, `flags` as it was given, or `x.flags`. */
function takesWhatIsLeft(source: Source, call: Node): boolean {
  const [argument, ...more] = children(call, "arguments");
  if (argument === undefined || more.length > 0) return false;
  if (argument.type === "MemberExpression") return propertyOf(argument) === "flags" && child(argument, "object")?.type === "Identifier";
  return argument.type === "Identifier" && bindingsOf(source, nameOf(argument)).every((from) => from === "rest" || from === "flags");
}

/** The ways in which a name comes into being in a file: as the rest of a pattern, as `flags` of one, or otherwise. */
function bindingsOf({ placesOf }: Source, name: string): string[] {
  const patterns = placesOf("ObjectPattern").flatMap(({ node, parent }) => {
    const given = parent?.type === "VariableDeclarator" ? child(parent, "init") : undefined;
    const isGiven =
      given === undefined || given.type === "Identifier" || (given.type === "MemberExpression" && propertyOf(given) === "flags");
    return children(node, "properties").flatMap((property) => {
      if (property.type === "RestElement") return nameOf(child(property, "argument")) === name ? [isGiven ? "rest" : "other"] : [];
      if (nameOf(bound(property)) !== name) return [];
      return [nameOf(child(property, "key")) === "flags" ? "flags" : "other"];
    });
  });
  const plain = placesOf("VariableDeclarator").filter(
    ({ node }) => child(node, "id")?.type === "Identifier" && nameOf(child(node, "id")) === name,
  );
  return patterns.length + plain.length === 0 ? ["other"] : [...patterns, ...plain.map(() => "other")];
}

/** `noFlagLeft(occurrence)` in the default of a switch over `occurrence.key`. */
function closesSwitch({ placesOf }: Source, call: Node): boolean {
  const [argument] = children(call, "arguments");
  return placesOf("SwitchStatement").some(({ node }) => {
    const over = child(node, "discriminant");
    const last = children(node, "cases").find((one) => one["test"] === null);
    const holdsCall = last !== undefined && children(last, "consequent").some((statement) => contains(statement, call));
    return holdsCall && over?.type === "MemberExpression" && propertyOf(over) === "key" && isSame(child(over, "object"), argument);
  });
}

const contains = (outer: Node, { start, end }: Node): boolean => outer.start <= start && end <= outer.end;
const isSame = (a: Node | undefined, b: Node | undefined): boolean =>
  a?.type === "Identifier" && b?.type === "Identifier" && nameOf(a) === nameOf(b);

/**
 * Types under which the keys of a table of `defineBuiltin` are any string: a table that such a one is spread into hides them.
 * `FlagTable` is only held against a table. Types of a family's own by these names (git's) are its parser's.
 */
function tablesOfAnyKey(source: Source): Node[] {
  const types = source.placesOf("ImportSpecifier").flatMap(({ node, parent }) => {
    const isContract = /\/src\/builtin\/definition\.ts$/.test(String(child(parent as Node, "source")?.["value"]));
    return isContract && FLAG_TYPES.has(nameOf(child(node, "imported"))) ? [nameOf(child(node, "local"))] : [];
  });
  if (types.length === 0) return [];
  const holdsFlags = new RegExp(`\\b(?:${types.join("|")})\\b`);
  const isOfFlags = ({ start, end }: Node): boolean => holdsFlags.test(source.text.slice(start, end));
  const references = source
    .placesOf("TSTypeReference")
    .map(({ node, parent }) => ({ node, parent, name: nameOf(child(node, "typeName")) }));
  return [
    ...["TSIndexSignature", "TSMappedType"].flatMap(source.placesOf).flatMap(({ node }) => (isOfFlags(node) ? [node] : [])),
    ...references.flatMap(({ node, name }) =>
      name === "Record" && /^Record<\s*string\b/.test(textOf(source, node)) && isOfFlags(node) ? [node] : [],
    ),
    ...references.flatMap(({ node, parent, name }) =>
      name === "FlagTable" && types.includes(name) && !HOLDERS.has(parent?.type ?? "") ? [parent ?? node] : [],
    ),
  ];
}

/** Those of flags that have an effect. */
const FLAG_TYPES = new Set(["FlagTable", "Flag", "SwitchFlag", "ValueFlag", "PathFlag", "CommandFlag"]);

/** A cast of flags or occurrences, or to a type that has to do with them. */
function castsFlags(source: Source, node: Node): boolean {
  const expression = child(node, "expression");
  const target = child(node, "typeAnnotation");
  const what = expression === undefined ? "" : source.text.slice(expression.start, expression.end);
  const type = target === undefined ? "" : source.text.slice(target.start, target.end);
  if (expression?.type === "CallExpression" && nameOf(child(expression, "callee")) === "defineBuiltin")
    return type !== "unknown as BuiltinDefinition" && type !== "unknown" && type !== "BuiltinDefinition";
  return (
    /(?:^|\.)(?:flags|occurrences?)$/.test(what) || /\b(?:FlagTable|FlagValues?|Occurrence|Unread|(?:Static)?Invocation|any)\b/.test(type)
  );
}

/** The functions that prove are imported under their names, and no others have these. */
function renamed(source: Source): Node[] {
  return [
    ...source.placesOf("ImportSpecifier").flatMap(({ node, parent }) => {
      const [imported, local] = [nameOf(child(node, "imported")), nameOf(child(node, "local"))];
      const from = source.imports.find(({ specifier }) => specifier === child(parent as Node, "source")?.["value"])?.module;
      if (FLAG_TYPES.has(imported)) return imported === local ? [] : [node];
      const isOurs = Object.hasOwn(DEFINING, local) || Object.hasOwn(DEFINING, imported);
      return isOurs && (imported !== local || from !== DEFINING[local as keyof typeof DEFINING]) ? [node] : [];
    }),
    ...["FunctionDeclaration", "VariableDeclarator"]
      .flatMap(source.placesOf)
      .map(({ node }) => node)
      .filter((node) => Object.hasOwn(DEFINING, nameOf(child(node, "id")))),
  ];
}

export const proofsIn = ({ placesOf }: Source): number =>
  placesOf("CallExpression").filter(({ node }) => Object.hasOwn(PROOFS, nameOf(child(node, "callee")))).length;

/** Tables that are not empty, as a file's definitions name them: "FLAGS", or "{" for one that stands in the definition. */
export function tablesOf({ placesOf }: Source): string[] {
  const tables = placesOf("CallExpression")
    .filter(({ node }) => nameOf(child(node, "callee")) === "defineBuiltin")
    .map(({ node }) => {
      const [definition] = children(node, "arguments");
      const flags = children(definition ?? node, "properties").find((property) => nameOf(child(property, "key")) === "flags");
      const table = flags === undefined ? undefined : child(flags, "value");
      if (table?.type === "ObjectExpression") return children(table, "properties").length === 0 ? "" : "{";
      return nameOf(table) || "{";
    });
  const named = tables.filter((table) => table !== "{" && table !== "");
  return [...new Set(named), ...tables.filter((table) => table === "{")];
}

/**
 * Keys that a switch over occurrences has a case for which does not look at the occurrence, and that nothing else in `family`
 * names: the case is all that makes the table compile.
 */
export function keysWithoutReader(source: Source, family: readonly Source[]): string[] {
  let known: ReadonlySet<string> | undefined;
  const read = (): ReadonlySet<string> => (known ??= new Set(family.flatMap((file) => [...keysReadBy(file)])));
  return source.placesOf("SwitchStatement").flatMap(({ node }) => {
    const over = child(node, "discriminant");
    const hasProof = source
      .placesOf("CallExpression")
      .some(({ node: call }) => contains(node, call) && nameOf(child(call, "callee")) === "noFlagLeft");
    if (!hasProof || over === undefined || propertyOf(over) !== "key") return [];
    const occurrence = nameOf(child(over, "object"));
    return sharedCases(node)
      .filter(
        ({ keys, body }) =>
          (keys.length > 1 || body.every((statement) => statement.type === "BreakStatement")) &&
          !body.some((one) => mentions(source, one, occurrence)),
      )
      .flatMap(({ keys }) => keys)
      .filter((key) => !read().has(key));
  });
}

/** Labels that have one body together. */
function sharedCases(node: Node): { readonly keys: string[]; readonly body: readonly Node[] }[] {
  const found: { keys: string[]; body: readonly Node[] }[] = [];
  let keys: string[] = [];
  for (const one of children(node, "cases")) {
    const test = child(one, "test");
    if (test === undefined) continue;
    keys.push(nameOf(test));
    const body = children(one, "consequent");
    if (body.length === 0) continue;
    found.push({ keys, body });
    keys = [];
  }
  return found;
}

const mentions = ({ text }: Source, { start, end }: Node, name: string): boolean =>
  new RegExp(`\\b${name}\\b`).test(text.slice(start, end));

/** Keys that a file reads: `flags.key`, `{ key, … } = flags`, "key" as a value; and those of its flags that are `unread`. */
function keysReadBy({ placesOf }: Source): ReadonlySet<string> {
  const properties = placesOf("Property").map(({ node }) => node);
  const overrides = properties.filter((property) => nameOf(child(property, "key")) === "overrides");
  const values = placesOf("Literal").filter(
    ({ node, parent }) =>
      parent?.type !== "SwitchCase" && parent?.type !== "TSLiteralType" && !overrides.some((list) => contains(list, node)),
  );
  return new Set([
    ...placesOf("MemberExpression").map(({ node }) => propertyOf(node) ?? ""),
    ...placesOf("ObjectPattern").flatMap(({ node }) => children(node, "properties").map((one) => nameOf(child(one, "key")))),
    ...values.map(({ node }) => nameOf(node)),
    ...properties.filter((property) => isUnread(child(property, "value"))).map((property) => nameOf(child(property, "key"))),
  ]);
}

/** Keys that a file has to do with in any way but by defining flags of that name. */
export function keysUsedBy(source: Source): ReadonlySet<string> {
  return new Set([
    ...keysReadBy(source),
    ...source.placesOf("SwitchCase").map(({ node }) => nameOf(child(node, "test"))),
    ...source
      .placesOf("Property")
      .filter(({ node }) => !isFlag(child(node, "value")))
      .map(({ node }) => nameOf(child(node, "key"))),
  ]);
}

const isFlag = (value: Node | undefined): boolean =>
  value?.type === "CallExpression" ||
  (value?.type === "ObjectExpression" &&
    children(value, "properties").some((one) => one.type === "SpreadElement" || nameOf(child(one, "key")) === "kind"));

const isUnread = (flag: Node | undefined): boolean =>
  flag !== undefined && children(flag, "properties").some((property) => nameOf(child(property, "key")) === "unread");

/** Registered name → module and export, of builtins/registry.ts. */
export function registered(registry: Source): { readonly module: string; readonly name: string }[] {
  return registry.placesOf("MemberExpression").flatMap(({ node }) => {
    const awaited = child(node, "object");
    const loaded = awaited?.type === "ParenthesizedExpression" ? child(awaited, "expression") : awaited;
    const imported = loaded?.type === "AwaitExpression" ? child(loaded, "argument") : undefined;
    if (imported?.type !== "ImportExpression") return [];
    const specifier = String(child(imported, "source")?.["value"]);
    return [{ module: specifier.replace(/^\.\//, "builtins/"), name: propertyOf(node) ?? "" }];
  });
}

/** Exported constants that are the result of `defineBuiltin`, or of a function of the same file that returns it. */
export function definitionsIn({ body, placesOf }: Source): string[] {
  const calls = placesOf("CallExpression").filter(({ node }) => nameOf(child(node, "callee")) === "defineBuiltin");
  const makers = new Set(
    placesOf("FunctionDeclaration")
      .map(({ node }) => node)
      .filter((maker) => calls.some(({ within }) => within === maker))
      .map((maker) => nameOf(child(maker, "id"))),
  );
  return body
    .filter((statement) => statement.type === "ExportNamedDeclaration")
    .flatMap((statement) => children(child(statement, "declaration") ?? statement, "declarations"))
    .filter((declaration) => {
      const init = child(declaration, "init");
      const called = init?.type === "CallExpression" ? nameOf(child(init, "callee")) : "";
      return called === "defineBuiltin" || makers.has(called);
    })
    .map((declaration) => nameOf(child(declaration, "id")));
}
