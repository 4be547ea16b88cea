/**
 * Converts Node's request and response to those of the web platform, which the SDK speaks, and back. Bodies are limited in
 * size, and slow readers in time.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Thrown where a body is longer than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** Time a client may take to accept what is already written, in milliseconds. */
const SLOW_READER_MS = 30_000;

/** Time that the head of a stream waits for its first event, in milliseconds. */
const HEAD_WAITS_MS = 50;

/** Thrown where bodies of other requests take all the room that there is. */
export class NoRoomForBody extends Error {
  override readonly name = "NoRoomForBody";
}

/** Bound on the bodies that are being received, together. */
export class BodyRoom {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Throws NoRoomForBody. */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#mostBytes) throw new NoRoomForBody();
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** As much of a response as is needed to end its connection. */
type Closable = Pick<ServerResponse, "destroy">;

/** Bound on the parts of answers that wait for their readers, together: whoever has been slow for longest gives way. */
export class OutgoingRoom {
  readonly #mostBytes: number;
  /** The one that has waited longest first. */
  readonly #waiting = new Map<Closable, number>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Holds the part of an answer, of one response once at a time; closes the connections of others where there is no room for it. */
  hold(response: Closable, bytes: number): void {
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    for (const slow of this.#waiting.keys()) {
      if (this.#bytes <= this.#mostBytes || slow === response) break;
      this.release(slow);
      slow.destroy();
    }
  }

  release(response: Closable): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}

/** The whole body. Throws BodyTooLarge as soon as it is known, NoRoomForBody, and what the connection throws. */
export async function bodyOf(request: IncomingMessage, maxBytes: number, room: BodyRoom): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLarge();
  const blocks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const block of request as AsyncIterable<Buffer>) {
      if (bytes + block.length > maxBytes) throw new BodyTooLarge();
      room.take(block.length);
      bytes += block.length;
      blocks.push(block);
    }
    return Buffer.concat(blocks);
  } finally {
    room.give(bytes);
  }
}

/** The request without its body, which is handed on parsed. `signal` aborts when the client has gone. */
export function webRequestOf(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? "";
    // Pseudo-headers of HTTP/2 do not occur here; whatever else Headers refuses, the parser has refused before.
    headers.append(name, request.rawHeaders[at + 1] ?? "");
  }
  // Host has been looked at by the gate; nobody needs it in the address.
  return new Request(new URL(request.url ?? "/", "http://localhost"), {
    method: request.method ?? "GET",
    headers,
    signal,
  });
}

/** Writes `answer` at the pace of the client; ends the connection of one that stops reading, or is too slow for `room`. Never rejects. */
export async function writeResponse(answer: Response, response: ServerResponse, room: OutgoingRoom): Promise<void> {
  // Node and the client settle whether the connection stays open, and the client may have asked for its end; the SDK says
  // keep-alive to all.
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => name !== "connection")));
  if (answer.body === null) {
    response.end();
    return;
  }
  // The head goes with the first event, and alone where that is long in coming: a client waits for it.
  const late = setTimeout(() => response.flushHeaders(), HEAD_WAITS_MS);
  const reader = answer.body.getReader();
  const gone = new Promise<void>((resolve) => response.once("close", resolve));
  void gone.then(() => reader.cancel().catch(() => undefined));
  try {
    for (let next = await reader.read(); next.done !== true; next = await reader.read()) {
      clearTimeout(late);
      if (!response.write(next.value)) {
        room.hold(response, next.value.length);
        await drained(response, gone);
        room.release(response);
      }
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    response.destroy();
  } finally {
    clearTimeout(late);
  }
}

async function drained(response: ServerResponse, gone: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      response.destroy();
      resolve();
    }, SLOW_READER_MS);
  });
  await Promise.race([new Promise<void>((resolve) => response.once("drain", resolve)), gone, slow]);
  clearTimeout(timer);
}
