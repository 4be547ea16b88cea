/** Refusals that come while a line runs: what was written before is kept, told, and taken back by `undo`. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell;
beforeEach(async () => {
  place = tree(["f: x\n"]);
  shell = await Shell.open({ root: place.path, isolation: "none" });
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

const names = (): readonly string[] => readdirSync(place.path).filter((name) => name !== ".shelpa");

describe("a refusal while the line runs keeps what was written before, and tells it", () => {
  test.each([
    ["words of a loop", "for i in p /docs/d; do touch $i; done"],
    ["an argument of a function", 'f(){ touch "$1"; }; f p; f ../bad'],
    ["operands of xargs", "echo p ../x | xargs -n1 touch"],
  ])("%s", async (_, line) => {
    const { result } = await shell.defaultSession.run(line);
    const detail = expect.stringMatching(/ Written before that, and kept: 'p' \(record \d+\)\.$/);
    expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "PATH_ESCAPE", detail, suggestion: undefined }] });
    expect(names()).toEqual(["f", "p"]);
    expect((await shell.defaultSession.run("undo")).stdout.toString()).toBe("removed p\n");
    expect(names()).toEqual(["f"]);
  });
});

test.each(["touch p; touch ../bad", "for i in a; do touch p; done; shred f", "if true; then touch p; else touch /docs/d; fi"])(
  "what the line's text tells is refused before any of it runs: %s",
  async (line) => {
    expect((await shell.defaultSession.run(line)).result).toMatchObject({ kind: "refused", violations: [{ suggestion: undefined }] });
    expect(names()).toEqual(["f"]);
  },
);
