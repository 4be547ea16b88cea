/** PowerShell: its definitions and identifiers. */
import type { Language } from "../language.ts";

export const powershell: Language = {
  name: "PowerShell",
  grammar: "powershell",
  extensions: ["ps1", "psm1"],
  interpreters: ["pwsh"],
  definitions: `
(function_statement (function_name) @name) @function
(class_statement . (simple_name) @name) @class
(class_method_definition (simple_name) @name) @method
(class_property_definition (variable) @name) @property
(enum_statement . (simple_name) @name) @enum
(enum_member (simple_name) @name) @member
`,
  identifiers: ["command_name", "simple_name", "variable", "member_name", "generic_token"],
};
