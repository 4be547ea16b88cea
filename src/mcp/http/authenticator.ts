/**
 * Authentication of HTTP requests: the token of `Authorization: Bearer` → the caller and its rights, or a refusal as RFC 6750 has
 * it. Nothing is kept of a wrong token, so no number of attempts fills memory.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { NamedCaller } from "../../config/server/callers.ts";
import { RIGHTS } from "../../config/server/rights.ts";
import type { CallerName, Principal } from "../principal.ts";
import type { Challenges } from "./challenges.ts";
import type { GateRefusal } from "./gate.ts";
import { workspaceAt } from "./site.ts";
import { keyFor, workspacesNamed } from "./workspaces-named.ts";

export interface Authenticator {
  /**
   * `resource`: path of the endpoint that is asked for, as `/mcp`. A caller without the right that every request there needs is refused.
   * The server must join headers that come twice (`joinDuplicateHeaders`). Never rejects.
   */
  authenticate(headers: IncomingHttpHeaders, resource: string): Promise<Principal | GateRefusal>;
}

/** Path of the one endpoint at which no line runs. */
export const METRICS_PATH = "/metrics";

export const isRefusal = (answer: Principal | GateRefusal): answer is GateRefusal => "status" in answer;

/** Reason that a token is not taken, with a sentence for its owner that holds nothing of the token. */
export interface TokenFault {
  /** "unavailable": it cannot be checked now, and is neither right nor wrong. */
  readonly fault: "invalid" | "scope" | "unavailable";
  readonly message: string;
  /** Owner of the token, where there is no doubt of it: of one that has expired, or whose signature is the issuer's. */
  readonly caller?: CallerName | undefined;
}

/** One way to check a token. */
export interface TokenVerifier {
  /** Never rejects. */
  verify(token: string, resource: string): Promise<Principal | TokenFault>;
}

export class BearerAuthenticator implements Authenticator {
  readonly #verifier: TokenVerifier;
  readonly #challenges: Challenges;

  constructor(verifier: TokenVerifier, challenges: Challenges) {
    this.#verifier = verifier;
    this.#challenges = challenges;
  }

  async authenticate({ authorization = "" }: IncomingHttpHeaders, resource: string): Promise<Principal | GateRefusal> {
    if (!/^bearer(?: |$)/i.test(authorization)) return this.#challenges.tokenNeeded(resource);
    // Two headers, joined by a comma and a blank, are no token either: a proxy may have looked at the other one.
    const token = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) return this.#challenges.malformed(resource);
    const answer = await this.#verifier.verify(token, resource);
    if ("fault" in answer) return { ...this.#refusalOf(answer, resource), caller: answer.caller };
    const refusal = this.#challenges.lackOf(resource === METRICS_PATH ? "metrics" : "read", answer, resource);
    return refusal === undefined ? answer : { ...refusal, caller: { name: answer.name, subject: answer.subject } };
  }

  #refusalOf({ fault, message }: TokenFault, resource: string): GateRefusal {
    switch (fault) {
      case "invalid":
        return this.#challenges.invalidToken(resource, message);
      case "scope":
        return this.#challenges.insufficientScope(resource, message);
      case "unavailable":
        return this.#challenges.unavailable(message);
    }
  }
}

/** The one token of a server without a file of callers: it has every right. */
export class SingleToken implements TokenVerifier {
  readonly #digest: Buffer;
  readonly #principal: Principal;

  /** `name` is for the audit. */
  constructor(token: string, name: string) {
    this.#digest = digestOf(token);
    this.#principal = { name, rights: new Set(RIGHTS), mayEnter: () => true };
  }

  /** Takes as long for a wrong token, however much of it is right. */
  async verify(token: string): Promise<Principal | TokenFault> {
    return timingSafeEqual(digestOf(token), this.#digest) ? this.#principal : UNKNOWN;
  }
}

/**
 * The tokens of the table `callers`. They are looked up by a digest that is keyed with a secret of this process: nobody outside can
 * tell which digests are near each other, so the time of a look-up says nothing of the tokens or the names that there are, however many.
 */
export class NamedTokens implements TokenVerifier {
  readonly #key = randomBytes(32);
  readonly #callers: ReadonlyMap<string, KnownToken>;
  readonly #nowMs: () => number;

  /** `nowMs`: milliseconds since the epoch. */
  constructor(callers: readonly NamedCaller[], nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#callers = new Map(
      callers.map(({ name, tokenSha256, expiresMs, rights, rightsIn, workspaces }) => [
        this.#keyed(Buffer.from(tokenSha256, "hex")),
        { rightsIn, principal: { name, rights: new Set(rights), expiresMs, mayEnter: workspacesNamed(workspaces) } },
      ]),
    );
  }

  async verify(token: string, resource: string): Promise<Principal | TokenFault> {
    const known = this.#callers.get(this.#keyed(digestOf(token)));
    if (known === undefined) return UNKNOWN;
    const { expiresMs, name } = known.principal;
    if (expiresMs === undefined || this.#nowMs() < expiresMs) return principalAt(known, resource);
    return { fault: "invalid", message: `the token '${name}' expired at ${new Date(expiresMs).toISOString()}`, caller: { name } };
  }

  #keyed(digest: Buffer): string {
    return createHmac("sha256", this.#key).update(digest).digest("base64");
  }
}

interface KnownToken extends Pick<NamedCaller, "rightsIn"> {
  readonly principal: Principal;
}

/** The caller with its rights at the endpoint; with all that it has where it may not enter, which others find out. */
function principalAt({ principal, rightsIn }: KnownToken, resource: string): Principal {
  const workspace = workspaceAt(resource);
  if (rightsIn === undefined || workspace === undefined) return principal;
  const key = keyFor(workspace, Object.keys(rightsIn));
  return key === undefined ? principal : { ...principal, rights: new Set(rightsIn[key]) };
}

/** A token that has no name here and looks as a JWT does goes to the issuer's verifier. */
export class NamedOrSigned implements TokenVerifier {
  readonly #named: TokenVerifier;
  readonly #signed: TokenVerifier;

  constructor(named: TokenVerifier, signed: TokenVerifier) {
    this.#named = named;
    this.#signed = signed;
  }

  async verify(token: string, resource: string): Promise<Principal | TokenFault> {
    const answer = await this.#named.verify(token, resource);
    return "fault" in answer && JWT.test(token) ? this.#signed.verify(token, resource) : answer;
  }
}

/** RFC 7515, 3.1: header, payload and signature; `alg: none` has an empty one. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const UNKNOWN: TokenFault = { fault: "invalid", message: "the bearer token is none of this server's" };

/** SHA-256: timingSafeEqual compares values of one length, and a token's may be any. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();
