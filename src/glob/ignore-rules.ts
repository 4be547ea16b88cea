/**
 * The rules of one ignore file, as Rust's `ignore` crate (ripgrep, fd) reads gitignore(5): the last rule that matches
 * decides, `!` takes back, a trailing slash is for directories alone, a slash elsewhere ties the rule to the file's
 * own directory. Unlike in git, `{a,b}` is a choice and an unusable line is passed over.
 */
import { GlobError } from "./byte-glob-parser.ts";
import { compileByteGlob, type ByteGlob } from "./byte-glob.ts";

export type Verdict = "ignore" | "include";

/** Rules of one file or list. */
export interface IgnoreRules {
  /**
   * Verdict of the last matching rule; undefined where none matches. `path` is a byte string (byte-glob-parser.ts)
   * relative to the rules' directory, without `./` in front, and `name` its last component.
   */
  verdict(path: string, name: string, isDirectory: boolean): Verdict | undefined;
}

export interface RuleOptions {
  /** ASCII letters match in either case. */
  readonly foldCase?: boolean;
}

/** The rules of an ignore file's `content`; undefined where there are none. Reading ends at a line that is not UTF-8. */
export function parseIgnoreFile(content: Uint8Array, options: RuleOptions = {}): IgnoreRules | undefined {
  const rules: Rule[] = [];
  for (const line of linesOf(content)) {
    try {
      const rule = readRule(line, { ...options, allowUnclosedClass: true });
      if (rule !== undefined) rules.push(rule);
    } catch (thrown) {
      if (!(thrown instanceof GlobError)) throw thrown;
    }
  }
  return rules.length === 0 ? undefined : new RuleList(rules);
}

/**
 * Globs of a command line (`rg -g`, `fd -E` with a `!` in front), with the meaning of `!` turned round: with it a glob
 * leaves out, without it a glob takes in, and where one takes in, a file that none matches is left out. Each glob is
 * text. Undefined where there are none. Throws GlobError, whose message names the glob.
 */
export function overrideRules(globs: readonly string[], options: RuleOptions = {}): IgnoreRules | undefined {
  const rules = globs.flatMap((glob) => {
    try {
      return readRule(glob, options) ?? [];
    } catch (thrown) {
      if (!(thrown instanceof GlobError)) throw thrown;
      throw new GlobError(`error parsing glob '${glob}': ${thrown.message}`);
    }
  });
  if (rules.length === 0) return undefined;
  const list = new RuleList(rules);
  const takesIn = rules.some((rule) => !rule.includes);
  return {
    verdict(path, name, isDirectory) {
      const found = list.verdict(path, name, isDirectory);
      if (found === undefined) return takesIn && !isDirectory ? "ignore" : undefined;
      return found === "ignore" ? "include" : "ignore";
    },
  };
}

interface Rule {
  readonly glob: ByteGlob;
  readonly includes: boolean;
  readonly directoriesOnly: boolean;
}

function readRule(typed: string, options: RuleOptions & { readonly allowUnclosedClass?: boolean }): Rule | undefined {
  if (typed.startsWith("#")) return undefined;
  let line = typed.endsWith("\\ ") ? typed : withoutSpaceAtEnd(typed);
  if (line === "") return undefined;
  let includes = false;
  let anchored = false;
  if (line.startsWith("\\!") || line.startsWith("\\#")) line = line.slice(1);
  else {
    if (line.startsWith("!")) {
      includes = true;
      line = line.slice(1);
    }
    if (line.startsWith("/")) {
      anchored = true;
      line = line.slice(1);
    }
  }
  const directoriesOnly = line.endsWith("/");
  if (directoriesOnly) line = line.slice(0, line.endsWith("\\/") ? -2 : -1);
  let pattern = line;
  if (!anchored && !line.includes("/") && line !== "**") pattern = `**/${line}`;
  // Standard globs would take the directory itself too.
  if (pattern.endsWith("/**")) pattern += "/*";
  return { glob: compileByteGlob(pattern, options), includes, directoriesOnly };
}

/** Rules indexed by the last component they match, so that a long list costs little for each name. */
class RuleList implements IgnoreRules {
  readonly #rules: readonly Rule[];
  /** Indexes of rules, ascending: by the whole last component, by its extension (with its dot), and all others. */
  readonly #byName = new Map<string, number[]>();
  readonly #byExtension = new Map<string, number[]>();
  readonly #others: number[] = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    rules.forEach(({ glob: { lastComponent } }, index) => {
      if (lastComponent === undefined) this.#others.push(index);
      else if ("is" in lastComponent) append(this.#byName, lastComponent.is, index);
      else if (/^\.[^.]+$/s.test(lastComponent.endsWith)) append(this.#byExtension, lastComponent.endsWith, index);
      else this.#others.push(index);
    });
  }

  verdict(path: string, name: string, isDirectory: boolean): Verdict | undefined {
    let best = this.#last(this.#byName.get(name), isDirectory, -1);
    if (this.#byExtension.size > 0) {
      const dot = name.lastIndexOf(".");
      if (dot >= 0) best = this.#last(this.#byExtension.get(name.slice(dot)), isDirectory, best);
    }
    for (let at = this.#others.length - 1; at >= 0; at--) {
      const index = this.#others[at] as number;
      if (index < best) break;
      const rule = this.#rules[index] as Rule;
      if ((isDirectory || !rule.directoriesOnly) && rule.glob.matches(path)) {
        best = index;
        break;
      }
    }
    const rule = this.#rules[best];
    return rule === undefined ? undefined : rule.includes ? "include" : "ignore";
  }

  #last(indexes: readonly number[] | undefined, isDirectory: boolean, best: number): number {
    if (indexes === undefined) return best;
    const found = indexes.findLast((index) => isDirectory || this.#rules[index]?.directoriesOnly === false);
    return found === undefined ? best : Math.max(found, best);
  }
}

function append(into: Map<string, number[]>, key: string, index: number): void {
  const indexes = into.get(key);
  if (indexes === undefined) into.set(key, [index]);
  else indexes.push(index);
}

const MARK = /^\uFEFF+/;
const SPACE = /\p{White_Space}/u;

/** Not one expression: `\s+$` is quadratic. */
function withoutSpaceAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && SPACE.test(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

/** Lines as text, without `\n` or `\r\n`, until one that is not UTF-8. */
function* linesOf(content: Uint8Array): Generator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let from = 0; from < content.length; ) {
    const found = content.indexOf(10, from);
    const newline = found < 0 ? content.length : found;
    const end = found > from && content[found - 1] === 13 ? found - 1 : newline;
    let line: string;
    try {
      line = decoder.decode(content.subarray(from, end));
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown;
      return;
    }
    yield from === 0 ? line.replace(MARK, "") : line;
    from = newline + 1;
  }
}
