/** The filters that are ours: a plain part of jq's language. */
import type { Numeral, Text } from "./json-value.ts";

export type Filter =
  | { readonly kind: "identity" }
  | { readonly kind: "recurse" }
  | { readonly kind: "field"; readonly of: Filter; readonly name: Text; readonly optional: boolean }
  | { readonly kind: "index"; readonly of: Filter; readonly index: number; readonly optional: boolean }
  | {
      readonly kind: "slice";
      readonly of: Filter;
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly optional: boolean;
    }
  | { readonly kind: "each"; readonly of: Filter; readonly optional: boolean }
  | { readonly kind: "literal"; readonly value: null | boolean | Numeral | Text }
  /** A string with `\(…)` in it. */
  | { readonly kind: "text"; readonly parts: readonly (string | Filter)[] }
  | { readonly kind: "pipe" | "comma" | "alternative" | "and" | "or" | "sum"; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "comparison"; readonly operator: Comparison; readonly left: Filter; readonly right: Filter }
  | { readonly kind: "array"; readonly of: Filter | undefined }
  | { readonly kind: "object"; readonly names: readonly Text[]; readonly values: readonly Filter[] }
  | { readonly kind: "if"; readonly condition: Filter; readonly then: Filter; readonly otherwise: Filter }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Filter[] };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";
