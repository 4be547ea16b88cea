/** Resident memory of a line, watched from outside by /proc and without it by a thread of the executor: one answer in both. */
import { afterAll, beforeAll, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FoldingServer, VOLUME } from "./folding-server.ts";

const { describe, test } = needs(VOLUME);

let place: Tree;
let server: FoldingServer;

describe("a line that needs more memory than it may", () => {
  beforeAll(() => {
    place = tree(["f: x\n"]);
    server = new FoldingServer(place.path, '[limits]\nmemory = "128 MiB"\nheld = "2 GiB"\n');
  });
  afterAll(async () => {
    await server.close();
    place.remove();
  });

  for (const line of ["seq 100000000 | shuf | tail -n 1", "yes | head -c 900M | tac | wc -c", "seq 100000000 | sort -r | tail -n 1"]) {
    test(line, {}, async () => {
      const stopped = { text: expect.stringContaining("LIMIT_MEMORY: stopped: more memory than 128 MiB was needed"), isError: true };
      expect(await server.run(line)).toEqual(stopped);
      expect(await server.run("cat f")).toEqual({ text: "x\n", isError: false });
    });
  }
});
