/**
 * The flags that the code of each git command asks for, read off the sources of builtins/git: the text of every declaration that
 * a command reaches, by the names it uses. A flag is asked for where its name is an argument, an element of a list, or compared.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../../builtins/git", import.meta.url));

/** Path below builtins/git → text. */
export type Sources = ReadonlyMap<string, string>;

export function gitSources(): Sources {
  const names = readdirSync(top, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Map(names.map((name) => [name, readFileSync(join(top, name), "utf8")]));
}

interface Declaration {
  readonly names: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Name → where it comes from: "log/history.ts walkHistory". */
  readonly imports: ReadonlyMap<string, string>;
}

/** For each command of commands/commands.ts, the names of flags that its code asks for. */
export function flagsReadBy(sources: Sources): ReadonlyMap<string, ReadonlySet<string>> {
  const modules = new Map([...sources].map(([path, text]) => [path, moduleOf(path, text)]));
  const list = [...(sources.get("commands/commands.ts") ?? "").matchAll(/^ {2}\["([^"]+)", (\w+)\],$/gm)];
  const home = modules.get("commands/commands.ts");
  return new Map(list.map(([, command = "", name = ""]) => [command, reached(modules, home?.imports.get(name) ?? "")]));
}

/** `start`: "log/history.ts walkHistory". */
function reached(modules: ReadonlyMap<string, Module>, start: string): ReadonlySet<string> {
  const flags = new Set<string>();
  const seen = new Set([start]);
  for (const place of seen) {
    const [path = "", name = ""] = place.split(" ");
    const found = modules.get(path);
    const declaration = found?.declarations.get(name);
    if (found === undefined || declaration === undefined) continue;
    for (const flag of declaration.flags) flags.add(flag);
    for (const used of declaration.names) {
      const imported = found.imports.get(used);
      if (imported !== undefined) seen.add(imported);
      else if (found.declarations.has(used)) seen.add(`${path} ${used}`);
    }
  }
  return flags;
}

/** The sources are formatted: what stands at the start of a line begins a declaration, and types are none. */
function moduleOf(path: string, text: string): Module {
  const imports = new Map<string, string>();
  for (const [, names = "", from = ""] of text.matchAll(/^import \{([^}]*)\} from "(\.[^"]*)";$/gm)) {
    for (const word of names.split(",").map((part) => part.trim())) {
      const [, name = "", alias = name] = /^(\w+)(?: as (\w+))?$/.exec(word) ?? [];
      if (name !== "") imports.set(alias, `${normalize(join(dirname(path), from))} ${name}`);
    }
  }
  const declarations = new Map<string, Declaration>();
  for (const part of text.split(/^(?=(?:export )?(?:const|let|class|abstract class|function\*?|type|interface) )/m)) {
    const [, kind = "", name = ""] = /^(?:export )?(const|let|class|abstract class|function\*?|type|interface) (\w+)/.exec(part) ?? [];
    if (name !== "" && kind !== "type" && kind !== "interface") declarations.set(name, declarationOf(part));
  }
  return { declarations, imports };
}

function declarationOf(text: string): Declaration {
  const { code, strings } = codeOf(text);
  const names = [...code.matchAll(/(?<![\w"#]|(?<!\.\.)\.)[A-Za-z_]\w*(?!\w|:)/g)].map(([name]) => name);
  // A string that is a value, not the key of a property, a type, or the name of a flag that is given (`name: "--raw"`).
  const asked = [...code.matchAll(/(?<=[([,]\s*|[!=]== )"(\d+)"(?!:)/g)].map(([, index]) => strings[Number(index)] ?? "");
  return { names: new Set(names), flags: new Set(asked.filter((string) => /^-|^[()]$/.test(string))) };
}

const COMMENT = /\/\/.*|\/\*[^]*?\*\//y;
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/y;
const MAY_BE_PATTERN = /(?:[(,=:[!&|?{};+>]|return)\s*$/;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The text without comments, regular expressions and the words of templates; each string is its index in `strings`. */
function codeOf(text: string): { readonly code: string; readonly strings: readonly string[] } {
  const strings: string[] = [];
  let code = "";
  /** Braces that are open in the code of each template around this place. */
  const templates: number[] = [];
  let at = 0;
  const skipTemplate = (): void => {
    for (; at < text.length; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === "`") {
        at++;
        return;
      } else if (text.startsWith("${", at)) {
        at += 2;
        templates.push(0);
        return;
      }
    }
  };
  while (at < text.length) {
    const first = text[at] as string;
    const skipped = first === "/" ? matchAt(COMMENT, text, at) : undefined;
    const string = first === '"' || first === "'" ? matchAt(STRING, text, at) : undefined;
    const pattern = first === "/" && MAY_BE_PATTERN.test(code.slice(-20)) ? matchAt(PATTERN, text, at) : undefined;
    const open = templates.at(-1);
    if (skipped !== undefined) at += skipped.length;
    else if (string !== undefined) {
      at += string.length;
      code += `"${strings.length}"`;
      strings.push(string.slice(1, -1));
    } else if (pattern !== undefined) at += pattern.length;
    else if (text[at] === "`") {
      at++;
      skipTemplate();
    } else if (text[at] === "}" && open === 0) {
      templates.pop();
      at++;
      skipTemplate();
    } else {
      if (open !== undefined && (text[at] === "{" || text[at] === "}"))
        templates[templates.length - 1] = open + (text[at] === "{" ? 1 : -1);
      code += text[at++];
    }
  }
  return { code, strings };
}
