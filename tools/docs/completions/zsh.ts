/** Completions for zsh. */
import type { BuiltinDefinition } from "../../../src/builtin/definition.ts";
import { SERVE, SHELPA } from "../../../src/cli/commands.ts";
import { completedBuiltins, NOTICE, optionsOf, single, WORDS, type CompletedOption } from "./completed.ts";

/** Program → script. */
export function zshCompletions(builtins: readonly BuiltinDefinition[]): ReadonlyMap<string, string> {
  return new Map([
    ["shelpa", shelpaScript(builtins)],
    ["shelpa-mcp", serverScript()],
  ]);
}

/** The end of a script that zsh loads by its name when it needs it, and that may be read by `source` as well. */
const calledOrRegistered = (name: string, program: string): string =>
  `if [[ $funcstack[1] == _${program} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi\n`;

function shelpaScript(builtins: readonly BuiltinDefinition[]): string {
  const all = completedBuiltins(builtins);
  const names = all.flatMap((builtin) => builtin.names.map((name) => `    ${described(name, builtin.summary)}\n`));
  const cases = all
    .filter(({ flags }) => flags.length > 0)
    .map(({ names: typed, flags }) => {
      const lines = flags.map(({ spelling, help }) => `          ${described(spelling, help)}\n`);
      return `      ${typed.map(single).join("|")})\n        flags=(\n${lines.join("")}        ) ;;\n`;
    });
  return `#compdef shelpa
${NOTICE}_shelpa() {
  local context state line
  local -a builtins flags
  builtins=(
${names.join("")}  )
  _arguments -C -A '-*' \\
${specs(optionsOf(SHELPA), "    ")}    '1: :->name' '*:: :->arguments' && return
  case $state in
    name) _describe -t builtins builtin builtins ;;
    arguments)
      case $words[1] in
${cases.join("")}      esac
      if [[ $PREFIX == -* ]]; then _describe -o -t flags flag flags
      else _files
      fi ;;
  esac
}
${calledOrRegistered("_shelpa", "shelpa")}`;
}

function serverScript(): string {
  const list = (entries: readonly { readonly word: string; readonly summary: string }[], indent: string): string =>
    entries.map(({ word, summary }) => `${indent}${described(word, summary)}\n`).join("");
  const cases = WORDS.map(({ word, command, members }) => {
    if (command !== undefined)
      return `        ${word})\n          _arguments \\\n${specs(optionsOf(command), "            ")}            '*: :' ;;\n`;
    const inner = members
      .map(
        (member) =>
          `            ${member.word}) _arguments \\\n${specs(optionsOf(member.command), "              ")}              '*: :' ;;\n`,
      )
      .join("");
    const summaries = members.map((member) => ({ word: member.word, summary: member.command.summary }));
    return `        ${word})
          commands=(
${list(summaries, "            ")}          )
          _arguments -C '1: :->member' '*:: :->rest'
          case $state in
            member) _describe -t commands command commands ;;
            rest)
          case $words[1] in
${inner}          esac ;;
          esac ;;
`;
  });
  return `#compdef shelpa-mcp
${NOTICE}_shelpa_mcp() {
  local context state line
  local -a commands
  commands=(
${list(WORDS, "    ")}  )
  _arguments -C \\
${specs(optionsOf(SERVE), "    ")}    '1: :->command' '*:: :->rest' && return
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $words[1] in
${cases.join("")}      esac ;;
  esac
}
${calledOrRegistered("_shelpa_mcp", "shelpa-mcp")}`;
}

function specs(options: readonly CompletedOption[], indent: string): string {
  return options
    .map(({ spellings, arg, completes, repeats, help }) => {
      const meaning = `[${help.replaceAll("\\", "\\\\").replaceAll("[", "\\[").replaceAll("]", "\\]").replaceAll(":", "\\:")}]`;
      const value = arg === undefined ? "" : `:${arg.replaceAll(":", "\\:")}:${action(completes)}`;
      const exclusive = repeats ? "*" : spellings.length > 1 ? `(${spellings.join(" ")})` : "";
      return spellings.map((spelling) => `${indent}${single(`${exclusive}${spelling}${meaning}${value}`)} \\\n`).join("");
    })
    .join("");
}

function action(completes: CompletedOption["completes"]): string {
  if (completes === "directory") return "_directories";
  if (completes === "file") return "_files";
  return completes === undefined || completes === "builtin" ? " " : `(${completes.join(" ")})`;
}

const described = (word: string, meaning: string): string => single(`${word.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}:${meaning}`);
