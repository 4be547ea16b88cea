/** Refusals of a request for its token, with the challenges of RFC 6750 and RFC 9728 in `WWW-Authenticate`. */
import { RIGHTS, type Right } from "../../config/server/rights.ts";
import type { Principal } from "../principal.ts";
import type { GateRefusal } from "./gate.ts";
import { CLIENT_SCOPES, type ProtectedResource, SCOPES } from "./protected-resource.ts";

const REALM = "shelpa-mcp";
/** Time after which a client may try again where its token could not be checked, in seconds. */
const RETRY_SECONDS = 10;

/** Makes the refusals of one server. */
export class Challenges {
  readonly #resource: ProtectedResource | undefined;

  /** Without a resource no issuer is named: tokens are given by hand. */
  constructor(resource: ProtectedResource | undefined) {
    this.#resource = resource;
  }

  /** Answers a request without a token, or with another scheme: no error is named (RFC 6750, 3.1). */
  tokenNeeded(resource: string): GateRefusal {
    return { status: 401, message: "a bearer token is needed", headers: this.#headers(resource, { scope: CLIENT_SCOPES.join(" ") }) };
  }

  malformed(resource: string): GateRefusal {
    const message = "the header Authorization must be 'Bearer TOKEN', once";
    return { status: 400, message, headers: this.#headers(resource, { error: "invalid_request", error_description: message }) };
  }

  invalidToken(resource: string, message: string): GateRefusal {
    const scope = CLIENT_SCOPES.join(" ");
    return { status: 401, message, headers: this.#headers(resource, { error: "invalid_token", error_description: message, scope }) };
  }

  insufficientScope(resource: string, message: string, scope: string = CLIENT_SCOPES.join(" ")): GateRefusal {
    const challenge = { error: "insufficient_scope", error_description: message, scope };
    return { status: 403, message, headers: this.#headers(resource, challenge) };
  }

  unavailable(message: string): GateRefusal {
    return { status: 503, message, headers: { "Retry-After": String(RETRY_SECONDS) } };
  }

  /** The refusal of a caller that lacks `right`, which all requests at `resource` need; undefined where it has it. */
  lackOf(right: Right, { name, rights }: Pick<Principal, "name" | "rights">, resource: string): GateRefusal | undefined {
    if (rights.has(right)) return undefined;
    // The client asks its issuer for these: what it has already, and what it lacks.
    const scopes = RIGHTS.filter((each) => each === right || rights.has(each)).map((each) => SCOPES[each]);
    return this.insufficientScope(resource, `the caller '${name}' lacks the right '${right}'`, scopes.join(" "));
  }

  /** A scope is named only where there is an issuer that gives it. */
  #headers(resource: string, { scope, ...error }: Readonly<Record<string, string>>): GateRefusal["headers"] {
    const metadata = this.#resource?.metadataUrlOf(resource);
    const parameters = {
      realm: REALM,
      ...(metadata === undefined ? {} : { resource_metadata: metadata }),
      ...error,
      ...(this.#resource === undefined || scope === undefined ? {} : { scope }),
    };
    const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, "?")}"`);
    return { "WWW-Authenticate": `Bearer ${listed.join(", ")}` };
  }
}
