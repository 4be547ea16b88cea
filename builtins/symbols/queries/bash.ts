/** Bash and other Bourne shells. */
import type { Language } from "../language.ts";

export const bash: Language = {
  name: "Bash",
  grammar: "bash",
  extensions: ["sh", "bash", "ksh", "bats"],
  interpreters: ["bash", "sh", "dash", "ksh", "zsh"],
  definitions: `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(program (command name: (command_name (word) @_command) argument: (concatenation (word) @name)) @alias (#eq? @_command "alias"))
`,
  identifiers: ["word", "variable_name"],
};
