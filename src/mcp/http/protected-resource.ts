/**
 * Metadata of this server as an OAuth 2.0 protected resource (RFC 9728): from which issuer a client gets a token, and for which
 * resource it asks.
 */
import type { OAuthSettings } from "../../config/server/callers.ts";
import type { Right } from "../../config/server/rights.ts";

/** Path under which the metadata of the endpoint lies whose path follows. */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

export const SCOPES = {
  read: "shelpa:read",
  write: "shelpa:write",
  approve: "shelpa:approve",
  metrics: "shelpa:metrics",
} as const satisfies Readonly<Record<Right, string>>;

/** Scopes that a client of the protocol asks for; the issuer and the user may give it fewer. /metrics is read by no such client. */
export const CLIENT_SCOPES = [SCOPES.read, SCOPES.write, SCOPES.approve] as const;

export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
}

export class ProtectedResource {
  readonly #settings: Pick<OAuthSettings, "issuer" | "publicUrl">;

  constructor(settings: Pick<OAuthSettings, "issuer" | "publicUrl">) {
    this.#settings = settings;
  }

  /**
   * The metadata at `path`, a path of this server; undefined where none lies there. Whether there is a workspace of that name
   * makes no difference: it is asked for without a token.
   */
  metadataAt(path: string): ResourceMetadata | undefined {
    const resource = path.startsWith(METADATA_PATH) ? path.slice(METADATA_PATH.length) : "";
    if (!isEndpoint(resource)) return undefined;
    return {
      resource: this.urlOf(resource),
      authorization_servers: [this.#settings.issuer],
      scopes_supported: CLIENT_SCOPES,
      bearer_methods_supported: ["header"],
      resource_name: "shelpa-mcp",
    };
  }

  /** URL of the metadata of the endpoint `resource`; undefined where it has none. Built from the settings alone, never from `Host`. */
  metadataUrlOf(resource: string): string | undefined {
    return isEndpoint(resource) ? `${this.#settings.publicUrl}${METADATA_PATH}${resource}` : undefined;
  }

  /** URL of the endpoint as clients know it: its identifier, and what a token for it alone has as audience (RFC 8707). */
  urlOf(resource: string): string {
    return this.#settings.publicUrl + resource;
  }
}

/** `/mcp` and `/w/NAME/mcp`, where NAME may stand for a workspace. */
const isEndpoint = (path: string): boolean => /^(?:\/w\/[\w.-]{1,63})?\/mcp$/.test(path);
