/**
 * Verifier of access tokens that an issuer has signed: JWTs as RFC 9068 has them, checked by issuer, audience, times and the
 * issuer's keys. Scopes give the rights.
 */
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { OAuthSettings } from "../../config/server/callers.ts";
import { RIGHTS, type Right } from "../../config/server/rights.ts";
import type { CallerName, Principal } from "../principal.ts";
import type { TokenFault, TokenVerifier } from "./authenticator.ts";
import { IssuerKeys, IssuerUnavailable, type FetchedKeysOptions } from "./issuer-keys.ts";
import { type ProtectedResource, SCOPES } from "./protected-resource.ts";
import { workspacesNamed } from "./workspaces-named.ts";

/** Signatures that need the issuer's private key: none that is a shared secret, or none at all. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
/** Access tokens (RFC 9068, 4), and those of issuers that were there before it. */
const TYPES = /^(?:application\/)?(?:at\+jwt|jwt)$/i;
/** Difference of the clocks of issuer and server that is taken, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 10;
/** Longest token that is looked at: one is a header, and many times shorter. */
const MOST_CHARACTERS = 12 << 10;

export interface JwtBearerOptions extends Pick<OAuthSettings, "issuer" | "audience" | "workspacesClaim"> {
  /** The audience may be that of the one endpoint that is asked for (RFC 8707). */
  readonly resource: Pick<ProtectedResource, "urlOf">;
  readonly keys: JWTVerifyGetKey;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
}

/** The verifier for `settings`. */
export function jwtBearer(settings: OAuthSettings, resource: JwtBearerOptions["resource"], options: FetchedKeysOptions): JwtBearer {
  const keys = new IssuerKeys({ ...settings, ...options });
  return new JwtBearer({ ...settings, resource, keys: keys.find, nowMs: options.nowMs });
}

export class JwtBearer implements TokenVerifier {
  readonly #options: JwtBearerOptions;

  constructor(options: JwtBearerOptions) {
    this.#options = options;
  }

  async verify(token: string, resource: string): Promise<Principal | TokenFault> {
    const { issuer, audience, keys, nowMs } = this.#options;
    if (token.length > MOST_CHARACTERS) return invalid(`the token is longer than ${MOST_CHARACTERS} characters`);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: [audience, this.#options.resource.urlOf(resource)],
        algorithms: ALGORITHMS,
        requiredClaims: ["exp"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs()),
      });
      if (!TYPES.test(protectedHeader.typ ?? "")) return invalid("the token is no access token: its typ is neither at+jwt nor JWT");
      return this.#principalOf(payload);
    } catch (thrown) {
      return this.#faultOf(thrown);
    }
  }

  #principalOf(payload: JWTPayload): Principal | TokenFault {
    const caller = callerIn(payload);
    if (caller === undefined) return invalid("the token names no client: it has neither client_id nor azp nor sub");
    const scopes = new Set(namesIn(payload["scope"] ?? payload["scp"]));
    const rights = new Set<Right>(RIGHTS.filter((right) => scopes.has(SCOPES[right])));
    if (rights.size === 0)
      return { fault: "scope", message: `the token has none of the scopes ${Object.values(SCOPES).join(", ")}`, caller };
    const { workspacesClaim } = this.#options;
    // A token without the claim is one for no workspace.
    const workspaces = workspacesClaim === undefined ? ["*"] : namesIn(payload[workspacesClaim]);
    // Present: it is a claim that is required.
    const expiresMs = payload.exp === undefined ? undefined : (payload.exp + CLOCK_TOLERANCE_SECONDS) * 1000;
    return { ...caller, rights, expiresMs, mayEnter: workspacesNamed(workspaces) };
  }

  /** Sentences that repeat nothing of the token: it may be anybody's. */
  #faultOf(thrown: unknown): TokenFault {
    const { issuer, audience } = this.#options;
    if (thrown instanceof IssuerUnavailable) {
      return { fault: "unavailable", message: `the keys of the issuer ${issuer} cannot be had now; try again in a while` };
    }
    // Claims are looked at once the signature is known to be the issuer's.
    if (thrown instanceof errors.JWTExpired) return { ...invalid("the token has expired"), caller: callerIn(thrown.payload) };
    if (thrown instanceof errors.JWTClaimValidationFailed) {
      const caller = callerIn(thrown.payload);
      switch (thrown.claim) {
        case "aud":
          return { ...invalid(`the token is not for this server, whose audience is ${audience}`), caller };
        case "iss":
          return invalid(`the token is not of the issuer ${issuer}`);
        case "nbf":
          return { ...invalid("the token is not valid yet"), caller };
        default:
          return invalid(
            thrown.reason === "missing" ? "the token has no time of expiry (exp)" : "a claim of the token is not as it must be",
          );
      }
    }
    if (thrown instanceof errors.JOSEAlgNotAllowed) return invalid("the token is not signed by an algorithm with a public key");
    if (thrown instanceof errors.JWSSignatureVerificationFailed) return invalid("the token's signature is not that of its issuer");
    if (thrown instanceof errors.JWKSNoMatchingKey) return invalid("the token is signed by no key of the issuer");
    if (thrown instanceof errors.JWKSMultipleMatchingKeys) return invalid("the token does not say by which key it is signed (kid)");
    return invalid("the token is no JWT that can be checked");
  }
}

/** undefined for a token that names no client. */
function callerIn(payload: JWTPayload): CallerName | undefined {
  const name = [payload["client_id"], payload["azp"], payload.sub].find((claim) => typeof claim === "string" && claim !== "");
  if (typeof name !== "string") return undefined;
  // RFC 9068, 2.2: of a client that acts for itself. With none it would be one of the named callers, if that has the client's name.
  return { name, subject: typeof payload.sub === "string" && payload.sub !== "" ? payload.sub : name };
}

const invalid = (message: string): TokenFault => ({ fault: "invalid", message });

/** Names in a claim: a text with blanks between them (RFC 8693, 4.2), or a list. */
function namesIn(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name): name is string => typeof name === "string") : [];
}
