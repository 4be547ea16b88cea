/** Every command of ours with its options and operands: one table without code, so that reading it costs no start-up time. */
import { PROFILES, REDIRECT_POLICIES } from "../config/policy.ts";
import { SECTIONS } from "./audit/sections.ts";
import { defineCommand } from "./command.ts";
import { CLIENT_NAMES } from "./init/client-names.ts";
import { ENGINES } from "./init/engine-names.ts";

/** The address at which `--http` listens. */
export const DEFAULT_ADDRESS = "127.0.0.1:3456";

/** An entry for a client's file, on a machine where the program is on PATH. */
export const EXAMPLE_ENTRY = '{ "command": "shelpa-mcp", "args": ["--root", "/path/to/project"] }';

const NOTHING = { names: "", min: 0, max: 0 } as const;
const RECORD = { names: "RECORD", min: 1, max: 1 } as const;
const LINE = { names: "'LINE'", min: 1, max: 1 } as const;

const directory = { arg: "DIR", example: ".", completes: "directory" } as const;
const root = { ...directory, help: "the root (default: $SHELPA_ROOT, or the current directory)" } as const;
const cwd = { ...directory, help: "where in the root LINE starts" } as const;
const config = {
  arg: "FILE",
  example: "shelpa.toml",
  completes: "file",
  help: "the configuration (default: $SHELPA_CONFIG, or shelpa/config.toml where the user's configuration is)",
} as const;
const profile = { arg: "NAME", example: "strict", completes: PROFILES, help: "standard, read-only or strict" } as const;
const readOnly = { help: "refuse every write" } as const;
const strict = { help: "refuse 2>/dev/null, 2>&1 and other redirections as well, though they name no file" } as const;
const redirects = {
  arg: "HOW",
  example: "record",
  completes: REDIRECT_POLICIES,
  help: "refuse redirections into files of the root (the default), or record them as writes",
} as const;
const alias = {
  arg: "PREFIX",
  example: "/workspace",
  repeats: true,
  help: "read absolute paths under PREFIX as paths under DIR, for agents that know DIR by another name",
} as const;
const mount = {
  arg: "/NAME=DIR",
  example: "/docs=../docs",
  repeats: true,
  help: "put DIR under /NAME beside the root, to be read; with :rw behind it, to be written too",
} as const;
const alsoRead = { ...directory, repeats: true, help: "put DIR beside the root under its own path, to be read" } as const;
const json = { help: "one JSON object" } as const;
const version = { short: "V", help: "output version information and exit" } as const;

/** Sources of a server's policy, for commands that do as a server would. */
const asServer = { root, config, profile, "read-only": readOnly, strict, redirects, mount, "also-read": alsoRead } as const;

export const SHELPA = defineCommand({
  name: "shelpa",
  usages: ["shelpa [OPTION]... -c LINE"],
  summary: "Run a command line, one builtin, or a prompt, inside a directory and nowhere else.",
  operands: { names: "[NAME [ARGUMENT]...]", min: 0, max: Infinity, completes: "builtin" },
  firstOperandEndsOptions: true,
  options: {
    c: {
      short: "c",
      shortOnly: true,
      arg: "LINE",
      anyValue: true,
      example: "ls -l",
      help: "run LINE; the exit status is that of its last stage",
    },
    root: { ...directory, help: "the workspace (default: $SHELPA_ROOT, or the current directory)" },
    cwd: { ...directory, help: "start in DIR, relative to the root (default: where you stand, if that is in the root)" },
    "no-pager": { help: "at the prompt, show output longer than the screen without stopping at each page" },
    "read-only": { help: "nothing of the root can be written" },
    strict: { help: "refuse even redirections that name no file (2>/dev/null)" },
    redirects,
    version,
  },
  details: `Without LINE and NAME: a prompt on a terminal, else the lines of standard input.
'shelpa help' explains the language, 'shelpa help NAME' a builtin. The prompt
keeps commands in ~/.local/state/shelpa/history, not with SHELPA_HISTORY=off.

Examples:
  shelpa -c 'tail -n 100 app.log | grep ERROR | sort -u'
  shelpa --root ~/project grep -rn TODO src`,
  exits: "that of the line; 2 where it is refused, 70 on a fault of ours.",
});

