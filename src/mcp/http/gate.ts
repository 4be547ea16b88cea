/**
 * Who may speak to the server: a Host and an Origin that are expected, so that no web page can reach a server on its
 * reader's machine by a name that resolves there (DNS rebinding), and the token. Pure: headers in, a refusal out.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

export interface GateOptions {
  /** undefined: none is asked for. Only a test's server leaves it out. */
  readonly token: string | undefined;
  /** Names in `Host`, besides those of the loopback: that of a reverse proxy. */
  readonly hosts: readonly string[];
  /** Host names of web pages that may call, besides those served from the loopback. */
  readonly origins: readonly string[];
}

export interface GateRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class Gate {
  readonly #hosts: string[];
  readonly #origins: string[];
  readonly #digest: Buffer | undefined;

  constructor({ token, hosts, origins }: GateOptions) {
    this.#hosts = [...localhostAllowedHostnames(), ...hosts];
    this.#origins = [...localhostAllowedHostnames(), ...origins];
    this.#digest = token === undefined ? undefined : digestOf(token);
  }

  /** undefined where Host and Origin are expected. */
  checkOrigin({ host, origin }: IncomingHttpHeaders): GateRefusal | undefined {
    const hostCheck = validateHostHeader(host, this.#hosts);
    if (!hostCheck.ok) return { status: 403, message: `${hostCheck.message}; --allow-host names others`, headers: {} };
    const originCheck = validateOriginHeader(origin, this.#origins);
    return originCheck.ok ? undefined : { status: 403, message: `${originCheck.message}; --allow-origin names others`, headers: {} };
  }

  /** undefined where the token is right. Takes as long for a wrong one, however much of it is right. */
  checkToken({ authorization = "" }: IncomingHttpHeaders): GateRefusal | undefined {
    if (this.#digest === undefined) return undefined;
    const given = /^bearer +([^\s]+) *$/i.exec(authorization)?.[1];
    if (given === undefined) {
      return { status: 401, message: "a bearer token is needed", headers: { "WWW-Authenticate": 'Bearer realm="shelpa-mcp"' } };
    }
    if (timingSafeEqual(digestOf(given), this.#digest)) return undefined;
    return {
      status: 401,
      message: "the bearer token is not the one of this server",
      headers: { "WWW-Authenticate": 'Bearer realm="shelpa-mcp", error="invalid_token"' },
    };
  }
}

/** Of one length whatever the token's, as the comparison wants. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();
