/** The mark of colours reaches the commands whose output is the terminal's, and no others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell;
beforeAll(async () => {
  place = tree(["d/", "f: one\n"]);
  shell = await Shell.open({ root: place.path, isolation: "none" });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

const LISTED = "\u001b[KEY0m\u001b[KEY01;34md\u001b[KEY0m\n";
const FOUND = "\u001b[KEY01;31mone\u001b[KEYm\n";

test.each([
  ["ls -d d", LISTED],
  ["ls --color=auto -d d", LISTED],
  ["ls --color=never -d d", "d\n"],
  ["ls --color=always -d d", "\u001b[0m\u001b[01;34md\u001b[0m\n"],
  ["grep one f", FOUND],
  ["grep --color one f", FOUND],
  ["grep --color=always one f", "\u001b[01;31m\u001b[Kone\u001b[m\u001b[K\n"],
  ["cat f | grep one", FOUND],
  ["grep one f | cat", "one\n"],
  ["echo $(grep one f)", "one\n"],
  ["x=`ls -d d`; echo $x", "d\n"],
  ["cat <(grep one f)", "one\n"],
  ["{ grep one f; } | cat", "one\n"],
  ["{ grep one f; }", FOUND],
  ["for i in 1; do grep one f; done", FOUND],
  ["if true; then grep one f; fi | cat", "one\n"],
  ["grep one f > /dev/null", ""],
  ["f() { grep one f; }; f", FOUND],
  ["f() { grep one f; }; f | cat", "one\n"],
  ["echo f | xargs grep one", FOUND],
  ["grep one f | tee $TMPDIR/kept > /dev/null; cat $TMPDIR/kept", "one\n"],
  ["grep one f > $TMPDIR/kept; cat $TMPDIR/kept", "one\n"],
])("%s", async (line, expected) => {
  const { stdout, stderr } = await shell.defaultSession.serve(line, { colourMark: "KEY" });
  expect([stdout.toString(), stderr.toString()]).toEqual([expected, ""]);
});

/** As GNU diff 3.8 has them with --color=always. */
test.each([
  ["diff x y", "\u001b[KEY36m2c2\u001b[KEY0m\n\u001b[KEY31m< b\u001b[KEY0m\n---\n\u001b[KEY32m> -- B\u001b[KEY0m\n"],
  [
    "diff -U1 --label x --label y y x",
    "\u001b[KEY1m--- x\u001b[KEY0m\n\u001b[KEY1m+++ y\u001b[KEY0m\n\u001b[KEY36m@@ -1,3 +1,3 @@\u001b[KEY0m\n" +
      " a\n\u001b[KEY31m--- B\u001b[KEY0m\n\u001b[KEY32m+b\u001b[KEY0m\n c\n",
  ],
  ["diff --color=never x y", "2c2\n< b\n---\n> -- B\n"],
  ["diff x y | cat", "2c2\n< b\n---\n> -- B\n"],
])("%s", async (line, expected) => {
  const own = tree(["x: a\nb\nc\n", "y: a\n-- B\nc\n"]);
  const compared = await Shell.open({ root: own.path, isolation: "none" });
  try {
    const { result, stdout } = await compared.defaultSession.serve(line, { colourMark: "KEY" });
    expect(stdout.toString()).toBe(expected);
    expect(result).toMatchObject({ kind: "completed", exit: line.endsWith("cat") ? 0 : 1 });
  } finally {
    await compared.close();
    own.remove();
  }
});

test("without a mark nothing has colours", async () => {
  const { stdout } = await shell.defaultSession.run("grep --color one f; ls --color=auto -d d");
  expect(stdout.toString()).toBe("one\nd\n");
});
