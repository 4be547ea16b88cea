/** Bytes → lines → JSON-RPC messages, for a stream of newline-delimited JSON. Pure: no stream, no clock. */
import { isUtf8 } from "node:buffer";
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isSpecType,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/server";
import { PROTO_STAND_IN } from "./proto-stand-in.ts";
import { isCrowded, MOST_PARTS } from "./crowded-message.ts";
import { RequestIdScan, requestId } from "./request-id.ts";
import { isEnveloped, withSpokenRevision } from "./revisions.ts";

/** A line as it arrived; or of one that was longer than allowed, whose bytes are gone, the id of its request. */
export type ReceivedLine = Buffer | TooLongLine;

export interface TooLongLine {
  readonly tooLong: true;
  readonly id: string | number | null;
}

/** Splits chunks at newlines; what is left waits for the next chunk. A line past `maxLineBytes` is skipped to its end. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  /** Of a line that is skipped. */
  #skipped: RequestIdScan | undefined;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in `chunk`, without their newlines. */
  *push(chunk: Buffer): Generator<ReceivedLine> {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, newline));
      from = newline + 1;
      yield this.#take();
    }
    this.#hold(chunk.subarray(from));
  }

  /** The bytes after the last newline, at the end of input. */
  *end(): Generator<ReceivedLine> {
    if (this.#skipped !== undefined || this.#heldBytes > 0) yield this.#take();
  }

  #hold(part: Buffer): void {
    if (this.#skipped !== undefined) return this.#skipped.push(part);
    if (part.length === 0) return;
    this.#heldBytes += part.length;
    this.#parts.push(part);
    if (this.#heldBytes <= this.#maxLineBytes) return;
    this.#skipped = new RequestIdScan();
    for (const held of this.#parts) this.#skipped.push(held);
    this.#parts = [];
  }

  #take(): ReceivedLine {
    const skipped = this.#skipped;
    const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#heldBytes = 0;
    this.#skipped = undefined;
    return skipped === undefined ? line : { tooLong: true, id: skipped.id };
  }
}

/** A line that was longer than allowed, as read: answered by its id, for the client waits for that. */
export function tooLongMessage({ id }: TooLongLine, maxLineBytes: number): ReadLine & { readonly kind: "fault" } {
  return fault(-32600, `Invalid Request: the line is longer than ${maxLineBytes} bytes, and none of it was done. ${IN_PARTS}`, id);
}

/** Advice for a request that is too long. */
export const IN_PARTS =
  "Send less in one request: write a long text in parts, the first with `tee FILE`, each further one in a call of its own with `tee -a FILE`";

/** `message` as JSON in which every text is whole: half a character, as a client may have sent one, would spoil all of it for strict readers. */
export function wireText(message: unknown): string {
  const text = JSON.stringify(message);
  if (!HALF_CHARACTER.test(text)) return text;
  return JSON.stringify(message, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}

/** A lone surrogate as JSON.stringify writes it. Ordinary text may hold these characters too, which costs a second pass. */
const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/;

/** A line as it was read. "blank" needs no answer; a "fault" is answered with this error. */
export type ReadLine =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "blank" }
  | { readonly kind: "fault"; readonly id: string | number | null; readonly code: number; readonly text: string };

/**
 * Reads one line as JSON-RPC 2.0 with MCP's narrowings (no batches, no null ids): -32700 where it is no JSON, -32600
 * where it is JSON but no message, -32602 where
 * parameters are missing. Whatever passes, the SDK accepts as well, so that nothing stays unanswered.
 */
export function readMessage(line: Buffer): ReadLine {
  if (!isUtf8(line)) return fault(-32700, "Parse error: the line is not UTF-8", requestId(line));
  if (line.length > MOST_PARTS && isCrowded(line)) {
    return fault(-32600, `Invalid Request: the message has more than ${MOST_PARTS} members`, requestId(line));
  }
  const text = line
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  if (text === "") return { kind: "blank" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault(-32700, `Parse error: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (Array.isArray(value)) return fault(-32600, "Invalid Request: batches are not supported; send one message per line");
  if (typeof value !== "object" || value === null) return fault(-32600, "Invalid Request: a message is a JSON object");
  if (!("method" in value) && isJSONRPCResponse(value)) return { kind: "message", message: value };
  const { id, jsonrpc, method } = value as { readonly id?: unknown; readonly jsonrpc?: unknown; readonly method?: unknown };
  const knownId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
  if (id !== undefined && knownId === null) return fault(-32600, "Invalid Request: 'id' must be a string or an integer");
  if (jsonrpc !== "2.0") return fault(-32600, `Invalid Request: 'jsonrpc' must be "2.0"`, knownId);
  if (typeof method !== "string") return fault(-32600, "Invalid Request: 'method' must be a string", knownId);
  if (id === undefined && isJSONRPCNotification(value)) return { kind: "message", message: value };
  if (id !== undefined && isJSONRPCRequest(value)) {
    const message = withSpokenRevision(withEachArgument(value));
    const wanted = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
    if (wanted === undefined || wanted.holds(message)) return { kind: "message", message };
    return fault(-32602, `Invalid params: '${method}' takes ${wanted.names}`, knownId);
  }
  return fault(-32600, "Invalid Request: 'params' must be an object, and 'params._meta' a valid one", knownId);
}

function withEachArgument(request: JSONRPCRequest): JSONRPCRequest {
  const given: unknown = request.params?.["arguments"];
  if (typeof given !== "object" || given === null || !Object.hasOwn(given, "__proto__")) return request;
  const named = Object.entries(given).map(([name, value]) => [name === "__proto__" ? PROTO_STAND_IN : name, value] as const);
  return { ...request, params: { ...request.params, arguments: Object.fromEntries(named) } };
}

/** Requests whose parameters the SDK answers for as a fault of ours (-32603) where they are wrong. */
const PARAMS: Readonly<Record<string, { readonly holds: (request: unknown) => boolean; readonly names: string }>> = {
  initialize: {
    holds: (request) => isEnveloped(request) || isInitializeRequest(request),
    names: "'capabilities' and 'clientInfo' with 'name' and 'version'",
  },
  "prompts/get": { holds: isSpecType.GetPromptRequest, names: "'name', and 'arguments' of strings" },
  "resources/read": { holds: isSpecType.ReadResourceRequest, names: "'uri'" },
  "completion/complete": { holds: isSpecType.CompleteRequest, names: "'ref', and 'argument' with 'name' and 'value'" },
};

function fault(code: number, text: string, id: string | number | null = null): ReadLine & { readonly kind: "fault" } {
  return { kind: "fault", id, code, text };
}
