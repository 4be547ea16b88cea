/** Tables `callers` and `oauth` of the file of a server of many workspaces → who may call, as plain data with no secret in it. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { TomlDate } from "smol-toml";
import { hostSecretText } from "../../host/host-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import { ConfigurationError } from "../configuration-error.ts";
import { type Right, RIGHTS } from "./rights.ts";
import type { ServerFile } from "./server-schema.ts";
import { isTokenForm, TOKEN_FORM } from "./token-form.ts";

/** A caller that has a token of its own. */
export interface NamedCaller {
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenSha256: string;
  /** Absolute host path of the file with the token: no workspace may show it. */
  readonly tokenFile: string | undefined;
  /** Instant from which on the token is of no use, in milliseconds since the epoch. */
  readonly expiresMs: number | undefined;
  /** In every workspace that it may enter, or of those together where they differ (`rightsIn`). */
  readonly rights: readonly Right[];
  /** Rights in workspaces of the name or the pattern; undefined: they are the same in all. */
  readonly rightsIn: Readonly<Record<string, readonly Right[]>> | undefined;
  /** Names of workspaces, with `*` for any characters. */
  readonly workspaces: readonly string[];
}

/** An issuer whose access tokens (RFC 9068) are taken. */
export interface OAuthSettings {
  /** As the tokens have it, to the last character. */
  readonly issuer: string;
  readonly audience: string;
  /** URL of this server as clients know it, without a slash at its end: `/mcp` follows it. */
  readonly publicUrl: string;
  readonly jwksUri: string | undefined;
  readonly workspacesClaim: string | undefined;
}

export interface ServerCallers {
  readonly callers: readonly NamedCaller[];
  readonly oauth: OAuthSettings | undefined;
}

const DEFAULT_RIGHTS: readonly Right[] = ["read", "write", "approve"];

/**
 * The callers of `file`, which lies in the host directory `directory`; their token files are read. Throws ConfigurationError, whose
 * sentence names the table and never a token.
 */
export function serverCallers(file: Pick<ServerFile, "callers" | "oauth">, directory: string): ServerCallers {
  const callers = Object.entries(file.callers ?? {}).map(([name, table]) => namedCaller(name, table, directory));
  const byToken = new Map<string, string>();
  for (const { name, tokenSha256 } of callers) {
    const other = byToken.get(tokenSha256);
    if (other !== undefined) throw new ConfigurationError(`callers.${name}: it has the token of callers.${other}; each needs its own`);
    byToken.set(tokenSha256, name);
  }
  return { callers, oauth: file.oauth && oauthSettings(file.oauth) };
}

type CallerTable = NonNullable<ServerFile["callers"]>[string];

function namedCaller(name: string, table: CallerTable, directory: string): NamedCaller {
  const { token_file: file, token_sha256: digest } = table;
  const where = `callers.${name}`;
  if ((file === undefined) === (digest === undefined)) {
    throw new ConfigurationError(`${where}: it needs token_file or token_sha256, and not both`);
  }
  const { rights, rightsIn, workspaces } = rightsOf(table, where);
  const tokenFile = file === undefined ? undefined : resolve(directory, file);
  return {
    name,
    tokenSha256: tokenFile === undefined ? (digest ?? "") : createHash("sha256").update(tokenIn(tokenFile, where)).digest("hex"),
    tokenFile,
    expiresMs: table.expires === undefined ? undefined : instantOf(table.expires, where),
    rights,
    rightsIn,
    workspaces,
  };
}