export const SERVE = defineCommand({
  name: "shelpa-mcp",
  usages: ["shelpa-mcp --workspaces DIR|FILE [OPTION]...", "shelpa-mcp COMMAND [OPTION]..."],
  summary: "Serve the shelpa_pipe tool as an MCP server, over standard input and output or over HTTP.",
  needs: "--root DIR",
  operands: NOTHING,
  options: {
    root: { ...directory, help: "the only directory there is (default: $SHELPA_ROOT)" },
    workspaces: {
      arg: "DIR|FILE",
      example: "/srv/workspaces",
      completes: "file",
      help: "serve over HTTP each directory in DIR, or the workspaces of FILE, at /w/NAME/mcp; SIGHUP reads FILE again",
    },
    check: { help: "with --workspaces: say what would be served, or each fault, and start nothing" },
    config,
    profile,
    "read-only": readOnly,
    strict,
    redirects,
    mount,
    "also-read": alsoRead,
    alias,
    split: { help: "two tools: shelpa_pipe only reads and says so, shelpa_write takes the lines that write" },
    structured: { help: "give answers as data too, for programs: some clients then keep the text from the model" },
    "raw-output": { help: "do not escape control and invisible characters" },
    http: {
      arg: "HOST:PORT",
      ifBare: DEFAULT_ADDRESS,
      example: DEFAULT_ADDRESS,
      help: `listen there (default: ${DEFAULT_ADDRESS}), at /mcp; the token that clients must send is printed`,
    },
    "token-file": {
      arg: "FILE",
      example: "token",
      completes: "file",
      help: "use the token in FILE (default: $SHELPA_HTTP_TOKEN); an address of other machines' must be given one",
    },
    "allow-host": { arg: "NAME", example: "mcp.example.org", repeats: true, help: "a reverse proxy's name for us" },
    "allow-origin": { arg: "NAME", example: "app.example.org", repeats: true, help: "where web pages that may call are from" },
    log: {
      arg: "FORMAT",
      example: "json",
      completes: ["text", "json"],
      help: "over HTTP, log each request and call on standard error as text or json (default with --workspaces: text)",
    },
    grace: {
      arg: "SECONDS",
      example: "5",
      help: "over HTTP, after a signal to end, take calls for so long while /readyz says 503 (default: 0)",
    },
    interactive: { help: "a prompt: each line is a command line, or a JSON-RPC message" },
    version,
  },
  details: `No program is ever started: every command is a builtin. Nothing outside DIR is
read or written; each write is recorded under DIR/.shelpa and can be undone:
see 'shelpa-mcp audit --help'.

A client's configuration, which 'shelpa-mcp init' writes:
  {
    "mcpServers": {
      "shelpa": ${EXAMPLE_ENTRY}
    }
  }

Without a client:
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shelpa_pipe","arguments":{"command":"ls"}}}' | shelpa-mcp --root .`,
  exits: "0 when the client is done, 1 on a fault, 2 on bad usage.",
});

export const RUN = defineCommand({
  name: "shelpa-mcp run",
  summary: "Run one line as a server for DIR would, with your standard streams.",
  operands: LINE,
  options: { ...asServer, alias, cwd },
  details: `Output is neither shortened nor redacted: it goes to you and not to a model.
What is written is recorded. Ctrl-C ends the line.`,
  exits: "that of the line; 1 where it was stopped, 2 where it is refused, 70 on a fault of ours.",
});

export const CHECK = defineCommand({
  name: "shelpa-mcp check",
  summary: "Tell whether a server for DIR would run LINE, how bad that would be, and what it would read and write.",
  operands: LINE,
  options: { ...asServer, cwd, json },
  details: "Nothing runs.",
  exits: "0 where the line is allowed, 1 where it is not, 2 on bad usage.",
});

export const POLICY_CHECK = defineCommand({
  name: "shelpa-mcp policy check",
  summary: "Print the policy that a server for DIR would run with, and which files it comes from.",
  operands: NOTHING,
  options: { root, config, profile, strict: { help: "exit 1 also where something in it is likely a mistake" }, json },
  exits: "0; 1 for a warning under --strict; 2 where the server would not start.",
});

const time = { arg: "TIME", example: "2h" } as const;

/** Options that select writes and calls. */
export const AUDIT_FILTERS = {
  since: { ...time, help: "from then on: 2026-02-25, 2026-02-25T13:17:30Z, or an age (2h, 3d)" },
  until: { ...time, help: "until then" },
  session: { arg: "ID", example: "default", help: "of this session" },
  client: {
    arg: "NAME",
    example: "claude-code",
    help: "of the MCP client or the token with this name, of this subject, or by this way in (mcp, run, shelpa)",
  },
  file: { arg: "PATH", example: "README.md", completes: "file", help: "of this file, or of all files below this directory" },
} as const;

