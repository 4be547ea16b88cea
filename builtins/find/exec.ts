/** -exec and -execdir: other builtins as stages of find, one run for each file (`;`) or one for many (`+`). */
import type { Argument } from "../../src/builtin/arguments.ts";
import type { ExitStatus } from "../../src/builtin/definition.ts";
import { itemScript, notAWord, type ItemScript } from "../../src/builtin/item-script.ts";
import { unwrappedScript } from "../../src/builtin/stage-command.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { keptOpen } from "../../src/io/kept-open.ts";
import { toBytes } from "../../src/io/text.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { GivenPrimary, PrimaryReader } from "./primary.ts";
import type { Compiled } from "./expression.ts";
import type { FindRun } from "./find-run.ts";

/** A command that an expression would run. */
export interface StageCommand {
  readonly primary: string;
  /** Words with `{}` stand for names that are not known yet. */
  readonly command: readonly Argument[];
  /** Index of its name in find's arguments. */
  readonly operand: number;
  /** find without it, or with what its script says. */
  readonly suggestion: string;
}

/** Bytes of a command line at most: what GNU find allows itself. */
const MOST_COMMAND_BYTES = 131_072;

interface Given {
  readonly words: readonly string[];
  readonly many: boolean;
}

function execPrimary(inDirectory: boolean): PrimaryReader {
  return {
    role: "action",
    read(given) {
      const from = given.at + 1;
      const { words, many } = readCommand(given);
      const script = many ? undefined : itemScript(words, "{}");
      given.settings.stages.push({
        primary: given.name,
        command:
          script?.command() ??
          words.map((word) => ({ ...argumentFor(word, word, many), ...(word.includes("{}") ? { unknown: true } : {}) })),
        operand: from,
        suggestion: suggestion(given, from, words),
      });
      return (run) => (many ? inBatches(run, words, inDirectory) : oneByOne(run, { words, script, inDirectory }));
    },
  };
}

function readCommand(given: GivenPrimary): Given {
  const { words, name } = given;
  const from = given.at + 1;
  let end = from;
  let many = false;
  for (; end < words.length && words[end] !== ";"; end++) {
    if (words[end] === "+" && words[end - 1] === "{}" && end > from) {
      many = true;
      break;
    }
  }
  if (end >= words.length) {
    const plus = words.indexOf("+", from + 1);
    const before = words[plus - 1];
    if (plus > 0 && before?.includes("{}") === true && before !== "{}") {
      throw given.bad(`In \u2018${name} ... {} +\u2019 the \u2018{}\u2019 must appear by itself, but you specified \u2018${before}\u2019`);
    }
    throw given.error("missing-value", `missing argument to \`${name}'`);
  }
  if (end === from) throw given.invalid(words[end] as string);
  const command = words.slice(from, many ? end - 1 : end);
  if (many && command.some((word) => word.includes("{}"))) throw given.bad(`Only one instance of {} is supported with ${name} ... +`);
  given.at = end;
  return { words: many ? [...command, "{}"] : command, many };
}

/** find with what was in the script in its place; "" where it is no script. */
function suggestion(given: GivenPrimary, from: number, words: readonly string[]): string {
  const quoted = (parts: readonly string[]): string =>
    parts.map((word) => (word === "{}" || word === "!" ? word : quoteWord(word))).join(" ");
  const script = unwrappedScript(words);
  const before = given.words.slice(0, from - 1);
  const after = given.words.slice(given.at + 1);
  if (script !== undefined) return `find ${quoted(before)} ${given.name} ${quoted(script)} \\; ${quoted(after)}`.trim();
  return "";
}

/** `word` with `text` in the place of `{}`. What came from a name is no flag. */
const argumentFor = (word: string, text: string, many: boolean): Argument =>
  word.includes("{}") && !word.startsWith("-") ? { text, operandOnly: true, many } : { text };

/** Directory in which a stage runs, and the file's name there. */
function placeOf(run: FindRun, file: TreeFile, inDirectory: boolean): { readonly directory: string | undefined; readonly name: string } {
  if (!inDirectory) return { directory: undefined, name: file.path };
  const trimmed = file.path.replace(/(?<=.)\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  const parent = slash < 0 ? "." : slash === 0 ? "/" : trimmed.slice(0, slash);
  const name = file.name === "/" ? "/" : `./${file.path.slice(slash + 1, trimmed.length + 1)}`;
  return { directory: run.invocation.files.realPath(parent), name };
}

interface Repeated {
  readonly words: readonly string[];
  /** The command that takes each name as an argument, where a shell's script holds it. */
  readonly script: ItemScript | undefined;
  readonly inDirectory: boolean;
}

function oneByOne(run: FindRun, { words, script, inDirectory }: Repeated): Compiled {
  return {
    kind: "stage",
    async *run(file) {
      try {
        const { directory, name } = placeOf(run, file, inDirectory);
        const filled = (word: string): string => word.replaceAll("{}", () => name);
        if (script?.accepts(name) === false) {
          run.complain(`${words[0]}: ${notAWord(name)}`);
          return false;
        }
        const command = script?.command(name) ?? words.map((word) => argumentFor(word, filled(word), false));
        yield* run.flush();
        return (yield* run.invocation.runStage(command, keptOpen(run.invocation.stdin), directory)) === 0;
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        run.fileFailed(file.path, thrown);
        return false;
      }
    },
  };
}

function inBatches(run: FindRun, words: readonly string[], inDirectory: boolean): Compiled {
  const fixed = words.slice(0, -1);
  const fixedBytes = fixed.reduce((sum, word) => sum + sizeOf(word), 0);
  let names: string[] = [];
  let bytes = fixedBytes;
  let place: string | undefined;
  async function* runNow(): AsyncGenerator<Uint8Array, void> {
    if (names.length === 0) return;
    const command = [...fixed.map((text) => ({ text })), ...names.map((text) => ({ text, operandOnly: true }))];
    names = [];
    bytes = fixedBytes;
    yield* run.flush();
    const exit: ExitStatus = yield* run.invocation.runStage(command, keptOpen(run.invocation.stdin), place);
    if (exit !== 0) run.exit = 1;
  }
  (inDirectory ? run.atLeaving : run.atEnd).push(runNow);
  return {
    kind: "stage",
    async *run(file) {
      try {
        const { directory, name } = placeOf(run, file, inDirectory);
        const size = sizeOf(name);
        if (bytes + size > MOST_COMMAND_BYTES) yield* runNow();
        place = directory;
        names.push(name);
        bytes += size;
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        run.fileFailed(file.path, thrown);
      }
      return true;
    },
  };
}

/** With the null byte at its end. */
const sizeOf = (word: string): number => toBytes(word).length + 1;

function asking(instead: string): PrimaryReader {
  return {
    role: "action",
    read(given) {
      throw given.refused(`nobody is there to answer; ${instead} runs the same without asking`, 0, [instead]);
    },
  };
}

export const execPrimaries: Readonly<Record<string, PrimaryReader>> = {
  "-exec": execPrimary(false),
  "-execdir": execPrimary(true),
  "-ok": asking("-exec"),
  "-okdir": asking("-execdir"),
};
