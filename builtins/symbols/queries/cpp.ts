/** C++, and headers, which may be C's. */
import type { Language } from "../language.ts";

/** `class EXPORT Name : public Base {`, which the grammar takes for a function that returns EXPORT. */
function afterMacro(kind: "class" | "struct"): string {
  const macro = `type: (${kind}_specifier name: (type_identifier) @_macro)`;
  const isMacro = '(#match? @_macro "^[A-Z][A-Z0-9_]+$")';
  return `(function_definition ${macro} . (ERROR . (identifier) @name .) declarator: (_) ${isMacro}) @${kind}
(function_definition ${macro} . declarator: (identifier) @name ${isMacro}) @${kind}
(function_definition ${macro} . declarator: (qualified_identifier scope: (namespace_identifier) @name name: (identifier) @_final) ${isMacro} (#eq? @_final "final")) @${kind}`;
}

export const cpp: Language = {
  name: "C++",
  grammar: "cpp",
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "h"],
  definitions: `
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)) @function
(function_definition declarator: (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name))) @function
(function_definition declarator: (_ (_ (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)))) @function
(field_declaration_list (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @method)
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)) @method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @method
(field_declaration declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name) (array_declarator declarator: (field_identifier) @name)]) @field
${afterMacro("class")}
${afterMacro("struct")}
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @union
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(namespace_definition name: (_) @name) @namespace
(type_definition declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(translation_unit (declaration declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])) @variable)
(translation_unit (declaration declarator: (identifier) @name) @variable)
`,
  identifiers: ["identifier", "field_identifier", "type_identifier", "namespace_identifier", "statement_identifier"],
};
