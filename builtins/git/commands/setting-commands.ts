/** git config: what the repository is set to. */
import { fromWord, toWord, withoutOuterSpace } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { noEffect, refused, refusedAll, SWITCH, VALUE } from "./flags.ts";
import { configName, parseConfig, type Setting } from "../config.ts";
import { GitError } from "../git-error.ts";
import { normal } from "../objects/object-store.ts";
import type { Repository } from "../repository.ts";
import { compilePosix, type LineMatcher } from "../../../src/regex/posix-matcher.ts";

const WRITES = "the repository is only read here";

export const config = command({
  flags: {
    "--get": SWITCH,
    "--get-all": SWITCH,
    "--get-regexp": SWITCH,
    "-l": SWITCH,
    "--list": SWITCH,
    "--local": SWITCH,
    "--show-origin": SWITCH,
    "--show-scope": SWITCH,
    "--name-only": SWITCH,
    "-z": SWITCH,
    "--null": SWITCH,
    "--bool": SWITCH,
    "--int": SWITCH,
    "--bool-or-int": SWITCH,
    "--path": SWITCH,
    "--type": VALUE,
    "--no-type": SWITCH,
    "--default": VALUE,
    "--includes": refused("included files may be outside the workspace, and are not read", "git config --list --local"),
    "--no-includes": noEffect("included files are never read"),
    ...refusedAll(
      ["--add", "--unset", "--unset-all", "--replace-all", "--rename-section", "--remove-section", "-e", "--edit"],
      WRITES,
      "git config --list",
    ),
    "--get-urlmatch": refused("settings are asked for by their whole name", "git config --get-regexp http"),
    "--get-color": refused("output has no colours here", "git config --list"),
    "--get-colorbool": refused("output has no colours here", "git config --list"),
    "--expiry-date": refused("dates are printed as they are written", "git config --list"),
    "-f": VALUE,
    "--file": VALUE,
    ...refusedAll(
      ["--global", "--system", "--worktree", "--blob"],
      "only the repository's own configuration is read, and the file that -f names",
      "git config --list",
    ),
  },
  worksOutside: true,
  stopsAtOperand: true,
  check: (options) => {
    const reads = options.has("--get", "--get-all", "--get-regexp", "-l", "--list");
    if (reads || options.operands.length < 2) return undefined;
    return [`git config NAME VALUE sets it: ${WRITES}`, "git config --list"];
  },
  *run({ options, repository, print }) {
    const type = options.each("--type", "--no-type", "--bool", "--int", "--bool-or-int", "--path").at(-1);
    const kind =
      type === undefined || type.name === "--no-type" ? undefined : type.name === "--type" ? (type.value ?? "") : type.name.slice(2);
    if (kind !== undefined && !["bool", "int", "bool-or-int", "path"].includes(kind))
      throw new GitError(`unrecognized --type argument, ${kind}`);
    const nul = options.has("-z", "--null");
    const file = options.last("-f", "--file");
    if (file === undefined && repository.isAbsent && options.has("--local"))
      throw new GitError("--local can only be used inside a git repository");
    /** Source of a setting: the repository, the named file, or `-c`. */
    const source = ({ isTyped, isWorktree }: Setting): string => {
      if (file !== undefined) {
        const [end, scoped] = nul ? ["\0", "command\0"] : ["\t", "command\t"];
        return (options.has("--show-scope") ? scoped : "") + (options.has("--show-origin") ? `file:${fromWord(file)}${end}` : "");
      }
      const tab = nul ? "\0" : "\t";
      const scope = options.has("--show-scope") ? `${isTyped === true ? "command" : isWorktree === true ? "worktree" : "local"}${tab}` : "";
      return (
        scope +
        (options.has("--show-origin")
          ? `${isTyped === true ? "command line:" : isWorktree === true ? "file:.git/config.worktree" : "file:.git/config"}${tab}`
          : "")
      );
    };
    const typed = (setting: Setting): string => (kind === undefined ? (setting.value ?? "") : typedValue(setting, kind));
    const [name, valuePattern, ...others] = options.operands.map(fromWord);
    if (others.length > 0) throw new GitError("wrong number of arguments, should be from 1 to 2", { prefix: "error: ", exit: 129 });
    const hasValue = valueTest(valuePattern);
    const end = options.has("-z", "--null") ? "\0" : "\n";
    const own = file === undefined ? repository.config.settings : settingsOf(repository, fromWord(file), options.has("-l", "--list"));
    const settings = own.filter(({ isTyped, isWorktree }) => (isTyped !== true && isWorktree !== true) || !options.has("--local"));
    if (options.has("-l", "--list")) {
      if (name !== undefined) throw new GitError("wrong number of arguments, should be 0", { prefix: "error: ", exit: 129 });
      for (const setting of settings)
        print(
          `${source(setting)}${setting.name}${setting.value === undefined || options.has("--name-only") ? "" : `${end === "\0" ? "\n" : "="}${setting.value}`}${end}`,
        );
      return 0;
    }
    if (options.has("--name-only") && !options.has("--get-regexp"))
      throw new GitError("--name-only is only applicable to --list or --get-regexp", { prefix: "error: ", exit: 129 });
    if (name === undefined) throw new GitError("no name was given", { prefix: "error: ", exit: 129 });
    if (options.has("--get-regexp")) {
      const pattern = new RegExpText(name);
      const found = settings.filter((setting) => pattern.test(setting.name) && hasValue(setting));
      for (const setting of found)
        print(
          `${source(setting)}${setting.name}${setting.value === undefined || options.has("--name-only") ? "" : ` ${typed(setting)}`}${end}`,
        );
      return found.length === 0 ? 1 : 0;
    }
    if (!/^[^.]+\.(.*\.)?[^.]+$/.test(name)) throw new GitError(`key does not contain a section: ${name}`, { exit: 1, prefix: "error: " });
    const found = settings.filter((setting) => setting.name === configName(name) && hasValue(setting));
    if (found.length === 0) {
      const otherwise = options.last("--default");
      if (otherwise === undefined) return 1;
      print(`${fromWord(otherwise)}${end}`);
      return 0;
    }
    for (const setting of options.has("--get-all") ? found : found.slice(-1)) print(`${source(setting)}${typed(setting)}${end}`);
    yield;
    return 0;
  },
});

