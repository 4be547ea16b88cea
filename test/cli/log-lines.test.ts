/** Lines of a server's log on their way out. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { LogLines } from "../../src/cli/log-lines.ts";

test("those of one turn of the event loop are one write, in order", async () => {
  const writes: string[] = [];
  const lines = new LogLines((text) => writes.push(text));
  for (const line of ["a\n", "b\n", "c\n"]) lines.write(line);
  expect(writes).toEqual([]);
  await nextTurn();
  lines.write("d\n");
  await nextTurn();
  expect(writes).toEqual(["a\nb\nc\n", "d\n"]);
  lines.close();
});

test("what is held is written by the end and by the exit of the process, once", async () => {
  const listeners = process.listenerCount("exit");
  const writes: string[] = [];
  const lines = new LogLines((text) => writes.push(text));
  lines.write("a\n");
  // As an exit calls it: no turn of the loop follows.
  (process.listeners("exit").at(-1) as () => void)();
  expect(writes).toEqual(["a\n"]);
  lines.write("b\n");
  lines.close();
  expect([writes, process.listenerCount("exit")]).toEqual([["a\n", "b\n"], listeners]);
  lines.write("c\n");
  await nextTurn();
  expect(writes).toEqual(["a\n", "b\n", "c\n"]);
});
