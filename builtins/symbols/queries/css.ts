/** CSS: the names of selectors, custom properties and animations. */
import type { Language } from "../language.ts";

export const css: Language = {
  name: "CSS",
  grammar: "css",
  extensions: ["css"],
  definitions: `
(rule_set (selectors (class_selector (class_name) @name))) @class
(rule_set (selectors (id_selector (id_name) @name))) @id
(ERROR (selectors (class_selector (class_name) @name @class)))
(ERROR (selectors (id_selector (id_name) @name @id)))
(keyframes_statement (keyframes_name) @name) @keyframes
(declaration (property_name) @name (#match? @name "^--")) @variable
`,
  identifiers: ["class_name", "id_name", "keyframes_name", "property_name", "plain_value", "tag_name"],
};
