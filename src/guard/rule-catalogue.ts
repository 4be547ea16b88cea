/**
 * Every rule by its stable id: its subject, its severity, the scope of the harm, and the effect of the line that is
 * suggested instead; one table, past 400 lines. The guard's rules, the risk assessment and docs/rules.md take these facts from here.
 */
import type { Severity } from "../config/severity.ts";

export const RULE_GROUPS = ["syntax", "commands", "arguments", "paths", "reads", "writes"] as const;
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** Extent of the harm: the files that are named; the whole workspace; the machine around it. */
export type BlastRadiusScope = "RESOURCE" | "PROJECT" | "MACHINE";

/** Smallest first. */
export const SCOPES: readonly BlastRadiusScope[] = ["RESOURCE", "PROJECT", "MACHINE"];

export interface CatalogueEntry {
  readonly group: RuleGroup;
  /** One or two sentences: what the line does, and why that is a rule. */
  readonly description: string;
  readonly severity: Severity;
  readonly scope: BlastRadiusScope;
  /** Contents of that scope, as a clause. */
  readonly reach: string;
  /** Effect of a line suggested instead, as a clause. */
  readonly instead: string;
}

/** The entry of a rule. */
export const ruleEntry = (id: RuleId): CatalogueEntry => RULES[id];

export type RuleId = keyof typeof TABLE;

const NOTHING = "nothing: the line could not have run";

