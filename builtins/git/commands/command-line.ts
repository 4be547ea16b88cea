/** `git [-C DIR] [-c NAME=VALUE] … COMMAND ARGUMENT…`, read before anything runs. */
import { quoteWord } from "../../../src/display/quote.ts";
import { UsageError } from "../../../src/builtin/usage-error.ts";
import { fromWord } from "../objects/byte-text.ts";
import type { Command } from "./command.ts";
import { COMMANDS, NEAREST, REFUSED } from "./commands.ts";
import { configName, type Setting } from "../config.ts";
import { Options, readOptions } from "./options.ts";
import { refusalOf } from "./typed-settings.ts";
import { takenBack } from "./taken-back.ts";
import { mistyped, unknownCommand } from "./unknown-command.ts";

export interface Directory {
  readonly path: string;
  readonly operand: number;
}

export type GitLine =
  | { readonly kind: "help"; readonly exit: number; readonly directories: readonly Directory[] }
  | { readonly kind: "version"; readonly directories: readonly Directory[] }
  | {
      readonly kind: "command";
      /** "log", "stash list". */
      readonly name: string;
      readonly command: Command;
      readonly options: Options<string>;
      /** Of -C, in order: each is relative to the one before. */
      readonly directories: readonly Directory[];
      readonly places: TypedWords;
      readonly settings: readonly Setting[];
    };

/** Of --git-dir and --work-tree, as typed. */
export interface TypedWords {
  readonly gitDirectory?: Directory;
  readonly worktree?: Directory;
}

const NO_EFFECT = new Set(["--no-pager", "-P", "--no-optional-locks"]);

function reasonAgainst(word: string): string {
  if (/^--(?:exec|html)-path/.test(word)) return "git's programs and its manual are not here";
  if (word.includes("pathspecs")) return "a path is a pattern unless :(literal) stands before it";
  if (/^(-p|--paginate)$/.test(word)) return "no pager is started here";
  return "not available here; the repository is the one of the directory that -C names";
}

/** Throws UsageError for what is refused or unknown. */
export function parseGit(words: readonly string[]): GitLine {
  const directories: Directory[] = [];
  const settings: Setting[] = [];
  let places: TypedWords = {};
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith("-")) break;
    if (NO_EFFECT.has(word)) continue;
    if (word === "--no-replace-objects") {
      settings.push({ name: "core.usereplacerefs", value: "false", isTyped: true });
      continue;
    }
    if (word === "--version" || word === "-v") return { kind: "version", directories };
    if (word === "--help" || word === "-h") return { kind: "help", exit: 0, directories };
    if (word === "-C" || word === "-c") {
      const value = words[++at];
      if (value === undefined)
        throw new UsageError("missing-value", word === "-C" ? "no directory given for '-C'" : "-c expects a configuration string", {
          subject: word,
          argument: at - 1,
          exit: 129,
        });
      if (word === "-C") {
        if (value !== "") directories.push({ path: value, operand: at });
      } else {
        const equals = value.indexOf("=");
        const setting: Setting = {
          name: configName(fromWord(equals < 0 ? value : value.slice(0, equals))),
          value: equals < 0 ? undefined : fromWord(value.slice(equals + 1)),
          isTyped: true,
        };
        const reason = refusalOf(setting.name, setting.value);
        if (reason !== undefined)
          throw new UsageError("refused-flag", `git -c ${setting.name}: ${reason}`, {
            subject: word,
            argument: at - 1,
            dropped: [at - 1, at],
          });
        settings.push(setting);
      }
      continue;
    }
    const [, placed, joinedTo] = /^--(git-dir|work-tree)(?:=([^]*))?$/.exec(word) ?? [];
    if (placed !== undefined) {
      const path = joinedTo ?? words[++at];
      if (path === undefined)
        throw new UsageError("missing-value", `no directory given for '--${placed}'`, { subject: word, argument: at - 1, exit: 129 });
      places = { ...places, [placed === "git-dir" ? "gitDirectory" : "worktree"]: { path, operand: at } };
      continue;
    }
    if (
      /^(--exec-path|--html-path|--namespace|--paginate|-p|--config-env|--bare|--super-prefix|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs)(=|$)/.test(
        word,
      )
    )
      throw new UsageError("refused-flag", `git ${word}: ${reasonAgainst(word)}`, {
        subject: word,
        argument: at,
        ...(/^(-p|--paginate)$/.test(word) ? { isSame: true } : {}),
        dropped: /^--(?:exec|html)-path/.test(word) ? [] : /^--(namespace|config-env|super-prefix)$/.test(word) ? [at, at + 1] : [at],
      });
    throw new UsageError("unknown-flag", `unknown option: ${word}`, { subject: word, argument: at, exit: 129 });
  }
  const name = words[at];
  if (name === undefined) return { kind: "help", exit: 1, directories };
  if (name === "version" && at === words.length - 1) return { kind: "version", directories };
  // `stash list` and `stash show` have flags of their own.
  const action = `${name} ${words[at + 1] ?? ""}`;
  const hasAction = COMMANDS.has(action);
  const command = COMMANDS.get(hasAction ? action : name);
  if (command === undefined) {
    const refused = REFUSED.get(name);
    if (refused !== undefined) {
      const back = directories.length > 0 ? undefined : takenBack(name, words.slice(at + 1));
      throw new UsageError("refused-flag", `git ${name}: ${refused[0]}`, {
        subject: name,
        argument: at,
        ...(name === "apply" ? applied(words.slice(0, at), words.slice(at + 1)) : { suggestion: back?.written, lost: back?.lost }),
        whereRecorded: back?.undone === undefined ? undefined : { path: back.path, suggestion: back.undone },
      });
    }
    const nearest = NEAREST.get(name);
    if (nearest !== undefined)
      throw new UsageError("refused-flag", `git ${name} is not done here`, { subject: name, argument: at, ...nearestFacts(nearest) });
    const known = [...COMMANDS.keys(), ...REFUSED.keys(), ...NEAREST.keys()].filter((each) => !each.includes(" "));
    const suggestion = mistyped(name, known);
    if (suggestion !== undefined)
      throw new UsageError("bad-value", `'${name}' is not a git command. See 'git --help'.`, {
        subject: name,
        argument: at,
        exit: 1,
        suggestion,
      });
    return {
      kind: "command",
      name,
      command: unknownCommand(name, words.slice(0, at), words.slice(at + 1), runs),
      options: new Options([], [], undefined),
      directories,
      places,
      settings,
    };
  }
  const first = hasAction ? at + 2 : at + 1;
  if (words[at + 1] === "--help")
    throw new UsageError("refused-flag", `git ${name} --help: git's manual is not here; git --help names the commands and flags that are`, {
      subject: "--help",
      argument: at + 1,
    });
  const options = readOptions(name, words.slice(first), command, first);
  const refused = command.check?.(options);
  if (refused !== undefined) {
    const [reason, , lacking, rewriting] = refused;
    const place = lacking?.behind === undefined ? first : words.indexOf(lacking.behind, first) + 1;
    const line = lacking === undefined ? undefined : ["git", ...words.slice(0, place), lacking.flag, ...words.slice(place)];
    const rewritten = directories.length === 0 && first === at + 1 && at === 0 ? rewriting?.words(words.slice(first), 0) : undefined;
    throw new UsageError("refused-flag", reason, {
      subject: name,
      argument: at,
      suggestion: line?.map(quoteWord).join(" ") ?? rewritten,
      lost: lacking?.lost ?? rewriting?.lost,
    });
  }
  return { kind: "command", name: hasAction ? action : name, command, options, directories, places, settings };
}

