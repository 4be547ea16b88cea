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
  readonly pattern: string;
  readonly states: readonly (readonly [name: string, value: AttributeValue | undefined])[];
}

export class Attributes {
  readonly #repository: Repository;
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

  constructor(repository: Repository) {
    this.#repository = repository;
    this.#rulesOf("");
    this.#topmost = this.#read(`${repository.commonDirectory}/info/attributes`, true);
  }

  /** Every attribute met so far, in order. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  get(path: string, name: string): AttributeValue | undefined {
    return this.all(path).get(name);
  }

  /** All that is said of a path below the worktree. */
  all(path: string): ReadonlyMap<string, AttributeValue> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
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
      for (const { matches, states } of rules.toReversed())
        if (matches(below, name)) for (const [attribute, value] of states.toReversed()) settle(attribute, value);
    };
    apply(this.#topmost, path);
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const directory = end < 0 ? "" : path.slice(0, end);
      apply(this.#rulesOf(directory), end < 0 ? path : path.slice(end + 1));
      if (end <= 0) break;
    }
    if (this.#known.size > 50_000) this.#known.clear();
    this.#known.set(path, found);
    return found;
  }

  #rulesOf(directory: string): readonly Rule[] {
    let rules = this.#rules.get(directory);
    if (rules === undefined) {
      rules = this.#read(
        this.#repository.inWorktree(directory === "" ? ".gitattributes" : `${directory}/.gitattributes`),
        directory === "",
      );
      this.#rules.set(directory, rules);
    }
    return rules;
  }

  #read(place: string, mayDefine: boolean): readonly Rule[] {
    const { disk } = this.#repository;
    if (!disk.isFile(place)) return [];
    return (disk.text(place) ?? "").split("\n").flatMap((line) => this.#rule(line.replace(/\r$/, ""), mayDefine));
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
    if (pattern.startsWith("!") || pattern.endsWith("/")) return [];
    const hasSlash = pattern.includes("/");
    const bare = pattern.replace(/^\//, "");
    if (!/[*?[\\{]/.test(bare)) return [{ pattern, states, matches: (path, name) => (hasSlash ? path : name) === bare }];
    try {
      const glob = compileByteGlob(toWord(bare), {
        allowUnclosedClass: true,
        foldCase: this.#repository.config.boolean("core.ignorecase", false),
      });
      return [{ pattern, states, matches: (path, name) => glob.matches(hasSlash ? path : name) }];
    } catch (thrown) {
      if (!(thrown instanceof GlobError)) throw thrown;
      return [];
    }
  }
}
