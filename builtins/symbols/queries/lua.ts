/** Lua. A function belongs to the table it is put in. */
import type { Language } from "../language.ts";

export const lua: Language = {
  name: "Lua",
  grammar: "lua",
  extensions: ["lua"],
  interpreters: ["lua", "luajit"],
  definitions: `
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @method
(assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition) .)) @function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition) .)) @function
(field name: (identifier) @name value: (function_definition)) @method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
`,
  identifiers: ["identifier"],
};
