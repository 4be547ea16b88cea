/** A host as macOS is, on a folding volume: /private behind its links, temporary files, and no descriptors to hand over. */
import { mkdirSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FoldingServer, VOLUME } from "./folding-server.ts";

const { describe, test } = needs(VOLUME);

let place: Tree;
let server: FoldingServer;

describe("a root and a directory for temporary files behind links, as /tmp and /var are behind /private", () => {
  beforeAll(() => {
    place = tree(["private/var/project/f: x\n", "private/var/project/Sub/g: y\n", "private/var/secret: outside\n", "private/var/T/"]);
    symlinkSync("private/var", `${place.path}/var`);
    mkdirSync(`${place.path}/docs`);
    server = new FoldingServer(`${place.path}/var/project`, '[limits]\nheld = "1 MiB"\n', { TMPDIR: `${place.path}/var/T` });
  });
  afterAll(async () => {
    await server.close();
    place.remove();
  });

  for (const [line, expected] of [
    ["pwd", "PLACE/var/project"],
    ["cat PLACE/var/project/f", "x"],
    ["cat PLACE/private/var/project/f", "x"],
    ["(cd PLACE/private/var/project/sub && cat G)", "y"],
    ["cat PLACE/private/var/project/../secret", "PATH_ESCAPE: 'PLACE/private/var/project/../secret' is outside the workspace"],
    ["cat PLACE/var/secret", "PATH_ESCAPE: 'PLACE/var/secret' is outside the workspace"],
    ["echo x > /tmp/y && cat /tmp/y && ls /tmp", "x\ny"],
    ["seq 400000 | sort -rn | head -n 2", "400000\n399999"],
    ["echo z | tee SUB/new > /dev/null && cat sub/NEW", "z"],
  ] as const) {
    test(line, {}, async () => {
      const { text } = await server.run(line.replaceAll("PLACE", place.path));
      // Without the rest of a refusal, and without what is said of a write.
      expect(
        text
          .split(/, whose root|\n\n\[shelpa\]/)[0]
          ?.trimEnd()
          .replaceAll(place.path, "PLACE"),
      ).toBe(expected);
    });
  }
});
