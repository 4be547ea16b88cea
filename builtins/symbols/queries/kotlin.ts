/** Kotlin. What an extension function adds belongs to the type it is for. */
import type { Language } from "../language.ts";

export const kotlin: Language = {
  name: "Kotlin",
  grammar: "kotlin",
  extensions: ["kt", "kts"],
  definitions: `
(class_declaration "interface" name: (identifier) @name) @interface
(class_declaration (modifiers (class_modifier) @_modifier) name: (identifier) @name (#eq? @_modifier "enum")) @enum
(class_declaration (modifiers (class_modifier) @_modifier) name: (identifier) @name (#eq? @_modifier "annotation")) @interface
(class_declaration name: (identifier) @name) @class
(infix_expression . (identifier) @_annotation . (identifier) @_class . (identifier) @name (#eq? @_annotation "annotation") (#eq? @_class "class")) @interface
(object_declaration name: (identifier) @name) @class
(companion_object name: (identifier) @name) @class
(enum_entry (identifier) @name) @member
(secondary_constructor "constructor" @name) @constructor
(function_declaration
  [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))]
  . name: (identifier) @name) @method
(function_declaration name: (identifier) @name) @function
(class_parameter ["val" "var"] (identifier) @name) @property
(class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
(source_file (property_declaration (modifiers (property_modifier) @_modifier) (variable_declaration . (identifier) @name) (#eq? @_modifier "const")) @constant)
(source_file (property_declaration
  [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))]
  . (variable_declaration . (identifier) @name)) @property)
(source_file (property_declaration (variable_declaration . (identifier) @name)) @variable)
(source_file (property_declaration (multi_variable_declaration (variable_declaration . (identifier) @name))) @variable)
(type_alias type: (identifier) @name) @type
`,
  identifiers: ["identifier"],
};
