/**
 * gitattributes(5), as data: what `.gitattributes` and `.git/info/attributes` say of a path. Drivers that they name for
 * filters and text conversions are programs, and never run: such files are shown as they are stored.
 */
import { compileByteGlob } from "../../../src/glob/byte-glob.ts";
import { GlobError } from "../../../src/glob/byte-glob-parser.ts";
import { toWord } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";

/** Set, unset, or set to a text. An attribute that is not there is unspecified. */
export type AttributeValue = true | false | string;

interface Rule {
  readonly matches: (path: string, name: string) => boolean;
  readonly onlyDirectories: boolean;
  readonly states: readonly (readonly [name: string, value: AttributeValue | undefined])[];
}

export class Attributes {
  readonly #repository: Repository;
  readonly #textOf: (path: string) => string | undefined;
  readonly #rules = new Map<string, readonly Rule[]>();
  readonly #macros = new Map<string, Rule["states"]>([
    [
      "binary",
      [
        ["diff", false],
        ["merge", false],
        ["text", false],
      ],
    ],
  ]);
  readonly #known = new Map<string, ReadonlyMap<string, AttributeValue>>();
  readonly #topmost: readonly Rule[];
  readonly #names = new Set<string>(["binary", "diff", "merge", "text"]);

  /** `read`: the text of a file below the worktree, as it lies there or as a tree has it; undefined where there is none. */
  constructor(repository: Repository, read = (path: string): string | undefined => workingText(repository, path)) {
    this.#repository = repository;
    this.#textOf = read;
    this.#rulesOf("");
    const topmost = `${repository.commonDirectory}/info/attributes`;
    this.#topmost = this.#parsed(repository.disk.isFile(topmost) ? repository.disk.text(topmost) : undefined, true);
  }

  /** Every attribute met so far, in order. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  get(path: string, name: string): AttributeValue | undefined {
    return this.all(path).get(name);
  }

  /** All that is said of a path below the worktree; a slash at its end makes it that of a directory. */
  all(typed: string): ReadonlyMap<string, AttributeValue> {
    const known = this.#known.get(typed);
    if (known !== undefined) return known;
    const isDirectory = typed.endsWith("/");
    const path = isDirectory ? typed.slice(0, -1) : typed;
    const found = new Map<string, AttributeValue>();
    const settled = new Set<string>();
    const settle = (name: string, value: AttributeValue | undefined): void => {
      if (settled.has(name)) return;
      settled.add(name);
      if (value !== undefined) found.set(name, value);
      if (value !== true) return;
      for (const [inner, innerValue] of (this.#macros.get(name) ?? []).toReversed()) settle(inner, innerValue);
    };
    const name = path.slice(path.lastIndexOf("/") + 1);
    const apply = (rules: readonly Rule[], below: string): void => {
      for (const { matches, states, onlyDirectories } of rules.toReversed())
        if ((isDirectory || !onlyDirectories) && matches(below, name))
          for (const [attribute, value] of states.toReversed()) settle(attribute, value);
    };
    apply(this.#topmost, path);
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const directory = end < 0 ? "" : path.slice(0, end);
      apply(this.#rulesOf(directory), end < 0 ? path : path.slice(end + 1));
      if (end <= 0) break;
    }
    if (this.#known.size > 50_000) this.#known.clear();
    this.#known.set(typed, found);
    return found;
  }

  #rulesOf(directory: string): readonly Rule[] {
    let rules = this.#rules.get(directory);
    if (rules === undefined) {
      rules = this.#parsed(this.#textOf(directory === "" ? ".gitattributes" : `${directory}/.gitattributes`), directory === "");
      this.#rules.set(directory, rules);
    }
    return rules;
  }

  #parsed(text: string | undefined, mayDefine: boolean): readonly Rule[] {
    return (text ?? "").split("\n").flatMap((line) => this.#rule(line.replace(/\r$/, ""), mayDefine));
  }

  #rule(line: string, mayDefine: boolean): readonly Rule[] {
    const text = line.replace(/^[ \t]+/, "");
    if (text === "" || text.startsWith("#")) return [];
    const [all, quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|([^ \t]+))/.exec(text) ?? [];
    if (all === undefined) return [];
    const pattern = quoted === undefined ? (plain ?? "") : quoted.replace(/\\(.)/g, "$1");
    const states = text
      .slice(all.length)
      .split(/[ \t]+/)
      .filter((word) => word !== "")
      .map((word): Rule["states"][number] => {
        if (word.startsWith("-")) return [word.slice(1), false];
        if (word.startsWith("!")) return [word.slice(1), undefined];
        const equals = word.indexOf("=");
        return equals < 0 ? [word, true] : [word.slice(0, equals), word.slice(equals + 1)];
      });
    if (pattern.startsWith("[attr]")) this.#names.add(pattern.slice(6));
    for (const [name] of states) this.#names.add(name);
    if (pattern.startsWith("[attr]")) {
      if (mayDefine) this.#macros.set(pattern.slice(6), states);
      return [];
    }
    if (pattern.startsWith("!")) return [];
    const onlyDirectories = pattern.endsWith("/");
    const whole = onlyDirectories ? pattern.slice(0, -1) : pattern;
    const hasSlash = whole.includes("/");
    const bare = whole.replace(/^\//, "");
    if (!/[*?[\\{]/.test(bare)) return [{ states, onlyDirectories, matches: (path, name) => (hasSlash ? path : name) === bare }];
    try {
      const glob = compileByteGlob(toWord(bare), {
        allowUnclosedClass: true,
        foldCase: this.#repository.config.boolean("core.ignorecase", false),
      });
      return [{ states, onlyDirectories, matches: (path, name) => glob.matches(hasSlash ? path : name) }];
    } catch (thrown) {
      if (!(thrown instanceof GlobError)) throw thrown;
      return [];
    }
  }
}

function workingText(repository: Repository, path: string): string | undefined {
  if (!repository.hasWorktree) return undefined;
  const place = repository.inWorktree(path);
  return repository.disk.isFile(place) ? repository.disk.text(place) : undefined;
}