const TABLE = {
  "syntax:parse": {
    group: "syntax",
    description: "The line is no complete command line: a quote is open, an operator has nothing on one side, a group is not closed.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "the line, completed",
  },
  "syntax:unsupported": {
    group: "syntax",
    description: "A construct of the shell that does not exist here: background jobs, >(…), select and the like.",
    severity: "Low",
    scope: "PROJECT",
    reach: "what the construct would have run",
    instead: "the same without the construct",
  },
  "redirect:file": {
    group: "writes",
    description:
      "A redirection that would write a file of the workspace. Output goes into files by tee, so that every write is recorded and can be undone.",
    severity: "Medium",
    scope: "RESOURCE",
    reach: "the file that is named, without a record",
    instead: "the same, with the write recorded",
  },
  "redirect:strict": {
    group: "syntax",
    description: "With --strict every redirection is refused, also < FILE, 2>/dev/null and 2>&1, which change nothing.",
    severity: "Info",
    scope: "RESOURCE",
    reach: "no file",
    instead: "the same without the redirection: both outputs are returned anyway",
  },
  "variable:environment": {
    group: "arguments",
    description:
      "A variable is put into the environment that would change what the reference tool does, and that is not honoured here. TZ is; so are the locales C and POSIX, where each byte is a character, and C.UTF-8 and en_US.UTF-8. Order is by bytes in all.",
    severity: "Info",
    scope: "RESOURCE",
    reach: "what the command prints",
    instead: "the same without the variable",
  },
  "pipeline:length": {
    group: "syntax",
    description: "A pipeline has more than 100 stages, which all run at once, each with buffers of its own.",
    severity: "Low",
    scope: "MACHINE",
    reach: "memory of this machine",
    instead: "fewer stages",
  },
  "cmd:disallowed": {
    group: "commands",
    description: "The command is no builtin. No program is ever started here.",
    severity: "Medium",
    scope: "MACHINE",
    reach: "whatever the program does",
    instead: "what was meant, with builtins",
  },
  "cmd:left-out": {
    group: "commands",
    description: "The command is a builtin that the configuration of this server leaves out.",
    severity: "Low",
    scope: "PROJECT",
    reach: "what the builtin can reach: the workspace",
    instead: "the commands there are",
  },
  "call:unknown": {
    group: "commands",
    description: "What begins with @ is a named pipeline of this server's configuration, and there is none of that name.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "the named pipelines there are",
  },
  "call:arguments": {
    group: "arguments",
    description: "A named pipeline takes exactly the arguments that it names, each once, as key=value with one text for a value.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "what the named pipeline takes",
  },
  "call:dash": {
    group: "arguments",
    description: "A value given to a named pipeline begins with a dash, and the command it goes to would take it for a flag.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "what the flag would make the command do",
    instead: "what the named pipeline takes",
  },
  "cmd:removes": {
    group: "commands",
    description: "A command that removes files, without a record to restore them from.",
    severity: "High",
    scope: "PROJECT",
    reach: "files of the workspace",
    instead: "what was meant, with builtins",
  },
  "cmd:removes-all": {
    group: "commands",
    description: "A command that removes the workspace as a whole, or files outside it.",
    severity: "Critical",
    scope: "MACHINE",
    reach: "everything that may be removed",
    instead: "what was meant, with builtins",
  },
  "cmd:changes-files": {
    group: "commands",
    description: "A command that makes, copies, moves or cuts files, without a record to restore them from.",
    severity: "Medium",
    scope: "PROJECT",
    reach: "files of the workspace",
    instead: "the same by tee, recorded",
  },
  "cmd:permissions": {
    group: "commands",
    description: "A command that changes who may read, write or run a file.",
    severity: "High",
    scope: "PROJECT",
    reach: "files of the workspace",
    instead: "what was meant, with builtins",
  },
  "cmd:network": {
    group: "commands",
    description: "A command that talks to other machines: what it reads can leave, what it brings can be anything.",
    severity: "High",
    scope: "MACHINE",
    reach: "other machines, and whatever they send",
    instead: "what is in the workspace already",
  },
  "cmd:installs": {
    group: "commands",
    description: "A package manager: it brings code from elsewhere and runs it while installing.",
    severity: "High",
    scope: "MACHINE",
    reach: "code from elsewhere, run as the user",
    instead: "what is installed already",
  },
  "cmd:runs-code": {
    group: "commands",
    description: "A runtime, a build or another shell: it runs code that is not checked here.",
    severity: "High",
    scope: "MACHINE",
    reach: "whatever that code does as the user",
    instead: "the same commands as a line, which is checked",
  },
  "cmd:privileges": {
    group: "commands",
    description: "A command that runs another as somebody else, usually as the one who may do anything.",
    severity: "Critical",
    scope: "MACHINE",
    reach: "this whole machine",
    instead: "the same as the user this server runs as",
  },
  "cmd:processes": {
    group: "commands",
    description: "A command that lists, signals or waits for processes.",
    severity: "Medium",
    scope: "MACHINE",
    reach: "processes of this machine",
    instead: "what was meant, with builtins",
  },
  "cmd:terminal": {
    group: "commands",
    description: "An interactive program, which would wait for a terminal that nobody sits at.",
    severity: "Info",
    scope: "RESOURCE",
    reach: "the file that would be shown",
    instead: "the same without a terminal",
  },
  "nav:pipe": {
    group: "commands",
    description:
      "A command that moves the session stands in a pipeline. A shell would move a copy of itself there, which is never what was meant.",
    severity: "Info",
    scope: "RESOURCE",
    reach: "the directory of the session",
    instead: "the move first, then the rest",
  },
  "flag:unknown": {
    group: "arguments",
    description: "The reference tool has no such flag. Flags are never guessed and never passed over.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "the nearest flag there is",
  },
  "flag:refused": {
    group: "arguments",
    description:
      "The reference tool has this flag, and it is not available here: it would wait for ever, write past the audit, or start a program.",
    severity: "Medium",
    scope: "PROJECT",
    reach: "what the flag would write, run or wait for",
    instead: "the same without the flag, as far as that goes",
  },
  "flag:value": {
    group: "arguments",
    description: "A flag's value is missing, not one that the reference tool takes, or given to a flag that takes none.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "the flags and their values",
  },
  "arg:operands": {
    group: "arguments",
    description: "An operand is missing, or there is one more than the reference tool takes.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "the operands it takes",
  },
  "run:command": {
    group: "arguments",
    description: "A program inside an argument would start a command. No external program is ever started here.",
    severity: "High",
    scope: "MACHINE",
    reach: "whatever that command does",
    instead: "what was meant, with builtins",
  },
  "path:escape": {
    group: "paths",
    description: "A path leads out of the root. Files outside it do not exist here.",
    severity: "High",
    scope: "MACHINE",
    reach: "files outside the workspace",
    instead: "the path inside the workspace that was likely meant",
  },
  "path:link": {
    group: "paths",
    description: "The line writes through a symbolic link that leads out of the root.",
    severity: "High",
    scope: "MACHINE",
    reach: "a file outside the workspace",
    instead: "a path inside the workspace",
  },
  "path:directory": {
    group: "paths",
    description: "The directory that the call is to run in is no directory of the workspace.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "a directory of the workspace",
  },
  "read:denied": {
    group: "reads",
    description:
      "The line names a file that the configuration (paths.deny_read) keeps from being read: that part fails with Permission denied.",
    severity: "Info",
    scope: "RESOURCE",
    reach: NOTHING,
    instead: "another file",
  },
  "read:credentials": {
    group: "reads",
    description:
      "The line reads a file that by its name holds credentials. Those of known forms are redacted in the answer; others may be shown.",
    severity: "Medium",
    scope: "MACHINE",
    reach: "whatever the credentials open",
    instead: "the names without the values",
  },
  "write:create": {
    group: "writes",
    description: "The line makes a new file. It is recorded and can be undone.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "a file that is not there yet",
    instead: "the same without the write",
  },
  "write:append": {
    group: "writes",
    description: "The line adds to a file. It is recorded and can be undone.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "the end of a file",
    instead: "the same without the write",
  },
  "write:replace": {
    group: "writes",
    description: "The line replaces what is in a file. The old bytes are kept in the record and can be restored.",
    severity: "Medium",
    scope: "RESOURCE",
    reach: "a file with content",
    instead: "shows what would change, and writes nothing",
  },
  "write:remove": {
    group: "writes",
    description: "The line removes a file or a directory, or moves it away. What was there is kept in the record and can be restored.",
    severity: "High",
    scope: "PROJECT",
    reach: "a file or a directory, with all that is in it",
    instead: "the same without the removal",
  },
  "write:attributes": {
    group: "writes",
    description: "The line sets the times of a file that is there. It is recorded and can be undone.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "the times of a file",
    instead: "the same without the write",
  },
  "write:unknown": {
    group: "writes",
    description: "The line writes files whose names are known only when it runs.",
    severity: "Medium",
    scope: "PROJECT",
    reach: "any file of the workspace that may be written",
    instead: "the same with the names spelled out",
  },
  "write:approval": {
    group: "writes",
    description: "The line writes a file that programs or agents run or obey by themselves. A person must allow it.",
    severity: "High",
    scope: "MACHINE",
    reach: "whatever the programs do that obey the file",
    instead: "the same without the write",
  },
  "write:protected": {
    group: "writes",
    description: "The line writes below a directory that only its own tool may change: .git, and .shelpa, where the audit is kept.",
    severity: "Critical",
    scope: "MACHINE",
    reach: "code that git runs, or the record of what was done",
    instead: "the same without the write",
  },
  "write:denied": {
    group: "writes",
    description: "The line writes a file that the configuration of this server keeps from being written.",
    severity: "Medium",
    scope: "RESOURCE",
    reach: "a file that the configuration protects",
    instead: "the same without the write",
  },
  "write:strict": {
    group: "writes",
    description: "In the profile strict files are written as a whole, by tee, and changes taken back, by undo; nothing else changes them.",
    severity: "Medium",
    scope: "PROJECT",
    reach: "files of the workspace, which this profile lets be written as a whole alone",
    instead: "the same without the write",
  },
  "write:read-only": {
    group: "writes",
    description: "The line writes a file, and the workspace is open for reading only, or the tool that is called only reads.",
    severity: "Low",
    scope: "PROJECT",
    reach: "the workspace, which is only read here",
    instead: "the same without the write",
  },
  "write:mount": {
    group: "writes",
    description: "The line writes into a directory that is mounted for reading only.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "a file of a mounted directory, which is open for reading only",
    instead: "a file of the root",
  },
  "write:two-trees": {
    group: "writes",
    description:
      "The line changes files of the root and of a mount, or of two mounts. Each has records of its own, and one undo takes a line back.",
    severity: "Low",
    scope: "RESOURCE",
    reach: "files of two trees",
    instead: "a line for each",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** In the order of docs/rules.md. */
export const RULES: Readonly<Record<RuleId, CatalogueEntry>> = TABLE;
