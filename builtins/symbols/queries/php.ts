/** PHP: its definitions and identifiers. */
import type { Language } from "../language.ts";

export const php: Language = {
  name: "PHP",
  grammar: "php",
  extensions: ["php", "phtml", "php5"],
  interpreters: ["php"],
  definitions: `
(namespace_definition name: (_) @name body: (_)) @namespace
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @member
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(const_declaration (const_element (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @property
(property_promotion_parameter name: (variable_name (name) @name)) @property
`,
  identifiers: ["name"],
};
