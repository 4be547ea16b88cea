/** Every language there is a grammar for, and which one a file is in. */
import type { Language } from "./language.ts";
import { bash } from "./queries/bash.ts";
import { c } from "./queries/c.ts";
import { cpp } from "./queries/cpp.ts";
import { csharp } from "./queries/csharp.ts";
import { css } from "./queries/css.ts";
import { go } from "./queries/go.ts";
import { java } from "./queries/java.ts";
import { javascript } from "./queries/javascript.ts";
import { kotlin } from "./queries/kotlin.ts";
import { lua } from "./queries/lua.ts";
import { php } from "./queries/php.ts";
import { powershell } from "./queries/powershell.ts";
import { python } from "./queries/python.ts";
import { ruby } from "./queries/ruby.ts";
import { rust } from "./queries/rust.ts";
import { swift } from "./queries/swift.ts";
import { tsx, typescript } from "./queries/typescript.ts";

export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  csharp,
  c,
  cpp,
  swift,
  ruby,
  php,
  lua,
  bash,
  powershell,
  css,
];

const byExtension = new Map(LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)));
const byInterpreter = new Map(
  LANGUAGES.flatMap((language) => (language.interpreters ?? []).map((interpreter) => [interpreter, language] as const)),
);

const byName = new Map(LANGUAGES.map((language) => [language.name, language]));

/** The one that is called so. */
export function languageNamed(name: string): Language {
  const language = byName.get(name);
  if (language === undefined) throw new Error(`no language is called ${name}`);
  return language;
}

/** The language of a file by its name; "unknown" where only its first line can tell. */
export function languageOfName(name: string): Language | "unknown" | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return "unknown";
  return byExtension.get(name.slice(dot + 1).toLowerCase());
}

/** The language that a first line `#!/usr/bin/env -S python3 -u` names. */
export function languageOfFirstLine(text: string): Language | undefined {
  const line = /^#!([^\n]*)/.exec(text)?.[1];
  if (line === undefined) return undefined;
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf("/") + 1));
  const program = words[0] === "env" ? words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) : words[0];
  return program === undefined ? undefined : (byInterpreter.get(program) ?? byInterpreter.get(program.replace(/[0-9.]+$/, "")));
}
