/**
 * Caller of a line: an MCP client by the name and version that it states of itself, the token that let it in, and the request that it came
 * with. Kept with records and logged calls. Nothing vouches for what a client says of itself; for a subject its issuer does.
 */
export interface Caller {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Name of the token, never the token. */
  readonly token?: string | undefined;
  /** Subject of a token that an issuer has signed: the user, or the client itself. */
  readonly subject?: string | undefined;
  /** Id of the HTTP request, which the server's log and the answer's X-Request-Id have too. */
  readonly request?: string | undefined;
  /** Random name of the session in this run of the server: its records are told from all others by it. */
  readonly origin?: string | undefined;
}

/** The caller as fields of a journal line or a logged call; each is left out where it is not known. */
export interface CallerFields {
  readonly client_name?: string;
  readonly client_version?: string;
  readonly token?: string;
  readonly subject?: string;
  readonly request_id?: string;
  readonly origin?: string;
}

/** Most characters of each that are kept: a client may state any, and every record repeats them. */
const MOST_CHARACTERS = 100;

export function callerFields({ name, version, token, subject, request, origin }: Caller = {}): CallerFields {
  return {
    ...(name === undefined ? {} : { client_name: cut(name) }),
    ...(version === undefined ? {} : { client_version: cut(version) }),
    ...(token === undefined ? {} : { token: cut(token) }),
    ...(subject === undefined ? {} : { subject: cut(subject) }),
    ...(request === undefined ? {} : { request_id: request }),
    ...(origin === undefined ? {} : { origin }),
  };
}

/** True unless one of the fields is there and no text: anybody may have written the line. */
export const isCallerFields = ({
  client_name = "",
  client_version = "",
  token = "",
  subject = "",
  request_id = "",
  origin = "",
}: Readonly<Record<string, unknown>>): boolean =>
  [client_name, client_version, token, subject, request_id, origin].every((text) => typeof text === "string");

/** The first characters, none cut in two. */
const cut = (text: string): string => text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
