/** One file of a client's, in JSON, TOML or YAML, and the changes that `init` makes to it and takes out again. */
import { editedJson, jsonValue, restoredJson, type JsonChange } from "./json-edit.ts";
import { editedToml, restoredToml, tomlValue, type TomlChange } from "./toml-edit.ts";
import { editedYaml, restoredYaml, yamlValue, type YamlChange } from "./yaml-edit.ts";

export interface ConfigurationFile {
  /** Host path. */
  readonly path: string;
  readonly changes:
    | { readonly language: "JSON"; readonly list: readonly JsonChange[] }
    | { readonly language: "TOML"; readonly list: readonly TomlChange[] }
    | { readonly language: "YAML"; readonly list: readonly [YamlChange] };
}

/** The content after init for the present content (undefined: there is no file). Throws UneditableFile. */
export function editedContent({ changes }: ConfigurationFile, text: string | undefined): string {
  switch (changes.language) {
    case "JSON":
      return editedJson(text, changes.list);
    case "TOML":
      return editedToml(text, changes.list);
    case "YAML":
      return editedYaml(text, changes.list[0]);
  }
}

/**
 * The content without what init put there; undefined where the file then holds nothing, and was not there before. `before` is the
 * content from before the first change, where that is known. Throws UneditableFile.
 */
export function restoredContent({ changes }: ConfigurationFile, text: string, before: string | undefined): string | undefined {
  const restored = restoredBy(changes, text, before);
  if (restored === text) return text;
  const packed = layoutless(changes.language, restored);
  if (before !== undefined && packed === layoutless(changes.language, before)) return before;
  return before === undefined && packed === "" ? undefined : restored;
}

function restoredBy(changes: ConfigurationFile["changes"], text: string, before: string | undefined): string {
  switch (changes.language) {
    case "JSON":
      return restoredJson(text, changes.list, before);
    case "TOML":
      return restoredToml(text, changes.list, before);
    case "YAML":
      return restoredYaml(text, changes.list[0], before);
  }
}

/** `text` without empty lines, in JSON without any white space and trailing comma, too; empty for an empty object. */
function layoutless(language: ConfigurationFile["changes"]["language"], text: string): string {
  const packed =
    language === "JSON"
      ? text.replace(TRAILING_COMMA, "$1").replace(WHITE_SPACE, "$1")
      : text.replace(/[ \t]*\r?\n(?:[ \t]*\r?\n)*/g, "\n").trim();
  return packed === "{}" ? "" : packed;
}

/** Strings and comments, which stay, and what is left out between them. */
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/)|,(?=(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*[\]}])/g;
const WHITE_SPACE = /("(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/)|\s+/g;

/** The value of the file's content. Throws UneditableFile for one that is not of the file's language. */
export function valueOf({ changes }: ConfigurationFile, text: string): unknown {
  switch (changes.language) {
    case "JSON":
      return text.trim() === "" ? {} : jsonValue(text);
    case "TOML":
      return tomlValue(text);
    case "YAML":
      return yamlValue(text);
  }
}
