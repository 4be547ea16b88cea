/** rm, mkdir, rmdir, touch, cp, mv against the tools of this machine: output, status, and the tree afterwards. */
import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";
import { needs } from "../../needs.ts";
import { LINES, OPTIONS, WRITER_LINES } from "./writer-lines.ts";
import { ours, real } from "./against-tools.ts";

needs("bash", "rm").describe("the tree and the messages are those of the real tools", () => {
  for (const [tool, lines] of Object.entries(WRITER_LINES)) {
    describe(tool, () => {
      for (const line of lines) {
        needs("bash").test(line, {}, async () => {
          const expected = real(line, LINES, OPTIONS);
          const { refused, ...changed } = await ours(line, LINES, OPTIONS);
          // Errors of usage are found before anything runs.
          if (/^Try '|invalid mode|more than one source|-delete action/m.test(expected.stderr)) expect(refused).toBeDefined();
          else expect({ refused, ...changed }).toEqual({ refused: undefined, ...expected });
        });
      }
    });
  }
});

for (const [line, refused, after] of [
  ["cp --remove-destination a out", "SYMLINK_ESCAPE", undefined],
  ["mv a out", "SYMLINK_ESCAPE", undefined],
  ["cp -T --remove-destination a out", undefined, "x"],
  ["mv -T a out", undefined, "x"],
] as const) {
  test(`a link out of the workspace may lead to a directory, and is replaced with -T: ${line}`, async () => {
    const place = tree(["a: x", "out => /etc/hosts"]);
    try {
      expect((await runOurs({ command: line }, place.path)).refused).toBe(refused);
      const isLink = lstatSync(`${place.path}/out`).isSymbolicLink();
      expect(isLink ? undefined : readFileSync(`${place.path}/out`, "utf8")).toBe(after);
    } finally {
      place.remove();
    }
  });
}

needs("bash").test("with -a and -d cp tells of the removal of what has other names", {}, async () => {
  const command = "cp -av a b; cp -dv a c; cp -v a d; cp -pv a e";
  const run = (root: string, lines: string) => execFileSync("bash", ["-c", lines], { cwd: root }).toString();
  const links = "ln x b; ln x c; ln x d; ln x e";
  const [own, its] = [tree(["a: 1", "x: 2"]), tree(["a: 1", "x: 2"])];
  try {
    for (const { path } of [own, its]) run(path, links);
    expect((await runOurs({ command }, own.path)).stdout).toBe(run(its.path, command));
    expect(readFileSync(`${own.path}/x`, "utf8")).toBe("2");
  } finally {
    own.remove();
    its.remove();
  }
});

test("touch of one of two names of a file leaves the time of the other", async () => {
  const place = tree(["a: x"], { modes: { a: 0o640 } });
  try {
    linkSync(`${place.path}/a`, `${place.path}/b`);
    const times = (): readonly number[] => ["a", "b"].map((name) => lstatSync(`${place.path}/${name}`).mtimeMs);
    const before = times();
    expect((await runOurs({ command: "touch -d @1000000000 a" }, place.path)).exit).toBe(0);
    expect(times()).toEqual([1e12, before[1]]);
    expect([readFileSync(`${place.path}/a`, "utf8"), lstatSync(`${place.path}/a`).mode & 0o777]).toEqual(["x", 0o640]);
    expect((await runOurs({ command: "undo a" }, place.path)).stdout).toBe("restored a\n");
    expect(times().map(Math.floor)).toEqual(before.map(Math.floor));
  } finally {
    place.remove();
  }
});

for (const line of ["mv a b", "mv -f a b", "mv -u a d/c"]) {
  test(`of two names of one file none goes: ${line}`, async () => {
    const place = tree(["a: x", "d/"]);
    try {
      for (const name of ["b", "d/c"]) linkSync(`${place.path}/a`, `${place.path}/${name}`);
      const [, from, to] = /(\S+) (\S+)$/.exec(line) ?? [];
      const stderr = `mv: '${from}' and '${to}' are the same file\n`;
      expect(await runOurs({ command: line }, place.path)).toMatchObject({ stderr, exit: 1 });
      expect(readdirSync(place.path)).toEqual(["a", "b", "d"]);
    } finally {
      place.remove();
    }
  });
}
