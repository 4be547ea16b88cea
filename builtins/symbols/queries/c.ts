/** C. Its headers are read as C++'s, which may be either's. */
import type { Language } from "../language.ts";

export const c: Language = {
  name: "C",
  grammar: "c",
  extensions: ["c"],
  definitions: `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (_ (_ (function_declarator declarator: (identifier) @name)))) @function
(function_definition declarator: (_ (_ (_ (function_declarator declarator: (identifier) @name))))) @function
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @field
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    (array_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @variable)
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "statement_identifier"],
};
