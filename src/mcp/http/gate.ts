/**
 * Access control of the HTTP server: an expected Host and Origin, so that no web page can reach a server on its reader's
 * machine by a name that resolves there (DNS rebinding). Pure: headers in, a refusal out.
 */
import type { IncomingHttpHeaders } from "node:http";
import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import type { CallerName } from "../principal.ts";

export interface GateOptions {
  /** Names allowed in `Host` besides those of the loopback: a reverse proxy's. */
  readonly hosts: readonly string[];
  /**
   * Origins whose web pages may call, besides pages of the loopback: a host's name, for its pages over http and https at any
   * port; or a whole origin (`https://app.example.org`, `vscode-webview://id`), for that one alone.
   */
  readonly origins: readonly string[];
}

export interface GateRefusal {
  readonly status: 400 | 401 | 403 | 503;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the log: whose token it was that is refused, where that is known. */
  readonly caller?: CallerName | undefined;
}

export class Gate {
  readonly #hosts: string[];
  readonly #origins: ReadonlySet<string>;

  constructor({ hosts, origins }: GateOptions) {
    this.#hosts = [...localhostAllowedHostnames(), ...hosts];
    this.#origins = new Set([...localhostAllowedHostnames(), ...origins]);
  }

  /** undefined where Host and Origin are expected. */
  checkOrigin({ host, origin }: IncomingHttpHeaders): GateRefusal | undefined {
    // Whatever else a URL may hold is read differently by others: evil.example@localhost is localhost to some.
    if (host !== undefined && !HOST.test(host)) return { status: 400, message: "Host is no name and port", headers: {} };
    const hostCheck = validateHostHeader(host, this.#hosts);
    if (!hostCheck.ok) return { status: 403, message: `${hostCheck.message}; --allow-host names others`, headers: {} };
    if (origin === undefined || this.#mayCall(origin)) return undefined;
    return { status: 403, message: `Invalid Origin: ${origin}; --allow-origin names others`, headers: {} };
  }

  /** RFC 6454: a browser sends scheme, host and port, and nothing else. */
  #mayCall(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    const { protocol, hostname, origin: own } = URL.canParse(origin) ? new URL(origin) : OPAQUE;
    return (protocol === "http:" || protocol === "https:") && own === origin && this.#origins.has(hostname);
  }
}

/** RFC 9110, 7.2: a name or an address, and a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/i;
const OPAQUE = { protocol: "", hostname: "", origin: "" };
