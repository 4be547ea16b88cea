/** Answers over HTTP to requests that no MCP server gets to see: a status and a JSON-RPC error. */

/** `code` is JSON-RPC's; -32000 is the first of those that a server may give a meaning. */
export const rejection = (status: number, message: string, code = -32000, id: string | number | null = null): Response =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });

/** Status 503: to be tried again later. */
export const unavailable = (message: string, retryAfterSeconds: number, id: string | number | null = null): Response => {
  const answer = rejection(503, message, -32000, id);
  answer.headers.set("Retry-After", String(retryAfterSeconds));
  return answer;
};

/** The id of a JSON-RPC request. */
export function idOf(message: unknown): string | number | null {
  const id: unknown = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
