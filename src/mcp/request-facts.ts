/** Facts of an HTTP request that its MCP server needs: they travel as the SDK's authentication information. */
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { Principal } from "./principal.ts";

export interface RequestFacts {
  readonly requestId: string;
  /** undefined: a server of one workspace. */
  readonly workspace: string | undefined;
  readonly principal: Principal;
}

/** Without the token, which nobody needs any more. */
export const authInfoOf = (facts: RequestFacts): AuthInfo => ({
  token: "",
  clientId: facts.principal.name,
  scopes: [...facts.principal.rights],
  extra: { [FACTS]: facts },
});

/** undefined where the request came by standard input. */
export const requestFactsOf = ({ http }: ServerContext): RequestFacts | undefined =>
  http?.authInfo?.extra?.[FACTS] as RequestFacts | undefined;

const FACTS = "shelpa";
