/** The protocol revision in which a client that opens with `initialize` is served. */
import { isJSONRPCRequest, LATEST_PROTOCOL_VERSION, PROTOCOL_VERSION_META_KEY, type JSONRPCRequest } from "@modelcontextprotocol/server";

/** Revisions that open with `initialize`, oldest first. The one of 2026-07-28 has no such exchange. */
export const HANDSHAKE_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", LATEST_PROTOCOL_VERSION] as const;

/**
 * Returns the revision to answer with: the one asked for, if we speak it; else our newest one older than that; our oldest
 * where all of ours are newer; our latest where the client names none, or something other than a date.
 */
export function spokenRevision(asked: unknown): string {
  if (typeof asked !== "string" || !/^\d{4}-\d\d-\d\d$/.test(asked)) return LATEST_PROTOCOL_VERSION;
  return HANDSHAKE_REVISIONS.findLast((revision) => revision <= asked) ?? HANDSHAKE_REVISIONS[0];
}

/** `request` as the SDK takes it, which knows revisions by their exact name alone. */
export function withSpokenRevision(request: JSONRPCRequest): JSONRPCRequest {
  const { method, params } = request;
  // With an envelope it is a request of the stateless era, which knows no such method.
  if (method !== "initialize" || isEnveloped(request)) return request;
  return { ...request, params: { ...params, protocolVersion: spokenRevision(params?.["protocolVersion"]) } };
}

/** Tells whether a request names its revision itself, as requests of the stateless era do. */
export function isEnveloped(request: unknown): boolean {
  return isJSONRPCRequest(request) && request.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}
