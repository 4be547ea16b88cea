/** JavaScript, with JSX. */
import type { Language } from "../language.ts";
import { ECMASCRIPT_DEFINITIONS, ECMASCRIPT_IDENTIFIERS } from "./ecmascript.ts";

export const javascript: Language = {
  name: "JavaScript",
  grammar: "javascript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  interpreters: ["node", "deno", "bun"],
  definitions: `${ECMASCRIPT_DEFINITIONS}
(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(ERROR "class" . (identifier) @name @class)
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: [(arrow_function) (function_expression)]) @method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @property
`,
  identifiers: ECMASCRIPT_IDENTIFIERS,
};