function rightsOf(
  { rights = DEFAULT_RIGHTS, workspaces }: CallerTable,
  where: string,
): Pick<NamedCaller, "rights" | "rightsIn" | "workspaces"> {
  const isSame = isList(rights);
  const lists: readonly (readonly Right[])[] = isSame ? [rights] : Object.values(rights);
  for (const each of lists) {
    if (each.includes("read") || each.every((right) => right === "metrics")) continue;
    throw new ConfigurationError(`${where}: rights: without "read" no line runs; add it`);
  }
  if (isSame) return { rights, rightsIn: undefined, workspaces: workspaces ?? ["*"] };
  const names = Object.keys(rights);
  if (names.length === 0) throw new ConfigurationError(`${where}: rights: the table names no workspace`);
  if (workspaces !== undefined) throw new ConfigurationError(`${where}: workspaces: the table of its rights names them already`);
  const all: readonly Right[] = lists.flat();
  return { rights: RIGHTS.filter((right) => all.includes(right)), rightsIn: rights, workspaces: names };
}

/** `Array.isArray` says nothing of lists that are not to be changed. */
const isList = (rights: NonNullable<CallerTable["rights"]>): rights is readonly Right[] => Array.isArray(rights);

function tokenIn(path: string, where: string): string {
  let text: string | undefined;
  try {
    text = hostSecretText(path);
  } catch (thrown) {
    if (thrown instanceof FileError) throw new ConfigurationError(`${where}: token_file: ${path}: ${thrown.message}`);
    throw thrown;
  }
  if (text === undefined) throw new ConfigurationError(`${where}: token_file: there is no file '${path}'`);
  const token = text.trim();
  if (token === "") throw new ConfigurationError(`${where}: token_file: '${path}' is empty`);
  if (!isTokenForm(token)) throw new ConfigurationError(`${where}: token_file: '${path}': ${TOKEN_FORM}`);
  return token;
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i;

/** A day begins at midnight UTC; a time says its zone, because a server's own is nobody's guess. */
function instantOf(expires: Date | string, where: string): number {
  const isVague = expires instanceof TomlDate && expires.isLocal() && !expires.isDate();
  const text = typeof expires === "string" ? expires : "";
  const day = typeof expires === "string" ? INSTANT.exec(text)?.[1] : undefined;
  const ms = typeof expires === "string" ? (day === undefined ? NaN : Date.parse(text.replace(" ", "T"))) : expires.getTime();
  // Date.parse reads the 30th of February as the 2nd of March.
  const isDay = typeof expires !== "string" || (day !== undefined && isCalendarDay(day));
  if (isVague || Number.isNaN(ms) || !isDay) {
    throw new ConfigurationError(`${where}: expires: give a day (2027-01-31, from midnight UTC on) or an instant (2027-01-31T12:00:00Z)`);
  }
  return ms;
}

function isCalendarDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

function oauthSettings(table: NonNullable<ServerFile["oauth"]>): OAuthSettings {
  const { issuer, audience, public_url: publicUrl, jwks_uri: jwksUri, workspaces_claim: workspacesClaim } = table;
  if (/[?#]/.test(issuer)) throw new ConfigurationError("oauth: issuer: an issuer's URL has neither a query nor a fragment");
  for (const [key, url] of [
    ["issuer", issuer],
    ["jwks_uri", jwksUri],
  ] as const) {
    // Keys that come in the clear are those of whoever is between.
    if (url !== undefined && !isTrustworthy(url)) throw new ConfigurationError(`oauth: ${key}: '${url}' is no https URL`);
  }
  const isUrl = URL.canParse(publicUrl ?? audience) && /^https?:$/.test(new URL(publicUrl ?? audience).protocol);
  if (!isUrl) {
    throw new ConfigurationError(
      publicUrl === undefined
        ? `oauth: audience: '${audience}' is no URL of this server, so public_url must say by which one clients know it`
        : `oauth: public_url: '${publicUrl}' is no http or https URL`,
    );
  }
  return { issuer, audience, publicUrl: baseOf(publicUrl ?? audience), jwksUri, workspacesClaim };
}

/** Tells whether nobody between can change what is fetched from `url`: https, or the loopback. */
export function isTrustworthy(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  return protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname));
}

/** The URL without what the server's own paths put after it. */
function baseOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/mcp\/?$/, "").replace(/\/+$/, "");
}
