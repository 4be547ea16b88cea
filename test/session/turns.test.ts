/** Lines of one session that are sent together: moves keep their order, the rest may overlap. */
import { expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree } from "../tree.ts";

test("lines sent together see the moves before them and no later ones", async () => {
  const place = tree(["a/x:", "b/y:"]);
  const shell = await Shell.open({ root: place.path });
  try {
    const lines = ["cd a", "ls", "cd ../b", "ls", "\\cd ..", "ls"];
    const outcomes = await Promise.all(lines.map((line) => shell.defaultSession.run(line)));
    expect(outcomes.map(({ stdout }) => stdout.toString())).toEqual(["", "x\n", "", "y\n", "", "a\nb\n"]);
  } finally {
    await shell.close();
    place.remove();
  }
});

test("a line with its own cwd waits for nobody", async () => {
  const place = tree(["a/x:"]);
  const shell = await Shell.open({ root: place.path });
  const stop = new AbortController();
  try {
    const endless = shell.defaultSession.run("cd a; yes", { signal: stop.signal, keepBytes: 0 });
    expect((await shell.defaultSession.run("ls", { cwd: "a" })).stdout.toString()).toBe("x\n");
    stop.abort();
    await endless;
  } finally {
    await shell.close();
    place.remove();
  }
});