/** True of words that are a command of git that is done here. */
function runs(words: readonly string[]): boolean {
  try {
    const line = parseGit(words);
    return line.kind === "command" && COMMANDS.get(line.name) === line.command;
  } catch (thrown) {
    if (thrown instanceof UsageError) return false;
    throw thrown;
  }
}

/** No placeholders: they are no line. */
const nearestFacts = (nearest: string): { readonly suggestion?: string; readonly lost?: string } =>
  /[A-Z]|--help/.test(nearest) ? {} : { suggestion: nearest, lost: "the nearest that is done here" };

/** git apply takes names from the top of the working tree, wherever it is. */
const LOST_BY_PATCH = "below the top of the working tree, names are taken from here; where a hunk does not fit, it says so as patch does";

/** The stage for `git apply`: diffstat where only a count is wanted. */
function applied(before: readonly string[], rest: readonly string[]): { readonly suggestion?: string | undefined; readonly lost?: string } {
  if (!rest.includes("--stat")) return { suggestion: asPatch(before, rest), lost: LOST_BY_PATCH };
  const files = rest.filter((word) => word !== "--stat");
  if (before.length > 0 || files.some((word) => word.startsWith("-"))) return {};
  return { suggestion: ["diffstat", ...files.map(quoteWord)].join(" "), lost: "names are laid out as diffstat does" };
}

/** `git apply [-R] [--check] [-pN] [FILE]` → patch without fuzz, which git apply has not; undefined where patch would do something else. */
function asPatch(before: readonly string[], rest: readonly string[]): string | undefined {
  if (before.length > 0) return undefined;
  const flags: string[] = [];
  const files: string[] = [];
  let strip = "-p1";
  let isQuiet = true;
  for (const word of rest) {
    if (word === "--check") flags.push("--dry-run");
    else if (word === "-v" || word === "--verbose") isQuiet = false;
    else if (word === "-R" || word === "--reverse") flags.push("-R");
    else if (/^-p\d+$/.test(word)) strip = word;
    else if (word.startsWith("-") && word !== "-") return undefined;
    else if (word !== "-") files.push(word);
  }
  if (files.length > 1) return undefined;
  return ["patch", strip, ...(isQuiet ? ["-s"] : []), "-F0", ...flags, ...files.flatMap((file) => ["-i", quoteWord(file)])].join(" ");
}
