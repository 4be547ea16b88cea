/** The arguments of `shelpa-mcp`, with errors that show the command that works. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { PolicySources } from "../config/load.ts";
import { nearest } from "../builtin/nearest.ts";
import { quoteWord } from "../io/quote.ts";
import { CommandLineError } from "./command-line-error.ts";
import { DEFAULT_ADDRESS, readAddress, type HttpSettings } from "./http-settings.ts";

export type McpCommand = { readonly kind: "help" | "version" } | { readonly kind: "serve"; readonly settings: McpSettings };

export interface McpSettings {
  /** As given: relative to where the command was started. */
  readonly root: string;
  readonly readOnly: boolean;
  readonly strict: boolean;
  readonly rawOutput: boolean;
  /** Host path of the configuration file. */
  readonly config: string | undefined;
  readonly profile: string | undefined;
  readonly aliases: readonly string[];
  /** undefined: standard input and output. */
  readonly http: HttpSettings | undefined;
}

const FLAGS = {
  root: { type: "string" },
  config: { type: "string" },
  profile: { type: "string" },
  "read-only": { type: "boolean" },
  strict: { type: "boolean" },
  alias: { type: "string", multiple: true },
  "raw-output": { type: "boolean" },
  http: { type: "string" },
  "token-file": { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

type ValueFlag = { [K in keyof typeof FLAGS]: (typeof FLAGS)[K]["type"] extends "string" ? K : never }[keyof typeof FLAGS];

const VALUES: Readonly<Record<ValueFlag, { readonly wanted: string; readonly example: string }>> = {
  root: { wanted: "directory", example: "shelpa-mcp --root ." },
  alias: { wanted: "prefix", example: "shelpa-mcp --root . --alias /workspace" },
  config: { wanted: "file", example: "shelpa-mcp --root . --config shelpa.toml" },
  profile: { wanted: "name", example: "shelpa-mcp --root . --profile strict" },
  http: { wanted: "address", example: `shelpa-mcp --root . --http ${DEFAULT_ADDRESS}` },
  "token-file": { wanted: "file", example: "shelpa-mcp --root . --http --token-file token" },
  "allow-host": { wanted: "name", example: "shelpa-mcp --root . --http --allow-host mcp.example.org" },
  "allow-origin": { wanted: "name", example: "shelpa-mcp --root . --http --allow-origin app.example.org" },
};

/** Where the policy of a server with these settings comes from. */
export function policySources({ root, config, profile, readOnly, strict }: McpSettings): PolicySources {
  return { root: resolve(root), file: config, environment: process.env, flags: { profile, readOnly, strict } };
}

/** Throws CommandLineError. */
export function readMcpArguments(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): McpCommand {
  const { tokens } = parseArgs({ args: withAddress(argv), options: FLAGS, strict: false, allowPositionals: true, tokens: true });
  const given: Record<ValueFlag, string[]> = {
    root: [],
    alias: [],
    config: [],
    profile: [],
    http: [],
    "token-file": [],
    "allow-host": [],
    "allow-origin": [],
  };
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw strayOperand(token.value, argv);
    const { name, rawName, value } = token;
    if (!Object.hasOwn(FLAGS, name)) throw unknownFlag(name, rawName, argv);
    if (FLAGS[name as keyof typeof FLAGS].type === "boolean") {
      if (value !== undefined)
        throw new CommandLineError(`option '${rawName}' takes no value`, corrected(argv, `${rawName}=${value}`, rawName));
      switches.add(name);
    } else if (value === undefined || value === "" || (!token.inlineValue && value.startsWith("-"))) {
      const { wanted, example } = VALUES[name as ValueFlag];
      throw new CommandLineError(`option '${rawName}' requires a ${wanted}`, example);
    } else {
      given[name as ValueFlag].push(value);
    }
  }
  if (switches.has("help")) return { kind: "help" };
  if (switches.has("version")) return { kind: "version" };
  for (const alias of given.alias) {
    if (!alias.startsWith("/")) {
      throw new CommandLineError(`--alias must be an absolute path, not '${alias}'`, corrected(argv, alias, `/${alias}`));
    }
  }
  return {
    kind: "serve",
    settings: {
      root: rootOf(given.root, argv, environment),
      readOnly: switches.has("read-only"),
      strict: switches.has("strict"),
      rawOutput: switches.has("raw-output"),
      config: given.config.at(-1),
      profile: given.profile.at(-1),
      aliases: given.alias,
      http: httpSettings(given, argv),
    },
  };
}

/** The value of `--http` may be left out, which parseArgs does not know. */
function withAddress(argv: readonly string[]): string[] {
  return argv.map((argument, index) => {
    const next = argv[index + 1];
    return argument === "--http" && (next === undefined || next.startsWith("-")) ? `--http=${DEFAULT_ADDRESS}` : argument;
  });
}

function httpSettings(given: Readonly<Record<ValueFlag, readonly string[]>>, argv: readonly string[]): HttpSettings | undefined {
  const typed = given.http.at(-1);
  if (typed === undefined) {
    const needs = (["token-file", "allow-host", "allow-origin"] as const).find((flag) => given[flag].length > 0);
    if (needs === undefined) return undefined;
    throw new CommandLineError(`--${needs} is about --http, which was not given`, ["shelpa-mcp --http", ...argv.map(quoteWord)].join(" "));
  }
  const address = readAddress(typed);
  if (address === undefined) {
    throw new CommandLineError(`--http takes HOST:PORT, not '${typed}'`, corrected(argv, typed, DEFAULT_ADDRESS));
  }
  return { ...address, allowedHosts: given["allow-host"], allowedOrigins: given["allow-origin"], tokenFile: given["token-file"].at(-1) };
}

function rootOf(roots: readonly string[], argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): string {
  if (roots.length > 1) {
    throw new CommandLineError(
      `one --root only, and ${roots.length} were given: serve each with a process of its own`,
      `shelpa-mcp --root ${quoteWord(roots[0] as string)}`,
    );
  }
  const root = roots[0] ?? environment["SHELPA_ROOT"];
  if (root !== undefined && root !== "") return root;
  throw new CommandLineError(
    "no root was given: the one directory whose files the tool may touch",
    ["shelpa-mcp", "--root .", ...argv.map(quoteWord)].join(" "),
  );
}

function unknownFlag(name: string, rawName: string, argv: readonly string[]): CommandLineError {
  const close = nearest(name.toLowerCase().replaceAll("_", "-"), Object.keys(FLAGS));
  if (close === undefined) return new CommandLineError(`unrecognized option '${rawName}'`);
  return new CommandLineError(`unrecognized option '${rawName}': did you mean '--${close}'?`, corrected(argv, rawName, `--${close}`));
}

function strayOperand(operand: string, argv: readonly string[]): CommandLineError {
  const hasRoot = argv.some((argument) => argument === "--root" || argument.startsWith("--root="));
  return new CommandLineError(`extra operand '${operand}'`, hasRoot ? undefined : corrected(argv, operand, `--root ${quoteWord(operand)}`));
}

/** The command with the first `wrong` argument (or its name before `=`) put right. */
function corrected(argv: readonly string[], wrong: string, right: string): string {
  let isDone = false;
  const words = argv.map((argument) => {
    const joined = argument.startsWith(`${wrong}=`) || argument.endsWith(`=${wrong}`);
    if (isDone || (argument !== wrong && !joined)) return quoteWord(argument);
    isDone = true;
    return argument === wrong ? right : quoteWord(argument.replace(wrong, right));
  });
  return ["shelpa-mcp", ...words].join(" ");
}

export const HELP = `Usage: shelpa-mcp --root DIR [OPTION]...
  or:  shelpa-mcp audit COMMAND [OPTION]...
  or:  shelpa-mcp policy check [OPTION]...
  or:  shelpa-mcp check [OPTION]... LINE
  or:  shelpa-mcp init|hook|doctor [OPTION]...
Serve the shelpa_pipe tool as an MCP server, over standard input and output or
over HTTP.

      --root DIR        the only directory there is (default: $SHELPA_ROOT)
      --config FILE     the configuration (default: $SHELPA_CONFIG, or
                        shelpa/config.toml where the user's configuration is)
      --profile NAME    standard, read-only or strict
      --read-only       refuse every write
      --strict          refuse 2>/dev/null, 2>&1 and other redirections as well,
                        though they name no file
      --alias PREFIX    read absolute paths under PREFIX as paths under DIR, for
                        agents that know DIR by another name; may be repeated
      --raw-output      do not escape control and invisible characters
      --http [HOST:PORT]
                        listen there (default: 127.0.0.1:3456), at /mcp; the
                        token that clients must send is printed
      --token-file FILE     use the token in FILE (default: $SHELPA_HTTP_TOKEN);
                            an address of other machines' must be given one
      --allow-host NAME     a reverse proxy's name for us; may be repeated
      --allow-origin NAME   where web pages that may call are from; may be
                            repeated
  -h, --help            display this help and exit
  -V, --version         output version information and exit

No program is ever started: every command is a builtin. Nothing outside DIR is
read or written; each write is recorded under DIR/.shelpa and can be undone:
see 'shelpa-mcp audit --help'.

Exit status: 0 when the client is done, 1 on a fault, 2 on bad usage.

A client's configuration, which 'shelpa-mcp init' writes:
  {
    "mcpServers": {
      "shelpa": { "command": "npx", "args": ["-y", "shelpa-mcp", "--root", "/path/to/project"] }
    }
  }

Without a client:
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shelpa_pipe","arguments":{"command":"ls"}}}' | shelpa-mcp --root .
`;
