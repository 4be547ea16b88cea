/** TypeScript, and TSX, which has the same definitions in a grammar of its own. */
import type { Language } from "../language.ts";
import { ECMASCRIPT_DEFINITIONS, ECMASCRIPT_IDENTIFIERS } from "./ecmascript.ts";

const definitions = `${ECMASCRIPT_DEFINITIONS}
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(class name: (type_identifier) @name) @class
(ERROR "class" . (type_identifier) @name @class)
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (property_identifier) @name @member)
(enum_assignment name: (property_identifier) @name) @member
(internal_module name: [(identifier) (nested_identifier)] @name) @namespace
(module name: [(identifier) (nested_identifier)] @name) @namespace
(abstract_method_signature name: (property_identifier) @name) @method
(method_signature name: (property_identifier) @name) @method
(construct_signature "new" @name) @constructor
(function_signature name: (identifier) @name) @function
(interface_body (property_signature name: (property_identifier) @name) @property)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @property
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @property
(required_parameter "readonly" pattern: (identifier) @name) @property
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
`;
const identifiers = [...ECMASCRIPT_IDENTIFIERS, "type_identifier"];

export const typescript: Language = {
  name: "TypeScript",
  grammar: "typescript",
  extensions: ["ts", "mts", "cts"],
  definitions,
  identifiers,
};
export const tsx: Language = { name: "TSX", grammar: "tsx", extensions: ["tsx"], definitions, identifiers };
