/** Python. A function in a class is a method; variables are those of a module or a class. */
import type { Language } from "../language.ts";

export const python: Language = {
  name: "Python",
  grammar: "python",
  extensions: ["py", "pyi", "pyw"],
  interpreters: ["python", "python2", "python3", "pypy3"],
  definitions: `
(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(ERROR "def" . (identifier) @name @function)
(ERROR "class" . (identifier) @name @class)
(assignment left: (identifier) @name right: (lambda)) @function
(type_alias_statement left: (type (identifier) @name)) @type
(module (expression_statement (assignment left: (identifier) @name) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @property)))
`,
  identifiers: ["identifier"],
};
