/** Bodies of requests, with one bound for each and one for all that are being received; answers, with a bound on what waits for readers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { BodyRoom, BodyTooLarge, bodyOf, NoRoomForBody, OutgoingRoom, writeResponse } from "../../../src/mcp/http/exchange.ts";

function request(): IncomingMessage & PassThrough {
  return Object.assign(new PassThrough(), { headers: {} }) as unknown as IncomingMessage & PassThrough;
}

test("bodies share a room, which each gives back at its end", async () => {
  const room = new BodyRoom(10);
  const [first, second, third] = [request(), request(), request()];
  const held = bodyOf(first, 100, room);
  first.write("1234567");
  const refused = bodyOf(second, 100, room);
  await new Promise((resolve) => setImmediate(resolve));
  second.end("1234");
  await expect(refused).rejects.toBeInstanceOf(NoRoomForBody);
  first.end("8");
  expect((await held).toString()).toBe("12345678");
  const whole = bodyOf(third, 100, room);
  third.end("1234567890");
  expect((await whole).toString()).toBe("1234567890");
});

test("one that is too long gives its room back", async () => {
  const room = new BodyRoom(10);
  const [long, other] = [request(), request()];
  const refused = bodyOf(long, 4, room);
  long.write("123");
  await new Promise((resolve) => setImmediate(resolve));
  long.end("45");
  await expect(refused).rejects.toBeInstanceOf(BodyTooLarge);
  const whole = bodyOf(other, 100, room);
  other.end("1234567890");
  expect((await whole).length).toBe(10);
});

/** A response whose client reads when `read` is called, and not before. */
class SlowResponse extends PassThrough {
  wrote = 0;
  override write(block: Uint8Array): boolean {
    this.wrote += block.length;
    return false;
  }
  override end(): this {
    return this.destroy();
  }
  writeHead(): void {}
  flushHeaders(): void {}
  resumeReading(): void {
    this.emit("drain");
  }
}

test("past the room of all, whoever has been slow for longest is let go", async () => {
  const room = new OutgoingRoom(10);
  const slow = Array.from({ length: 4 }, () => new SlowResponse());
  const writing = (index: number, text: string): Promise<void> =>
    writeResponse(new Response(text), slow[index] as unknown as ServerResponse, room);
  const isWritten = (index: number): Promise<void> => expect.poll(() => slow[index]?.wrote, { timeout: 30_000 }).toBeGreaterThan(0);
  const destroyed = (): readonly boolean[] => slow.map((each) => each.destroyed);
  const all = [writing(0, "1234")];
  await isWritten(0);
  all.push(writing(1, "1234"));
  await isWritten(1);
  expect(destroyed()).toEqual([false, false, false, false]);
  all.push(writing(2, "1234"));
  await isWritten(2);
  expect(destroyed()).toEqual([true, false, false, false]);
  slow[1]?.resumeReading();
  await all[1];
  all.push(writing(3, "123456"));
  await isWritten(3);
  expect(destroyed()).toEqual([true, true, false, false]);
  slow[2]?.resumeReading();
  slow[3]?.resumeReading();
  await Promise.all(all);
});
