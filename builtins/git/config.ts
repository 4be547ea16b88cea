/** git-config(1)'s file format, as data: of what it names nothing is ever run, and `include` is not followed. */
import { GitError } from "./git-error.ts";

export interface Setting {
  /** `section.sub.key`: section and key in lower case. */
  readonly name: string;
  /** Undefined for a key without `=`, which is true. */
  readonly value: string | undefined;
  /** Given with -c. */
  readonly isTyped?: true;
  /** Of one worktree alone. */
  readonly isWorktree?: true;
}

export class Config {
  readonly settings: readonly Setting[];

  constructor(settings: readonly Setting[]) {
    this.settings = settings;
  }

  get(name: string): string | undefined {
    const found = this.settings.findLast((setting) => setting.name === name);
    return found === undefined ? undefined : (found.value ?? "true");
  }

  /** Throws GitError for a value that is no number. */
  number(name: string): number | undefined {
    const text = this.get(name);
    if (text !== undefined && !/^[0-9]+$/.test(text)) throw new GitError(`bad numeric config value '${text}' for '${name}': invalid unit`);
    return text === undefined ? undefined : Number(text);
  }

  boolean(name: string, otherwise: boolean): boolean {
    const text = this.get(name)?.toLowerCase();
    return text === undefined ? otherwise : text === "true" || text === "yes" || text === "on" || /^[+-]?0*[1-9]/.test(text);
  }
}

/** Throws GitError: `bad config line N in file NAME`. */
export function parseConfig(text: string, fileName: string): Setting[] {
  const settings: Setting[] = [];
  let section = "";
  let lineNumber = 0;
  const lines = text.split("\n");
  while (lineNumber < lines.length) {
    let line = (lines[lineNumber++] ?? "").replace(/\r$/, "");
    const bad = (): GitError => new GitError(`bad config line ${lineNumber} in file ${fileName}`);
    line = line.replace(/^[ \t]+/, "");
    if (line.startsWith("[")) {
      const [all, name = "", sub] = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\][ \t]*/.exec(line) ?? [];
      if (all === undefined) throw bad();
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub.replace(/\\(.)/g, "$1")}`;
      line = line.slice(all.length);
    }
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const [all, key = "", equals] = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*/.exec(line) ?? [];
    if (all === undefined || (equals === "" && !/^[A-Za-z0-9-]+[ \t]*([#;]|$)/.test(line))) throw bad();
    let value: string | undefined;
    if (equals === "=") {
      let rest = line.slice(all.length);
      value = "";
      let kept = 0;
      let quoted = false;
      for (let at = 0; ; at++) {
        const unit = rest[at];
        if (unit === undefined) break;
        if (unit === "\\") {
          const next = rest[++at];
          if (next === undefined) {
            rest = (lines[lineNumber++] ?? "").replace(/\r$/, "");
            at = -1;
            continue;
          }
          const meant = ESCAPES.get(next);
          if (meant === undefined) throw bad();
          value += meant;
          kept = value.length;
        } else if (unit === '"') quoted = !quoted;
        else if (!quoted && (unit === "#" || unit === ";")) break;
        else {
          value += unit;
          if (quoted || (unit !== " " && unit !== "\t")) kept = value.length;
        }
      }
      if (quoted) throw bad();
      value = value.slice(0, kept);
    }
    settings.push({ name: `${section}.${key.toLowerCase()}`, value });
  }
  return settings;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** A configuration name as settings have it: the first and the last part in lower case. */
export function configName(typed: string): string {
  const first = typed.indexOf(".");
  const last = typed.lastIndexOf(".");
  return typed.slice(0, first).toLowerCase() + typed.slice(first, last) + typed.slice(last).toLowerCase();
}
