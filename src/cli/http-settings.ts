/** Settings of `shelpa-mcp --http`: listening address, accepted hosts and origins, and bearer token. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { isTokenForm, TOKEN_FORM } from "../config/server/token-form.ts";
import type { GateOptions } from "../mcp/http/gate.ts";
import { FileError } from "../workspace/file-error.ts";
import { hostSecretText } from "../host/host-file.ts";
import { CommandLineError } from "./command-line-error.ts";

export interface HttpSettings {
  /** "" is every address. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Host path of a file that holds the token. */
  readonly tokenFile: string | undefined;
  /** Descriptor of a socket that listens already, in place of host and port. */
  readonly socket: number | undefined;
  /** Time between the signal to end and the end of listening, in milliseconds. */
  readonly graceMs: number;
  /** Requests and calls are logged so; undefined: as the server's kind has it. */
  readonly log: "text" | "json" | undefined;
}

export interface HttpToken {
  readonly token: string;
  /** For the audit. */
  readonly name: string;
  /** True where it was made here, and so must be shown. */
  readonly isNew: boolean;
}

const DEFAULT_PORT = 3456;
export const TOKEN_VARIABLE = "SHELPA_HTTP_TOKEN";

/** `HOST:PORT`, `HOST`, `PORT`, `:PORT` or `[ADDRESS]:PORT`; undefined for anything else. */
export function readAddress(typed: string): { host: string; port: number } | undefined {
  const found = /^(?:\[(?<six>[\da-fA-F:.]+)\]|(?<name>[A-Za-z\d][\w.-]*))?(?::(?<port>\d{1,5}))?$/.exec(
    /^\d{1,5}$/.test(typed) ? `127.0.0.1:${typed}` : typed,
  );
  if (found === null || typed === "") return undefined;
  const { six, name, port } = found.groups ?? {};
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  return number > 65_535 ? undefined : { host: six ?? name ?? "", port: number };
}

/**
 * The token that clients must send; `isNew` if it was generated here, and so must be shown to the user. `name` is for the audit:
 * the file's name, the variable's, or "generated". Throws CommandLineError where the server can be reached from other machines
 * without a given token, and for one too short.
 */
export function tokenOf({ host, tokenFile, socket }: HttpSettings, environment: Readonly<Record<string, string | undefined>>): HttpToken {
  const given = tokenFile === undefined ? environment[TOKEN_VARIABLE] : tokenText(tokenFile);
  if (tokenFile !== undefined && given === undefined) throw new CommandLineError(`--token-file: there is no file '${tokenFile}'`);
  const token = given?.trim();
  if (token === undefined || token === "") {
    if (tokenFile === undefined && socket === undefined && isLoopback(host))
      return { token: randomBytes(24).toString("base64url"), name: "generated", isNew: true };
    if (tokenFile !== undefined) throw new CommandLineError(`--token-file: '${tokenFile}' is empty`);
    if (socket !== undefined)
      throw new CommandLineError(`a service is given the token that clients must send, in $${TOKEN_VARIABLE} or with --token-file`);
    throw new CommandLineError(
      `'${host === "" ? "every address" : host}' can be reached from other machines: give the token that clients must send, in $${TOKEN_VARIABLE} or a file`,
      "head -c 24 /dev/urandom | base64 > token; shelpa-mcp --root . --http 0.0.0.0:3456 --token-file token",
    );
  }
  if (!isTokenForm(token)) throw new CommandLineError(TOKEN_FORM);
  return { token, name: tokenFile === undefined ? TOKEN_VARIABLE : basename(tokenFile), isNew: false };
}

function tokenText(path: string): string | undefined {
  try {
    return hostSecretText(path);
  } catch (thrown) {
    if (thrown instanceof FileError) throw new CommandLineError(`--token-file: ${path}: ${thrown.message}`);
    throw thrown;
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

/** The names and origins that requests may come with: the address that is listened at, and what was allowed besides. */
export const gateOf = ({ host, allowedHosts, allowedOrigins }: HttpSettings): GateOptions => ({
  hosts: [...(host === "" ? [] : [nameInUrl(host)]), ...allowedHosts],
  origins: allowedOrigins,
});

/** The host as it stands in a URL. */
const nameInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);
