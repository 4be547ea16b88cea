/** Facts of an HTTP request that its calls are made under; they travel through the SDK beside the message. */
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import { callerKey, type Principal } from "./principal.ts";

export interface RequestFacts {
  /** Unique in this run of the server; also in the answer's header `X-Request-Id`. */
  readonly requestId: string;
  /** undefined: a server of one workspace. */
  readonly workspace: string | undefined;
  readonly principal: Principal;
  /** Aborts when the caller's token is revoked. */
  readonly revoked: AbortSignal;
}

/** Key of the caller (callerKey); one for all where nobody is authenticated. */
export const ownerKey = (facts: RequestFacts | undefined): string => (facts === undefined ? "" : callerKey(facts.principal));

/** For `authInfo` of the SDK's transports and handlers. The token itself stays behind. */
export const authInfoOf = (facts: RequestFacts): AuthInfo => ({
  token: "",
  clientId: facts.principal.name,
  scopes: [...facts.principal.rights],
  extra: { [KEY]: new Carried(facts) },
});

/** The same as options of theirs. */
export const handed = (facts: RequestFacts | undefined): { readonly authInfo?: AuthInfo } =>
  facts === undefined ? {} : { authInfo: authInfoOf(facts) };

/** The facts of the request that a message came with; undefined for standard input and output, and where nobody is authenticated. */
export function requestFactsOf({ http }: Pick<ServerContext, "http">): RequestFacts | undefined {
  const carried = http?.authInfo?.extra?.[KEY];
  return carried instanceof Carried ? carried.facts : undefined;
}

/** Aborts when the request is cancelled, its client has gone, or its caller's token is revoked. */
export function signalOf(context: Pick<ServerContext, "http" | "mcpReq">): AbortSignal {
  const { revoked } = requestFactsOf(context) ?? {};
  const { signal } = context.mcpReq;
  return revoked === undefined ? signal : AbortSignal.any([signal, revoked]);
}

const KEY = "shelpa";

/** An instance is told from whatever a message could hold. */
class Carried {
  readonly facts: RequestFacts;

  constructor(facts: RequestFacts) {
    this.facts = facts;
  }
}
