/** Connections of strangers: so many of an address, and in all; whoever has brought an authenticated request stays. */
import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { RIGHTS } from "../../../src/config/server/rights.ts";
import { Connections } from "../../../src/mcp/http/connections.ts";
import { serveOverHttp, type HttpServing } from "../../../src/mcp/http/serve-http.ts";
import { FakeShell } from "../fake-shell.ts";

class FakeConnection extends EventEmitter {
  readonly remoteAddress: string;
  isOpen = true;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isOpen = false;
    this.emit("close");
  }
}

/** A clock by which every connection is old when the next one comes. */
function slowClock(): () => number {
  let nowMs = 0;
  return () => (nowMs += 10_000);
}

const openOnes = (connections: readonly FakeConnection[]): readonly number[] =>
  connections.flatMap(({ isOpen }, index) => (isOpen ? [index] : []));

describe("limits", () => {
  test("past those of an address its oldest is closed, and no other's", () => {
    const connections = new Connections({ ofAddress: 2, ofAll: 100 }, slowClock());
    const all = ["a", "b", "a", "a", "a"].map((address) => new FakeConnection(address));
    for (const each of all) connections.add(each);
    expect(openOnes(all)).toEqual([1, 3, 4]);
  });

  test("past those of all the oldest is closed, whoever's it is", () => {
    const connections = new Connections({ ofAddress: 100, ofAll: 3 }, slowClock());
    const all = ["a", "b", "c", "d", "e"].map((address) => new FakeConnection(address));
    for (const each of all) connections.add(each);
    expect(openOnes(all)).toEqual([2, 3, 4]);
  });

  test("those that have just come stay, as many as there may be in all; past these the new one is closed", () => {
    let nowMs = 0;
    const connections = new Connections({ ofAddress: 2, ofAll: 4 }, () => nowMs);
    const all = Array.from({ length: 7 }, () => new FakeConnection("a"));
    for (const each of all.slice(0, 5)) connections.add(each);
    expect(openOnes(all)).toEqual([0, 1, 2, 3, 5, 6]);
    nowMs = 2000;
    for (const each of all.slice(5)) connections.add(each);
    expect([openOnes(all), connections.strangers]).toEqual([[2, 3, 5, 6], 4]);
  });

  test("one that is known, or has gone, does not count", () => {
    const connections = new Connections({ ofAddress: 2, ofAll: 2 }, slowClock());
    const all = Array.from({ length: 5 }, () => new FakeConnection("a"));
    for (const [index, each] of all.entries()) {
      connections.add(each);
      if (index === 0) connections.know(each);
      if (index === 1) each.destroy();
    }
    expect([openOnes(all), connections.strangers]).toEqual([[0, 3, 4], 2]);
  });
});

describe("a server", () => {
  let serving: HttpServing;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await serving.close();
  });

  test("of which one address opens more than 256 answers another client, and keeps the connection of a caller", {
    timeout: 60_000,
  }, async () => {
    serving = await serveOverHttp(new FakeShell(), {
      ...{ version: "0", readOnly: false, log: () => undefined, host: "127.0.0.1", port: 0, gate: { hosts: [], origins: [] } },
      authenticator: { authenticate: async () => ({ name: "ci", rights: new Set(RIGHTS), mayEnter: () => true }) },
    });
    const { port } = new URL(serving.url);
    const opened = async (): Promise<Socket> => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      await once(socket, "connect");
      return socket;
    };
    const caller = await opened();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
    caller.write(head + body);
    await once(caller, "data");
    let closed = 0;
    const open = async (): Promise<unknown> => (await opened()).on("close", () => closed++).resume();
    for (let number = 0; number < 256; number++) await open();
    // As many may come at once; then those that have said nothing give way.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (let number = 0; number < 44; number++) await open();
    await expect.poll(() => closed, { timeout: 30_000 }).toBeGreaterThanOrEqual(44);
    expect((await fetch(serving.url.replace("/mcp", "/healthz"))).status).toBe(200);
    expect(caller.destroyed).toBe(false);
    caller.write(head + body);
    await once(caller, "data");
  });
});
