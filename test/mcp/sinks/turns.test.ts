/** Turns at a sink: in the order of asking, no more at once than there are, and none for those who have left. */
import { expect, test } from "vitest";
import { Turns } from "../../../src/mcp/sinks/turns.ts";

const never = new AbortController().signal;
/** Lets every promise that can be settled be so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("turns", async () => {
  const turns = new Turns(2);
  const got: string[] = [];
  const giveBack = new Map<string, (() => void) | undefined>();
  const take = (name: string, signal = never): void =>
    void turns.take(signal).then((back) => {
      got.push(back === undefined ? `${name} left` : name);
      giveBack.set(name, back);
    });
  const leaving = new AbortController();
  for (const name of ["a", "b", "c"]) take(name);
  take("d", leaving.signal);
  take("e");
  await settled();
  expect(got).toEqual(["a", "b"]);
  leaving.abort();
  await settled();
  expect(got).toEqual(["a", "b", "d left"]);
  giveBack.get("b")?.();
  await settled();
  expect(got.slice(3)).toEqual(["c"]);
  for (const name of ["a", "c"]) giveBack.get(name)?.();
  await settled();
  take("f", leaving.signal);
  await settled();
  expect(got.slice(4)).toEqual(["e", "f left"]);
  giveBack.get("e")?.();
  for (const name of ["g", "h", "i"]) take(name);
  await settled();
  expect(got.slice(6)).toEqual(["g", "h"]);
});
