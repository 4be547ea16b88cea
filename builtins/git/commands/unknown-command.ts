/** A word that is no command of git: an alias of the repository, which is shown and not run, or nothing at all. */
import { quoteWord } from "../../../src/display/quote.ts";
import { nearest } from "../../../src/builtin/nearest.ts";
import { toWord } from "../objects/byte-text.ts";
import { command, type Command } from "./command.ts";

/** A word is taken for a mistyped command rather than an alias from this length on: aliases are short. */
const TYPO_UNITS = 5;

/** The command that a long `name` most likely is. */
export const mistyped = (name: string, commands: Iterable<string>): string | undefined =>
  name.length < TYPO_UNITS ? undefined : nearest(name, commands);

/**
 * Says what `name` is. `before`: the words between git and it; `after`: those behind it; `runs`: true of words that are a line of git
 * that runs here.
 */
export const unknownCommand = (
  name: string,
  before: readonly string[],
  after: readonly string[],
  runs: (words: readonly string[]) => boolean,
): Command =>
  command({
    flags: {},
    worksOutside: true,
    *run({ repository, complain }) {
      const alias = repository.config.get(`alias.${name.toLowerCase()}`);
      if (alias === undefined) {
        complain(`git: '${name}' is not a git command. See 'git --help'.\n`);
        return 1;
      }
      const said = `git: ${name} is an alias of this repository, and aliases are not run here: ${alias}\n`;
      const words = wordsOf(toWord(alias));
      const line = words === undefined ? undefined : [...before, ...words, ...after];
      complain(line === undefined || !runs(line) ? said : `${said}try: ${["git", ...line].map(quoteWord).join(" ")}\n`);
      yield;
      return 1;
    },
  });

/** An alias as git parts it: quotes and backslashes keep words together. Undefined for one that the shell would run. */
function wordsOf(alias: string): readonly string[] | undefined {
  if (alias.startsWith("!")) return undefined;
  const words = alias.match(/(?:[^\s'"\\]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /\\([^])|'([^']*)'|"((?:[^"\\]|\\[^])*)"/g,
      (_, one?: string, plain?: string, quoted?: string) => one ?? plain ?? (quoted ?? "").replace(/\\([^])/g, "$1"),
    ),
  );
}
