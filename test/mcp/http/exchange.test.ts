/** Bodies of requests: one bound for each, and one for all that are being received. */
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { BodyRoom, BodyTooLarge, bodyOf, NoRoomForBody } from "../../../src/mcp/http/exchange.ts";

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