export const AUDIT_LOG = defineCommand({
  name: "shelpa-mcp audit log",
  summary: "List every write: time, record, size, author, approval, file, command.",
  operands: NOTHING,
  options: {
    root,
    ...AUDIT_FILTERS,
    number: { short: "n", arg: "NUM", example: "10", help: "the last NUM" },
    json: { help: "one JSON object a line" },
  },
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const AUDIT_SHOW = defineCommand({
  name: "shelpa-mcp audit show",
  summary: "Show one write in full; 'last' is the newest record.",
  operands: RECORD,
  options: {
    root,
    content: { help: "the file's bytes as that write left them, and nothing else; of a pre-image, those it holds" },
    json,
  },
  exits: "0; 1 where there is no such record; 2 on bad usage.",
});

export const AUDIT_DIFF = defineCommand({
  name: "shelpa-mcp audit diff",
  summary: "Show what a write changed, or the difference between two states.",
  operands: { names: "RECORD [RECORD|current]", min: 1, max: 2 },
  options: { root },
  exits: "0 where nothing differs; 1 where something does, or there is no such record; 2 on bad usage.",
});

export const AUDIT_VERIFY = defineCommand({
  name: "shelpa-mcp audit verify",
  summary: "Check the chain, every record's bytes, and every file against its last record.",
  operands: NOTHING,
  options: {
    root,
    "fail-on": { arg: "LEVEL", example: "warn", completes: ["warn", "error"], help: "exit 1 from this level on: error (default) or warn" },
    anchor: {
      arg: "FILE",
      example: "anchors.txt",
      completes: "file",
      help: "check the anchors in FILE besides, one a line (needs --public-key)",
    },
    "public-key": { arg: "FILE", example: "anchor.pub", completes: "file", help: "the public key that they were signed for (PEM)" },
    json,
  },
  details: `An anchor holds where its signature is right and the chain has the signed line,
with as many changes before it; what follows it is not asked about.`,
  exits: "0; 1 where something was found, or an anchor does not hold or cannot be checked; 2 on bad usage.",
});

export const AUDIT_ANCHOR = defineCommand({
  name: "shelpa-mcp audit anchor",
  summary: "Sign the head of the chain: one line to be kept elsewhere, by which a rewritten chain shows.",
  needs: "--key FILE",
  operands: NOTHING,
  options: {
    root,
    key: {
      arg: "FILE",
      example: "anchor.key",
      completes: "file",
      help: "an Ed25519 private key (PEM): openssl genpkey -algorithm ed25519",
    },
    workspace: { arg: "NAME", example: "project", help: "its name in the anchor (default: that of the directory)" },
    after: {
      arg: "ANCHOR",
      example: "shelpa-anchor/1 …",
      help: "an anchor that was printed before: nothing is signed unless the chain still has its head",
    },
    json,
  },
  exits: "0; 1 where the chain is broken or lacks the head of --after, or it could not be done; 2 on bad usage.",
});

export const AUDIT_RESTORE = defineCommand({
  name: "shelpa-mcp audit restore",
  summary: "Put a file back as a record has it; this is itself recorded.",
  operands: RECORD,
  options: {
    root,
    undo: { help: "as it was before that write" },
    "dry-run": { help: "only say what would be written" },
  },
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const AUDIT_REPORT = defineCommand({
  name: "shelpa-mcp audit report",
  summary: "Print a report for a reviewer.",
  operands: NOTHING,
  options: {
    root,
    sections: { arg: "LIST", example: "writes", help: `${SECTIONS.join(",")} (default: all)` },
    ...AUDIT_FILTERS,
    reviewer: { arg: "NAME", example: "Ada", help: "whom it is for" },
    format: { arg: "FORMAT", example: "json", completes: ["md", "json"], help: "md (default) or json" },
    config,
    profile,
  },
  details: `With --file the calls are those that wrote such a file. The integrity is always
that of all records.`,
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const AUDIT_EXPORT = defineCommand({
  name: "shelpa-mcp audit export",
  summary: "Print every write for another program: who, what, when, the command line and the digests before and after.",
  operands: NOTHING,
  options: {
    root,
    ...AUDIT_FILTERS,
    format: { arg: "FORMAT", example: "csv", completes: ["jsonl", "csv"], help: "jsonl (JSON Lines, default) or csv (RFC 4180)" },
  },
  details: `In CSV a control or invisible character is spelled out, and a field that begins
with =, +, -, @ or a tab has an apostrophe before it, so that no spreadsheet
takes it for a formula. JSON Lines are exact.`,
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const AUDIT_PRUNE = defineCommand({
  name: "shelpa-mcp audit prune",
  summary: "Move old records into an archive.",
  needs: "--before TIME --archive FILE",
  operands: NOTHING,
  options: {
    root,
    before: { ...time, example: "90d", help: "records older than that, or of an earlier date: 2026-02-25, 90d" },
    archive: { arg: "FILE", example: "audit-2026.tar.gz", completes: "file", help: "the new file that they go to, a gzipped tar archive" },
    "dry-run": { help: "only say what would be pruned" },
  },
  details: `A command line's records go together. The bytes that a later record goes back to
stay. What went can be neither undone nor restored here; unpacked elsewhere, the
archive is read by 'audit log', 'show' and 'export'.`,
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const AUDIT_SERVE = defineCommand({
  name: "shelpa-mcp audit serve",
  summary: "Show the audit in a browser on this machine: open the address that is printed.",
  operands: NOTHING,
  options: { root, port: { arg: "PORT", example: "8080", help: "the port (default: one that is free)" } },
  exits: "0; 1 where it could not be done; 2 on bad usage.",
});

export const INIT = defineCommand({
  name: "shelpa-mcp init",
  summary: "Write this server into the configuration of an MCP client; what else is in it stays as it is.",
  operands: NOTHING,
  options: {
    client: {
      arg: "NAME",
      example: "claude-code",
      repeats: true,
      completes: [...CLIENT_NAMES, "found", "all"],
      help: `${CLIENT_NAMES.join(", ")}; found (those that are here) or all (default: it asks, for each that is here)`,
    },
    root: { ...directory, help: "the directory to serve (default: $SHELPA_ROOT, or this one)" },
    mount,
    "also-read": alsoRead,
    container: {
      arg: "ENGINE",
      example: "docker",
      completes: ENGINES,
      help: "run the server in a container of docker or podman: no network, no rights, a root file system that cannot be written",
    },
    image: { arg: "REF", example: "shelpa-mcp", help: "its image (default: the one published with this version)" },
    steer: { help: "deny the client's own shell and search tools, and allow ours" },
    hook: {
      help: "have the client ask 'shelpa-mcp hook' before it uses its own shell: a line that runs here whole is denied with the call to make",
    },
    remove: { help: "take out what init wrote: the server, the denials and the hooks" },
    print: { help: "show what would change and a link that does it, and write nothing" },
  },
  details: `In an entry that is there only the program, the root and missing mounts change.
In a file of the project, which may be a stranger's, what reaches out of the
root is taken out of it, and named. A file that is changed is first copied to
FILE.before-shelpa. A second run changes nothing. Without --container an entry
that runs one becomes one that does not; hooks run on the host in either case.
Where a client has one entry for all projects and it serves another, only a
client that is named, or said yes to, is made to serve this one; --remove
leaves it, and directories, which it names where they are empty.`,
  exits: "0; 1 where a file cannot be changed; 2 on bad usage.",
});

export const HOOK = defineCommand({
  name: "shelpa-mcp hook",
  summary: "Answer a client that asks before it uses its own shell.",
  operands: NOTHING,
  options: { root, config, profile, mount, "also-read": alsoRead },
  details: `The event is read from standard input: PreToolUse of Claude Code, Codex, VS Code
and Copilot CLI, BeforeTool of Gemini CLI, beforeShellExecution of Cursor.
'shelpa-mcp init --hook' installs it.

A line of which every part runs in the server for DIR is denied, with the
shelpa_pipe call that runs it. Anything else ('npm test', 'ls && npm test') is
left to the client: nothing is printed. A server of
yours that runs for DIR is asked; the options count where there is none.`,
  exits: "0, whatever the answer; 2 on bad usage.",
});

export const DOCTOR = defineCommand({
  name: "shelpa-mcp doctor",
  summary: "Check that the server works here, and say what stands in the way where it does not.",
  operands: NOTHING,
  options: { root, config },
  details: `Looked at: Node, /proc, the root, the configuration, a handshake in both eras
of the protocol, how long an answer takes, and the files of clients: each entry
that starts this program is started as its client would, from a desktop where
the file is not the project's.`,
  exits: "0; 1 where a check fails; 2 on bad usage.",
});

export const DEMO = defineCommand({
  name: "shelpa-mcp demo",
  summary: "Show what it does: lines on a few made files, which are in memory alone.",
  operands: NOTHING,
  options: {},
  exits: "0; 2 on bad usage.",
});

export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;

export const COMPLETIONS = defineCommand({
  name: "shelpa-mcp completions",
  summary: "Print what makes a shell complete both commands: their options, builtins and the flags of these.",
  operands: { names: "bash|zsh|fish", min: 1, max: 1, completes: COMPLETION_SHELLS },
  options: {},
  details: `To have them always, one of these lines goes into the file that the shell reads
at its start (in zsh behind compinit):
  source <(shelpa-mcp completions bash)     # ~/.bashrc
  source <(shelpa-mcp completions zsh)      # ~/.zshrc
  shelpa-mcp completions fish | source      # ~/.config/fish/config.fish`,
  exits: "0; 2 on bad usage.",
});
