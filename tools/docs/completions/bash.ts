/** Completions for bash. */
import type { BuiltinDefinition } from "../../../src/builtin/definition.ts";
import type { Command } from "../../../src/cli/command.ts";
import { SERVE, SHELPA } from "../../../src/cli/commands.ts";
import { completedBuiltins, NOTICE, optionsOf, single, WORDS, type CompletedOption } from "./completed.ts";

/** Program → script. */
export function bashCompletions(builtins: readonly BuiltinDefinition[]): ReadonlyMap<string, string> {
  return new Map([
    ["shelpa", shelpaScript(builtins)],
    ["shelpa-mcp", serverScript()],
  ]);
}

function shelpaScript(builtins: readonly BuiltinDefinition[]): string {
  const all = completedBuiltins(builtins);
  const cases = all
    .filter(({ flags }) => flags.length > 0)
    .map(
      ({ names, flags }) => `      ${names.map(pattern).join("|")}) words=${single(flags.map(({ spelling }) => spelling).join(" "))} ;;\n`,
    );
  const operandCases = all
    .filter(({ firstOperands }) => firstOperands.length > 0)
    .map(({ names, firstOperands }) => `      ${names.map(pattern).join("|")}) operands=${single(firstOperands.join(" "))} ;;\n`);
  return `${NOTICE}_shelpa() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} name= words= operands= at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      ${withValue(optionsOf(SHELPA)).join("|")}) ((at++)) ;;
      -?*) ;;
      *) name=\${COMP_WORDS[at]}; break ;;
    esac
  done
  if [[ -n $name ]]; then
    case $name in
${cases.join("")}    esac
    ((COMP_CWORD == at + 1)) && case $name in
${operandCases.join("")}    esac
    if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [[ -n $operands ]]; then mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$current")
    else mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames
    fi
    return
  fi
${valueCases(SHELPA, "$previous", "")}  words=${single([...offered(SHELPA), ...all.flatMap(({ names }) => names)].join(" "))}
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _shelpa shelpa
`;
}

function serverScript(): string {
  const commands = WORDS.flatMap(({ word, members, command }) => [
    ...(command === undefined ? [] : [[word, command] as const]),
    ...members.map((member) => [`${word} ${member.word}`, member.command] as const),
  ]);
  const groups = WORDS.filter(({ members }) => members.length > 0);
  const branches = [
    ...commands.map(
      ([key, command]) =>
        `    ${single(key)})\n${valueCases(command, "$previous", "  ")}      words=${single([...operandWords(command), ...offered(command)].join(" "))} ;;\n`,
    ),
    ...groups.map(({ word, members }) => `    ${word}) words=${single(`${members.map((member) => member.word).join(" ")} --help`)} ;;\n`),
  ];
  return `${NOTICE}_shelpa_mcp() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} key= words=
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${groups.map(({ word }) => word).join("|")}) key=\${COMP_WORDS[1]}; ((COMP_CWORD > 2)) && key="$key \${COMP_WORDS[2]}" ;;
      [a-z]*) key=\${COMP_WORDS[1]} ;;
    esac
  fi
  case $key in
${branches.join("")}    *)
${valueCases(SERVE, "$previous", "  ")}      words=${single(offered(SERVE).join(" "))}
      ((COMP_CWORD == 1)) && words+=${single(` ${WORDS.map(({ word }) => word).join(" ")}`)} ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _shelpa_mcp shelpa-mcp
`;
}

/** Words that a command's operand may be; empty where it is anything else. */
const operandWords = ({ operands: { completes } }: Command): readonly string[] => (typeof completes === "object" ? completes : []);
const offered = (command: Pick<Command, "options">): readonly string[] => optionsOf(command).flatMap(({ spellings }) => spellings);
const withValue = (options: readonly CompletedOption[]): readonly string[] =>
  options.filter(({ arg }) => arg !== undefined).flatMap(({ spellings }) => spellings);

/** The `case` clauses that complete an option's value; an option whose values nobody can know completes to nothing. */
function valueCases(command: Pick<Command, "options">, subject: string, indent: string): string {
  const cases = optionsOf(command)
    .filter(({ arg }) => arg !== undefined)
    .map(({ spellings, completes }) => {
      const action =
        completes === "directory"
          ? `mapfile -t COMPREPLY < <(compgen -d -- "$current"); compopt -o filenames`
          : completes === "file"
            ? `mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames`
            : completes === undefined || completes === "builtin"
              ? ":"
              : `mapfile -t COMPREPLY < <(compgen -W ${single(completes.join(" "))} -- "$current")`;
      return `${indent}      ${spellings.join("|")}) ${action}; return ;;\n`;
    });
  return cases.length === 0 ? "" : `${indent}    case ${subject} in\n${cases.join("")}${indent}    esac\n`;
}

/** A name as a pattern that matches it alone. */
const pattern = (name: string): string => (/^[\w@-]+$/.test(name) ? name : single(name));
