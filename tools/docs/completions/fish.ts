/** Completions for fish. */
import type { BuiltinDefinition } from "../../../src/builtin/definition.ts";
import { SERVE, SHELPA } from "../../../src/cli/commands.ts";
import { completedBuiltins, NOTICE, optionsOf, WORDS, type CompletedOption } from "./completed.ts";

/** Program → script. */
export function fishCompletions(builtins: readonly BuiltinDefinition[]): ReadonlyMap<string, string> {
  return new Map([
    ["shelpa", shelpaScript(builtins)],
    ["shelpa-mcp", serverScript()],
  ]);
}

function shelpaScript(builtins: readonly BuiltinDefinition[]): string {
  const all = completedBuiltins(builtins);
  const valued = optionsOf(SHELPA)
    .filter(({ arg }) => arg !== undefined)
    .flatMap(({ spellings }) => spellings);
  const cases = all
    .filter(({ flags }) => flags.length > 0)
    .map(({ names, flags }) => {
      const lines = flags.map(({ spelling, help }) => `            ${fishQuoted(`${spelling}\t${help}`)}`).join(" \\\n");
      return `        case ${names.map(fishQuoted).join(" ")}\n          printf '%s\\n' \\\n${lines}\n`;
    });
  return `${NOTICE}# The builtin that was typed, if any.
function __shelpa_builtin
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case ${valued.join(" ")}
                set -e words[1]
            case '-*'
            case '*'
                echo -- $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end
function __shelpa_flags
    switch (__shelpa_builtin)
${cases.join("")}    end
end
${optionsOf(SHELPA)
  .map((option) => complete("shelpa", "not __shelpa_builtin >/dev/null", option))
  .join("")}${all
  .flatMap(({ names, summary }) =>
    names.map((name) => `complete -c shelpa -f -n 'not __shelpa_builtin >/dev/null' -a ${fishQuoted(name)} -d ${fishQuoted(summary)}\n`),
  )
  .join("")}complete -c shelpa -n '__shelpa_builtin >/dev/null; and string match -q -- "-*" (commandline -ct)' -a '(__shelpa_flags)'
`;
}

function serverScript(): string {
  const words = WORDS.map(({ word }) => word).join(" ");
  const noWord = `not __fish_seen_subcommand_from ${words}`;
  const lines = [
    "complete -c shelpa-mcp -f\n",
    ...optionsOf(SERVE).map((option) => complete("shelpa-mcp", noWord, option)),
    ...WORDS.flatMap(({ word, summary, command, members }) => {
      const others = WORDS.filter(({ members: group }) => group.some((member) => member.word === word)).map((group) => group.word);
      const seen = `__fish_seen_subcommand_from ${word}${others.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${others.join(" ")}`}`;
      const names = members.map((member) => member.word).join(" ");
      return [
        `complete -c shelpa-mcp -n ${fishQuoted(noWord)} -a ${word} -d ${fishQuoted(summary)}\n`,
        ...(command === undefined ? [] : optionsOf(command).map((option) => complete("shelpa-mcp", seen, option))),
        ...members.flatMap((member) => [
          `complete -c shelpa-mcp -n ${fishQuoted(`${seen}; and not __fish_seen_subcommand_from ${names}`)} -a ${member.word} -d ${fishQuoted(member.command.summary)}\n`,
          ...optionsOf(member.command).map((option) =>
            complete("shelpa-mcp", `${seen}; and __fish_seen_subcommand_from ${member.word}`, option),
          ),
        ]),
      ];
    }),
  ];
  return `${NOTICE}${lines.join("")}`;
}

function complete(program: string, condition: string, { spellings, arg, completes, help }: CompletedOption): string {
  const names = spellings.map((spelling) => (spelling.startsWith("--") ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`)).join(" ");
  const value =
    arg === undefined
      ? ""
      : completes === "directory"
        ? ` -x -a '(__fish_complete_directories)'`
        : completes === "file"
          ? " -r -F"
          : completes === undefined || completes === "builtin"
            ? " -x"
            : ` -x -a ${fishQuoted(completes.join(" "))}`;
  return `complete -c ${program} -n ${fishQuoted(condition)} ${names}${value} -d ${fishQuoted(help)}\n`;
}

/** fish knows the backslash inside single quotes. */
const fishQuoted = (word: string): string => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
