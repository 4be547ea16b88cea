/** rm, mkdir, rmdir, touch, cp, mv against the tools of this machine: output, status, and the tree afterwards. */
import { linkSync, readdirSync } from "node:fs";
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
