/** Authenticators of a server, made of its settings. */
import type { ServerCallers } from "../../config/server/callers.ts";
import { type Authenticator, BearerAuthenticator, NamedOrSigned, NamedTokens, SingleToken } from "./authenticator.ts";
import { Challenges } from "./challenges.ts";
import type { FetchedKeysOptions } from "./issuer-keys.ts";
import { ProtectedResource } from "./protected-resource.ts";

export interface OpenedAuthenticator {
  readonly authenticator: Authenticator;
  /** For refusals that a caller's rights are the reason of. */
  readonly challenges: Challenges;
  /** undefined: there is no issuer, and so no metadata. */
  readonly resource: ProtectedResource | undefined;
}

/** The authenticator of a server with one token; `name` is for the audit. */
export const singleTokenAuthenticator = (token: string, name: string): Authenticator =>
  new BearerAuthenticator(new SingleToken(token, name), new Challenges(undefined));

/**
 * The authenticator of a server with callers. Nothing is fetched before the first signed token comes.
 */
export async function openAuthenticator({ callers, oauth }: ServerCallers, options: FetchedKeysOptions): Promise<OpenedAuthenticator> {
  const named = new NamedTokens(callers, options.nowMs);
  if (oauth === undefined) {
    const challenges = new Challenges(undefined);
    return { authenticator: new BearerAuthenticator(named, challenges), challenges, resource: undefined };
  }
  // Loaded here: without an issuer nobody waits for the code that checks signatures.
  const { jwtBearer } = await import("./jwt-bearer.ts");
  const resource = new ProtectedResource(oauth);
  const challenges = new Challenges(resource);
  const verifier = new NamedOrSigned(named, jwtBearer(oauth, resource, options));
  return { authenticator: new BearerAuthenticator(verifier, challenges), challenges, resource };
}
