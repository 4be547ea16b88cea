/** Go. A method belongs to its receiver's type. */
import type { Language } from "../language.ts";

export const go: Language = {
  name: "Go",
  grammar: "go",
  extensions: ["go"],
  definitions: `
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (pointer_type (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(field_declaration name: (field_identifier) @name) @field
(ERROR "func" . (identifier) @name @function)
(ERROR "func" . (parameter_list) . [(identifier) (field_identifier)] @name @method)
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "package_identifier"],
};
