/** rm, mkdir, rmdir, touch, cp, mv against the tools of this machine: output, status, and the tree afterwards. */
import { describe, expect } from "vitest";
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
