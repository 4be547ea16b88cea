/** Ruby: its definitions and identifiers. */
import type { Language } from "../language.ts";

export const ruby: Language = {
  name: "Ruby",
  grammar: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru"],
  interpreters: ["ruby"],
  definitions: `
(class name: (constant) @name) @class
(class name: (scope_resolution scope: (_) @owner name: (constant) @name)) @class
(module name: (constant) @name) @module
(module name: (scope_resolution scope: (_) @owner name: (constant) @name)) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(assignment left: (constant) @name) @constant
(alias name: (_) @name) @method
`,
  identifiers: ["identifier", "constant", "instance_variable", "class_variable", "global_variable", "simple_symbol"],
};
