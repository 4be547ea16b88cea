/** Rust. What an impl defines belongs to its type. */
import type { Language } from "../language.ts";

export const rust: Language = {
  name: "Rust",
  grammar: "rust",
  extensions: ["rs"],
  definitions: `
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (type_identifier) @name)]) @scope
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @union
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @field
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "shorthand_field_identifier"],
};
