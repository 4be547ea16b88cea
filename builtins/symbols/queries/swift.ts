/** Swift. What an extension adds belongs to the type it extends. */
import type { Language } from "../language.ts";

/** Those that the grammar has words of their own for. */
const OPERATORS = "+ - * / % == != < > <= >= === !== ! ~ ++ -- & | ^ << >> += -= *= /= %= ... ..< && || ??"
  .split(" ")
  .map((operator) => `"${operator}"`)
  .join(" ");

export const swift: Language = {
  name: "Swift",
  grammar: "swift",
  extensions: ["swift"],
  interpreters: ["swift"],
  definitions: `
(class_declaration declaration_kind: "extension" name: (user_type) @name) @scope
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @enum
(class_declaration name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @interface
(enum_entry name: (simple_identifier) @name) @member
(function_declaration name: [(simple_identifier) (custom_operator) ${OPERATORS}] @name) @function
(protocol_function_declaration name: [(simple_identifier) (custom_operator) ${OPERATORS}] @name) @method
(init_declaration "init" @name) @constructor
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(typealias_declaration . (modifiers)? . name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(macro_declaration (simple_identifier) @name) @macro
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)
(source_file (property_declaration name: (pattern (pattern (simple_identifier) @name))) @variable)
`,
  identifiers: ["simple_identifier", "type_identifier"],
};
