/** Table of the commands `shelpa-mcp WORD …`: they are found, parsed, explained by --help and documented from it. */
import { builtins } from "../../builtins/registry.ts";
import { nearest } from "../builtin/nearest.ts";
import { quoteWord } from "../display/quote.ts";
import type { Command, Given, OptionTable } from "./command.ts";
import { helpText, phrase, row, usageLines, usageText, wrapped } from "./command-help.ts";
import { CommandLineError } from "./command-line-error.ts";
import * as commands from "./commands.ts";
import { print } from "./print.ts";
import { readCommand } from "./read-command.ts";

/** A word that is a command, or a group of commands with a word of their own each. */
export type Subcommand = Leaf | { readonly word: string; readonly summary: string; readonly group: readonly Leaf[] };

interface Leaf {
  readonly word: string;
  readonly command: Command;
  /** Runs it with its arguments and gives the exit status. Its code is read only then. */
  readonly run: (argv: readonly string[]) => Promise<number>;
}

export const SUBCOMMANDS: readonly Subcommand[] = [
  leaf(commands.RUN, async () => (await import("./run-command.ts")).run),
  leaf(commands.CHECK, async () => (await import("./check-command.ts")).check),
  leaf(commands.INIT, async () => (await import("./init/init-command.ts")).init),
  leaf(commands.DOCTOR, async () => (await import("./doctor/doctor-command.ts")).doctor),
  leaf(commands.COMPLETIONS, async () => (await import("./completions-command.ts")).completions),
  leaf(commands.DEMO, async () => (await import("./demo-command.ts")).demo),
  leaf(commands.HOOK, async () => (await import("./hook/hook-command.ts")).hook),
  {
    word: "policy",
    summary: "Tell what the configuration comes to.",
    group: [leaf(commands.POLICY_CHECK, async () => (await import("./policy-command.ts")).policyCheck)],
  },
  {
    word: "audit",
    summary: "Tell what was written below a root, by whom and why; whether it still stands; and take it back.",
    group: [
      auditLeaf(commands.AUDIT_LOG, async () => (await import("./audit-command.ts")).log),
      auditLeaf(commands.AUDIT_SHOW, async () => (await import("./audit-command.ts")).show),
      auditLeaf(commands.AUDIT_DIFF, async () => (await import("./audit-command.ts")).diff),
      auditLeaf(commands.AUDIT_VERIFY, async () => (await import("./audit-command.ts")).verify),
      auditLeaf(commands.AUDIT_ANCHOR, async () => (await import("./audit/anchor-command.ts")).anchor),
      auditLeaf(commands.AUDIT_RESTORE, async () => (await import("./audit-command.ts")).restoreRecord),
      auditLeaf(commands.AUDIT_REPORT, async () => (await import("./audit-command.ts")).report),
      auditLeaf(commands.AUDIT_EXPORT, async () => (await import("./audit/export-command.ts")).exportRecords),
      auditLeaf(commands.AUDIT_PRUNE, async () => (await import("./audit/prune-command.ts")).pruneRecords),
      auditLeaf(commands.AUDIT_SERVE, async () => (await import("./audit-command.ts")).serve),
    ],
  },
];

type Run<O extends OptionTable> = (given: Given<O>) => number | Promise<number>;

function leaf<O extends OptionTable>(command: Command<O>, load: () => Promise<Run<O>>): Leaf {
  const run = async (argv: readonly string[]): Promise<number> => {
    const given = readCommand(command, argv);
    if (given === "help" || given === "version") {
      print(helpText(command));
      return 0;
    }
    return (await load())(given);
  };
  return { word: command.name.split(" ").at(-1) ?? "", command, run };
}

function auditLeaf<O extends OptionTable>(command: Command<O>, load: () => Promise<Run<O>>): Leaf {
  return leaf(command, async () => (await import("./audit-command.ts")).audited(await load()));
}

/** The subcommand that `argv` begins with, bound to the rest of `argv`; undefined for any other word. Throws CommandLineError. */
export function subcommandOf(argv: readonly string[]): { readonly name: string; readonly run: () => Promise<number> } | undefined {
  const [word, ...rest] = argv;
  if (word === undefined || word.startsWith("-")) return undefined;
  const found = SUBCOMMANDS.find((subcommand) => subcommand.word === word);
  if (found === undefined) throw unknownCommand(word, rest);
  if (!("group" in found)) return { name: found.command.name, run: () => found.run(rest) };
  const name = `shelpa-mcp ${found.word}`;
  const [second, ...others] = rest;
  if (second === undefined || second === "--help" || second === "-h") {
    return {
      name,
      run: async () => {
        print(groupHelp(name, found.summary, found.group));
        return 0;
      },
    };
  }
  const member = found.group.find((one) => one.word === second);
  if (member !== undefined) return { name: member.command.name, run: () => member.run(others) };
  const words = found.group.map((one) => one.word);
  const near = nearest(second, words);
  throw new CommandLineError(
    `${found.word}: there is no '${second}'; there ${words.length === 1 ? "is" : "are"} ${words.join(", ")}`,
    near === undefined ? `${name} --help` : [name, near, ...others].join(" "),
  );
}

/** Words of other programs for what a command of ours does. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  install: "init",
  setup: "init",
  uninstall: "init --remove",
  remove: "init --remove",
};

function unknownCommand(word: string, rest: readonly string[]): CommandLineError {
  // Servers of files take their directory as an operand.
  if (/[./~\\]/.test(word))
    return new CommandLineError(`there is no command '${word}'; a directory stands behind --root`, `shelpa-mcp --root ${quoteWord(word)}`);
  const words = SUBCOMMANDS.map((one) => one.word);
  if (builtins.some(({ name, aliases = [] }) => name === word || aliases.includes(word))) {
    const meant = ["shelpa", word, ...rest].map(quoteWord).join(" ");
    return new CommandLineError(`'${word}' is a command of shelpa, and none of shelpa-mcp`, meant);
  }
  const near = OTHER_WORDS[word] ?? nearest(word, words);
  const message = `there is no command '${word}'; there are ${words.join(", ")}`;
  return new CommandLineError(message, near === undefined ? "shelpa-mcp --help" : ["shelpa-mcp", near, ...rest.map(quoteWord)].join(" "));
}

/** One sentence on it. */
export const summaryOf = (subcommand: Subcommand): string => ("group" in subcommand ? subcommand.summary : subcommand.command.summary);

/** Every command that a word of the table leads to. */
export const commandsOf = (subcommand: Subcommand): readonly Command[] =>
  "group" in subcommand ? subcommand.group.map(({ command }) => command) : [subcommand.command];

function groupHelp(name: string, summary: string, group: readonly Leaf[]): string {
  const usage = usageText(group.flatMap(({ command }) => usageLines(command)));
  const rows = group.map(({ word, command }) => row(word, phrase(command.summary)));
  return `${usage}${wrapped(summary)}\n${rows.join("")}\n'${name} COMMAND --help' tells of each.\n`;
}