/** Settings of a file, named from the current directory. Throws GitError where it is missing and a list is wanted. */
function settingsOf({ disk, start }: Repository, file: string, isListed: boolean): readonly Setting[] {
  const path = file.startsWith("/") ? disk.files.fromRoot(toWord(file)) : normal(`${start}/${file}`);
  if (path === undefined) throw new GitError(`'${file}' is outside the workspace`);
  const text = disk.text(path);
  if (text === undefined && isListed) throw new GitError(`unable to read config file '${file}': No such file or directory`);
  return parseConfig(text ?? "", file);
}

/** A value as its type has it. Throws GitError. */
function typedValue({ name, value }: Setting, kind: string): string {
  const text = withoutOuterSpace(value ?? "");
  const [, number, unit = ""] = /^([+-]?[0-9]+)([kKmMgG]?)$/.exec(text) ?? [];
  // k, m and g are powers of 1024.
  const count =
    number === undefined ? undefined : String(Number(number) * (unit === "" ? 1 : 1024 ** (1 + "kmg".indexOf(unit.toLowerCase()))));
  const isTrue = value === undefined || /^(true|yes|on)$/i.test(text);
  const isFalse = value !== undefined && /^(false|no|off|)$/i.test(text);
  if (kind === "path") return text;
  if (kind !== "int" && (isTrue || isFalse)) return String(isTrue);
  if (kind === "bool") {
    if (count === undefined) throw new GitError(`bad boolean config value '${text}' for '${name}'`);
    return String(Number(count) !== 0);
  }
  if (count === undefined) throw new GitError(`bad numeric config value '${text}' for '${name}' in file .git/config: invalid unit`);
  return count;
}

/** Of a pattern for values; `!` before it: those that it does not match. */
function valueTest(pattern: string | undefined): (setting: Setting) => boolean {
  if (pattern === undefined) return () => true;
  const isNot = pattern.startsWith("!");
  const wanted = new RegExpText(isNot ? pattern.slice(1) : pattern);
  return ({ value }) => wanted.test(value ?? "") !== isNot;
}

class RegExpText {
  readonly #matcher: LineMatcher;
  constructor(pattern: string) {
    this.#matcher = compilePosix([toWord(pattern)], { syntax: "extended" });
  }
  test(text: string): boolean {
    const bytes = Buffer.from(text, "latin1");
    return this.#matcher.test(bytes, 0, bytes.length);
  }
}
