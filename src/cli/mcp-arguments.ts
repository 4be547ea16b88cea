/** Arguments of `shelpa-mcp` without a subcommand, and the checks between them. */
import type { Command } from "./command.ts";
import { CommandLineError } from "./command-line-error.ts";
import { DEFAULT_ADDRESS, SERVE } from "./commands.ts";
import { inheritedSocket } from "./inherited-socket.ts";
import { readAddress, type HttpSettings } from "./http-settings.ts";
import type { PolicyFlags } from "./policy-sources.ts";
import { corrected, readCommand } from "./read-command.ts";
import { quoteWord } from "../display/quote.ts";

export type McpCommand =
  | { readonly kind: "help" | "version" }
  | { readonly kind: "serve"; readonly settings: McpSettings }
  | { readonly kind: "serve workspaces"; readonly settings: WorkspacesSettings };

export interface McpSettings extends PolicyFlags {
  readonly root: string;
  readonly rawOutput: boolean;
  readonly aliases: readonly string[];
  /** undefined: standard input and output. */
  readonly http: HttpSettings | undefined;
  readonly interactive: boolean;
}

/** Of a server of many workspaces. The flags are for the policies of all of them. */
export interface WorkspacesSettings extends Omit<PolicyFlags, "root" | "mount" | "also-read" | "secretFiles"> {
  /** The path as given, of a directory or a file. */
  readonly workspaces: string;
  readonly rawOutput: boolean;
  readonly http: HttpSettings;
  /** Only the faults are looked for. */
  readonly isCheck: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws CommandLineError. */
export function readMcpArguments(argv: readonly string[], environment: Environment): McpCommand {
  const given = readServe(argv);
  if (given === "help" || given === "version") return { kind: given };
  const { values } = given;
  for (const alias of values.alias) {
    if (!alias.startsWith("/"))
      throw new CommandLineError(`--alias must be an absolute path, not '${alias}'`, instead(argv, alias, `/${alias}`));
  }
  if (values.interactive && values.http !== undefined) {
    throw new CommandLineError("--interactive is a server of its own, and --http another: give one of them");
  }
  const { config, profile, "read-only": readOnly, strict, redirects, structured, split, mount, "also-read": alsoRead } = values;
  if (values.workspaces !== undefined) {
    checkWorkspaces(values, argv);
    const policy = { config, profile, "read-only": readOnly, strict, redirects, structured, split };
    const http = httpSettings({ ...values, http: values.http ?? DEFAULT_ADDRESS }, argv, environment) as HttpSettings;
    return {
      kind: "serve workspaces",
      settings: { ...policy, workspaces: values.workspaces, rawOutput: values["raw-output"], http, isCheck: values.check },
    };
  }
  if (values.check) {
    const of = "--check is about --workspaces, which was not given; 'shelpa-mcp doctor' looks at a server of one";
    throw new CommandLineError(of);
  }
  return {
    kind: "serve",
    settings: {
      root: rootOf(values.root, argv, environment),
      config,
      profile,
      "read-only": readOnly,
      strict,
      redirects,
      structured,
      split,
      mount,
      "also-read": alsoRead,
      rawOutput: values["raw-output"],
      aliases: values.alias,
      http: httpSettings(values, argv, environment),
      interactive: values.interactive,
    },
  };
}

/** An operand is taken for the root that was meant. */
function readServe(argv: readonly string[]) {
  const given = readCommand({ ...SERVE, operands: { ...SERVE.operands, max: 1 } }, argv);
  const operand = given === "help" || given === "version" ? undefined : given.operands[0];
  if (operand === undefined) return given;
  const hasRoot = argv.some(isRoot);
  throw new CommandLineError(`extra operand '${operand}'`, hasRoot ? undefined : instead(argv, operand, `--root ${quoteWord(operand)}`));
}

interface HttpFlags {
  readonly http: string | undefined;
  readonly "token-file": string | undefined;
  readonly "allow-host": readonly string[];
  readonly "allow-origin": readonly string[];
  readonly log: string | undefined;
  readonly grace: string | undefined;
}

function httpSettings(values: HttpFlags, argv: readonly string[], environment: Environment): HttpSettings | undefined {
  if (values.http === undefined) {
    const needs = (["token-file", "allow-host", "allow-origin", "log", "grace"] as const).find((flag) => (values[flag]?.length ?? 0) > 0);
    if (needs === undefined) return undefined;
    throw new CommandLineError(`--${needs} is about --http, which was not given`, ["shelpa-mcp --http", ...argv.map(quoteWord)].join(" "));
  }
  const address = readAddress(values.http);
  if (address === undefined) {
    throw new CommandLineError(`--http takes HOST:PORT, not '${values.http}'`, instead(argv, values.http, DEFAULT_ADDRESS));
  }
  const { "allow-host": allowedHosts, "allow-origin": allowedOrigins, "token-file": tokenFile } = values;
  const { log } = values;
  if (log !== undefined && log !== "text" && log !== "json") {
    throw new CommandLineError(`--log takes text or json, not '${log}'`, instead(argv, log, "json"));
  }
  const graceMs = graceOf(values.grace, argv);
  return { ...address, log, graceMs, allowedHosts, allowedOrigins, tokenFile, socket: inheritedSocket(environment, process.pid) };
}

/** Longest time of grace: a day's, as of the limits in the server's file. */
const MOST_GRACE_SECONDS = 86_400;

function graceOf(given: string | undefined, argv: readonly string[]): number {
  if (given === undefined) return 0;
  const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(given) ? Number(given) : NaN;
  if (seconds <= MOST_GRACE_SECONDS) return seconds * 1000;
  throw new CommandLineError(`--grace takes seconds, from 0 to ${MOST_GRACE_SECONDS}, not '${given}'`, instead(argv, given, "5"));
}

/** What is of one workspace is given for each, in the file. */
function checkWorkspaces(
  values: { readonly root: string | undefined; readonly alias: readonly string[]; readonly mount: readonly string[] } & {
    readonly interactive: boolean;
    readonly "also-read": readonly string[];
  },
  argv: readonly string[],
): void {
  const given = [
    ...(values.root === undefined ? [] : ["--root"]),
    ...(values.interactive ? ["--interactive"] : []),
    ...(["alias", "mount", "also-read"] as const).flatMap((name) => (values[name].length === 0 ? [] : [`--${name}`])),
  ][0];
  if (given === undefined) return;
  const why = given === "--mount" || given === "--also-read" ? ": its file can give each workspace mounts" : "";
  throw new CommandLineError(
    `${given} is for one workspace, and --workspaces serves many${why}`,
    given === "--root" ? `shelpa-mcp --root ${quoteWord(firstRoot(argv))}` : undefined,
  );
}

function rootOf(given: string | undefined, argv: readonly string[], environment: Environment): string {
  const times = argv.filter(isRoot).length;
  if (times > 1) {
    throw new CommandLineError(
      `one --root only, and ${times} were given: serve each with a process of its own, or all with --workspaces`,
      `shelpa-mcp --root ${quoteWord(firstRoot(argv))}`,
    );
  }
  const root = given ?? environment["SHELPA_ROOT"];
  if (root !== undefined && root !== "") return root;
  throw new CommandLineError(
    "no root was given: the one directory whose files the tool may touch",
    ["shelpa-mcp", "--root .", ...argv.map(quoteWord)].join(" "),
  );
}

const isRoot = (argument: string): boolean => argument === "--root" || argument.startsWith("--root=");

function firstRoot(argv: readonly string[]): string {
  const at = argv.findIndex(isRoot);
  return (argv[at] === "--root" ? argv[at + 1] : argv[at]?.slice("--root=".length)) ?? ".";
}

/** The command with other words where `wrong` stands, alone or after `=`. */
function instead(argv: readonly string[], wrong: string, right: string): string {
  const at = argv.findIndex((argument) => argument === wrong || argument.endsWith(`=${wrong}`));
  const joined = argv[at]?.slice(0, -wrong.length) ?? "";
  return corrected(SERVE as Command, argv, at, joined === "" ? right : quoteWord(`${joined}${right}`));
}
