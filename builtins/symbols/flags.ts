/** The flags of symbols and outline. */
import { countReader } from "../../src/numbers/counts.ts";
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";

/** Every kind that a query gives. */
export const KINDS = [
  "alias",
  "class",
  "constant",
  "constructor",
  "enum",
  "field",
  "function",
  "id",
  "interface",
  "keyframes",
  "macro",
  "member",
  "method",
  "module",
  "namespace",
  "property",
  "struct",
  "trait",
  "type",
  "union",
  "variable",
] as const;

function kinds(text: string): ReadonlySet<string> {
  const given = text.split(",").filter((kind) => kind !== "");
  const unknown = given.find((kind) => !KINDS.some((known) => known === kind));
  if (unknown !== undefined || given.length === 0) throw new BadValue(`unknown kind '${unknown ?? text}', not one of ${KINDS.join(", ")}`);
  return new Set(given);
}

export const symbolFlags = {
  kind: {
    kind: "value",
    short: "k",
    arg: "KIND[,KIND]",
    read: kinds,
    otherwise: undefined,
    help: `only definitions of these kinds: ${KINDS.join(", ")}`,
  },
  exact: {
    kind: "switch",
    short: "e",
    overrides: ["ignoreCase", "substring"],
    unread: true,
    help: "the whole name, case and all (default)",
  },
  ignoreCase: { kind: "switch", short: "i", overrides: ["exact"], help: "capitals and small letters are the same" },
  substring: { kind: "switch", short: "s", overrides: ["exact"], help: "names that have NAME in them" },
  refs: { kind: "switch", help: "where the name is used instead: identifiers that define nothing" },
  body: { kind: "switch", help: "print the source of each definition too, with line numbers" },
  json: { kind: "switch", help: "one JSON object on a line for each" },
} as const satisfies FlagTable;

export const outlineFlags = {
  depth: {
    kind: "value",
    short: "d",
    arg: "DEPTH",
    otherwise: undefined,
    read: countReader({ complaint: "invalid depth", min: 1n }),
    help: "at most DEPTH levels below each PATH; folders, files and definitions count alike",
  },
  check: { kind: "path", arg: "FILE", access: "read", help: "compare the outline stored in FILE with the code now, as diff -u" },
  json: { kind: "switch", help: "one JSON object on a line for each folder, file and definition" },
} as const satisfies FlagTable;
