/** Types of files (-t, -T): the table is the module's, and our own walk chooses the files that the module chooses. */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { TYPE_LIST } from "../../../builtins/rg/file-types.ts";
import { ownWalk } from "../../../builtins/rg/own-walk.ts";
import { Workspace } from "../../../src/workspace/workspace.ts";
import { runOurs } from "../../cases.ts";
import { Dice } from "../../fuzz/dice.ts";
import { extent } from "../../extent.ts";
import { tree } from "../../tree.ts";

/** The module's: nothing else of a command changes. */
const TO_MODULE = "--no-auto-hybrid-regex";

test("the table is what the module lists", async () => {
  expect((await runOurs({ command: "rg --type-list" }, tmpdir())).stdout).toBe(TYPE_LIST);
});

const TYPES = ["ts", "js", "c", "make", "md", "license", "py", "all", "sh", "cpp", "h", "json", "web", "txt", "man", "bazel"];
const NAMES = [
  ...["a.ts", "b.tsx", "c.js", "d.mjs", "e.c", "f.h", "Makefile", "GNUmakefile", "g.md", "README", "LICENSE", "LICENSE-MIT", "COPYING"],
  ...["h.py", "i.json", ".j.json", ".k.ts", "l.txt", "m.1", "n.sh", ".bashrc", "o", "p.vue", "q.html", "BUILD", "x.BUILD", "é.ts", "a b.c"],
];
const OTHERS = ["", "", "--hidden", "-g '*.ts'", "-g '!*.c'", "-u", "-uu", "--no-ignore"];

const RUNS = extent(60, 300);

test(`${RUNS} choices of files as the module makes them`, { timeout: 30_000 + RUNS * 100 }, async () => {
  const dice = new Dice("rg types");
  const ignored = "m.1\nignored.ts\n!.k.ts\n/d/e.c\n";
  const place = tree([
    ...NAMES.flatMap((name) => [`${name}: x\n`, `d/${name}: x\n`, `.h/${name}: x\n`]),
    `.ignore: ${ignored}`,
    "ignored.ts: x\n",
  ]);
  try {
    for (let run = 0; run < RUNS; run++) {
      const types = Array.from({ length: 1 + dice.below(3) }, () => `${dice.pick(["-t", "-t", "-T"])} ${dice.pick(TYPES)}`);
      const rest = [...types, dice.pick(OTHERS), dice.pick(["", "", "d", ". d", "d/a.ts", ".h"])].join(" ");
      const own = await runOurs({ command: `rg --files ${rest}` }, place.path);
      const module = await runOurs({ command: `rg ${TO_MODULE} --files ${rest}` }, place.path);
      expect(own, rest).toEqual(module);
      const found = await runOurs({ command: `rg -c x ${rest}` }, place.path);
      expect(found, rest).toEqual(await runOurs({ command: `rg ${TO_MODULE} -c x ${rest}` }, place.path));
    }
  } finally {
    place.remove();
  }
});

test("a type that there is none of is the module's", async () => {
  const answer = await runOurs({ command: "rg -t nope x . d" }, tmpdir());
  expect(answer).toMatchObject({ exit: 2, stderr: "rg: unrecognized file type: nope\n" });
  const place = tree(["a: x\n"]);
  const workspace = Workspace.open(place.path);
  const given = (value: string) => [{ key: "type", value, spelling: "-t" }] as unknown as Parameters<typeof ownWalk>[1];
  expect(ownWalk(workspace, given("nope"), [])).toBeUndefined();
  expect(ownWalk(workspace, given("ts"), [])).toBeDefined();
  workspace.close();
  place.remove();
});
