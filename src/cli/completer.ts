/** Completions of the word before the cursor: builtins, flags, files, variables, revisions of git and records of the audit. */
import { builtins } from "../../builtins/registry.ts";
import { namedFlags } from "../builtin/flag-names.ts";
import { Registry } from "../builtin/registry.ts";
import type { BuiltinDefinition } from "../builtin/definition.ts";
import { showName } from "../display/visible.ts";
import type { Session } from "../session/session.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { requoted, typedWords, type TypedWords } from "./typed-words.ts";

/** One way to go on: the whole word, unquoted. `goesOn`: more of the same word may follow. */
interface Candidate {
  readonly text: string;
  readonly goesOn?: true;
}

/** Builtins whose operands name builtins. */
const NAMING = new Set(["command", "explain", "help", "type", "which"]);
const MOVING = new Set(["cd", "pushd", "rmdir"]);
/** Variables that a line has before it sets any. */
const VARIABLES = ["HOME", "IFS", "OLDPWD", "OPTIND", "PWD", "RANDOM", "SECONDS", "TMPDIR"];
/** Commands of git whose operands are files alone. */
const GIT_FILES = new Set(["check-attr", "check-ignore", "ls-files", "status"]);

export class Completer {
  readonly #workspace: Workspace;
  readonly #session: Session;
  readonly #registry = new Registry(builtins);

  constructor(workspace: Workspace, session: Session) {
    this.#workspace = workspace;
    this.#session = session;
  }

