/** Answers that no MCP server has a part in: refusals, and texts for machines. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ResourceMetadata } from "./protected-resource.ts";

/** Time after which a request of a workspace with too many is refused, in milliseconds. */
const CROWDED_MS = 1000;

/** Text for a machine that polls. */
export const showText = (response: ServerResponse, status: number, text: string): void =>
  void response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...NO_LONGER }).end(text);

/** A connection of somebody who need not be known is not kept: as many as may be would shut everybody else out. */
const NO_LONGER = { Connection: "close" } as const;

/** For anybody, also a web page: it says where to log in. */
export function showMetadata(response: ServerResponse, metadata: ResourceMetadata): void {
  response
    .writeHead(200, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", ...NO_LONGER })
    .end(JSON.stringify(metadata));
}

/**
 * Whoever asks again at once would keep the server busy with its refusals, which are answered late for that. Nothing of the request has
 * been read.
 */
export async function refuseLater(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, CROWDED_MS).unref());
  const why = "as many requests of this workspace are being answered as may be; try again in a second";
  if (!response.destroyed) refuse(response, 429, why, { "Retry-After": "1" });
}

export const refuseUnknown = (response: ServerResponse): void => refuse(response, 404, "there is no such workspace for this caller");

/** Lets a page whose origin has passed the gate read the answers. */
export function allowPage({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (origin === undefined) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Vary", "Origin");
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, DELETE");
  response.setHeader(
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id",
  );
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
}

/** Answers a request whose body has not been read, with an error of JSON-RPC, and ends the connection. `code` is JSON-RPC's. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers }).end(body);
}