  /** readline's contract: the completions of `text`, which ends at the cursor, and the part of it that they replace. */
  async complete(text: string): Promise<[string[], string]> {
    const typed = typedWords(text);
    const variable = typed.quote === "'" ? undefined : /\$(\w*)$/.exec(typed.raw);
    if (variable !== null && variable !== undefined) {
      const names = [...VARIABLES, ...assigned(text)].filter((name) => name.startsWith(variable[1] ?? ""));
      return [unique(names).map((name) => `$${name}`), variable[0]];
    }
    const found = (await this.#candidates(typed)).filter(({ text: whole }) => whole.startsWith(typed.word) && showName(whole) === whole);
    const only = found.length === 1;
    const quoted = (whole: string, isOpen: boolean): string => {
      // What one typed of a home directory is no character to be quoted.
      const home = typed.quote === "" && whole.startsWith("~/") ? "~/" : "";
      return `${home}${requoted(whole.slice(home.length), typed.quote, isOpen)}`;
    };
    const words = unique(
      found.map(({ text: whole, goesOn }) => `${quoted(whole, goesOn === true || !only)}${only && goesOn !== true ? " " : ""}`),
    );
    const wholes = found.map(({ text: whole }) => whole);
    const common = commonPrefix(wholes);
    const inserted = quoted(common, true);
    if (words.length < 2 || commonPrefix(words) === inserted) return [words, typed.raw];
    // readline inserts what the words begin with, which would end inside an escape.
    if (inserted !== typed.raw) return [[inserted], typed.raw];
    return [unique(wholes.map((whole) => `${inserted}${whole.slice(common.length)}`)), typed.raw];
  }

  async #candidates({ before, word, isRedirected }: TypedWords): Promise<readonly Candidate[]> {
    const [name, ...args] = before;
    if (isRedirected) return this.#paths(word, false);
    if (name === undefined) return word.includes("/") ? [] : texts(this.#registry.names());
    const definition = await this.#registry.load(name);
    const subcommands = definition?.subcommands?.();
    const subcommand = subcommands && args.find((arg) => !arg.startsWith("-"));
    if (word.startsWith("-") && !args.includes("--")) {
      const value = /^(--[\w-]+=)(.*)$/s.exec(word);
      if (value !== null) return this.#paths(value[2] ?? "", false, value[1]);
      return subcommand === undefined ? flagsOf(definition) : subcommandFlags(subcommands, subcommand);
    }
    if (subcommands !== undefined) {
      if (subcommand === undefined) return texts(subcommands.commands.map((known) => known.name));
      if (args.includes("--") || GIT_FILES.has(subcommand)) return this.#paths(word, false);
      return [...(await this.#revisions(word)), ...this.#paths(word, false)];
    }
    if (name === "undo" || name === "history") return [...(name === "undo" ? await this.#records() : []), ...this.#paths(word, false)];
    return NAMING.has(name) ? texts(this.#registry.names()) : this.#paths(word, MOVING.has(name));
  }

  #paths(word: string, directoriesOnly: boolean, prefix = ""): readonly Candidate[] {
    const slash = word.lastIndexOf("/") + 1;
    const directory = word.slice(0, slash);
    const place = directory.replace(/^~\//, `${this.#workspace.rootPath}/`);
    const paths: Candidate[] = [];
    try {
      const opened = this.#workspace.at(this.#session.currentDirectory).openDirectory(place === "" ? "." : place);
      try {
        for (const { name, kind } of opened.entries()) {
          const isHidden = name.startsWith(".") && !word.startsWith(".", slash);
          const isDirectory = kind === "directory" || (kind === "symlink" && this.#isDirectory(`${place}${name}`));
          if (isHidden || (directoriesOnly && !isDirectory) || !name.startsWith(word.slice(slash))) continue;
          const text = `${prefix}${directory}${name}`;
          paths.push(isDirectory ? { text: `${text}/`, goesOn: true } : { text });
        }
      } finally {
        opened.close();
      }
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
    }
    return paths.sort((a, b) => (a.text < b.text ? -1 : 1));
  }

  #isDirectory(path: string): boolean {
    try {
      return this.#workspace.at(this.#session.currentDirectory).status(path).kind === "directory";
    } catch (thrown) {
      if (thrown instanceof FileError) return false;
      throw thrown;
    }
  }

  /** Names of branches, tags and remote branches, behind the range operator that `word` has. */
  async #revisions(word: string): Promise<readonly Candidate[]> {
    const prefix = /^(?:.*\.\.\.?|\^)/s.exec(word)?.[0] ?? "";
    const names = await this.#lines("git for-each-ref '--format=%(refname:short)'");
    return names.length === 0 ? [] : texts(["HEAD", ...names].map((name) => `${prefix}${name}`));
  }

  /** Numbers of the records in the audit, the newest first. */
  async #records(): Promise<readonly Candidate[]> {
    return texts((await this.#lines("history")).map((line) => line.split("\t")[1] ?? "").reverse());
  }

  /** Lines that a command which only reads prints; none where it fails. */
  async #lines(line: string): Promise<readonly string[]> {
    const { result, stdout } = await this.#session.run(line, { cwd: this.#session.currentDirectory });
    return result.kind === "completed" && result.exit === 0 ? stdout.toString().split("\n").slice(0, -1) : [];
  }
}

/** Flags that are not refused, with an equals sign where a value is to follow a long one. */
function flagsOf(definition: BuiltinDefinition | undefined): readonly Candidate[] {
  return namedFlags(definition?.flags ?? {})
    .filter(({ flag }) => flag.kind !== "refused")
    .flatMap(({ flag, letters, longNames }): readonly Candidate[] => {
      const takesValue = flag.kind === "value" || flag.kind === "path";
      return [
        ...texts(letters.map((letter) => `-${letter}`)),
        ...longNames.map((long): Candidate => (takesValue ? { text: `--${long}=`, goesOn: true } : { text: `--${long}` })),
      ];
    })
    .concat(texts(definition === undefined ? [] : ["--help", "--version"]));
}

type Subcommands = ReturnType<NonNullable<BuiltinDefinition["subcommands"]>>;

function subcommandFlags(subcommands: Subcommands | undefined, name: string): readonly Candidate[] {
  const known = subcommands?.commands.find((command) => command.name === name);
  const families = subcommands?.families.filter((family) => known?.families.includes(family.name)) ?? [];
  const flags = [...(known?.flags ?? []), ...families.flatMap((family) => family.flags)];
  return flags.map((flag): Candidate => {
    const long = /^(--[\w-]+)(=|\[)?/.exec(flag);
    if (long === null) return { text: flag.replace(/[^-\w].*$/s, "") };
    return long[2] === "=" ? { text: `${long[1]}=`, goesOn: true } : { text: long[1] ?? flag };
  });
}

/** Names that `text` sets: by an assignment, a loop or `read`. */
const assigned = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^|[\s;&|(])(?:([A-Za-z_]\w*)\+?=|(?:for|read)\s+(?:-\w+\s+)*([A-Za-z_]\w*))/g)].map(
    ([, set, read]) => set ?? read ?? "",
  );

/** What all of `words` begin with, no character cut in two. */
function commonPrefix(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

const texts = (words: readonly string[]): readonly Candidate[] => words.map((text) => ({ text }));
const unique = (words: readonly string[]): string[] => [...new Set(words)];
