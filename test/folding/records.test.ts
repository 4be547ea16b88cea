/** Records on a volume that folds names: a file has one history, under the name that its directory has, whichever spelling it is written by. */
import { chmodSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FoldingServer, ran, VOLUME } from "./folding-server.ts";

const { describe, test } = needs(VOLUME);
const [NFC, NFD] = ["ä", "a\u0308"];

let place: Tree;
let server: FoldingServer;
function begin(): void {
  place = tree(["old.txt: old\n", "Dir/f: f\n", `z${NFC}.txt: a\n`, ".git/config:", ".mcp.json: {}\n"]);
  server = new FoldingServer(place.path, "[paths]\ndeny_write = ['/Closed/', 'KEEP.*']\n");
}
async function end(): Promise<void> {
  await server.close();
  place.remove();
}

/** Output of the lines, without what is said of writes. */
async function outputs(lines: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const line of lines) found.push((await server.run(line)).text.split(/\n*\[shelpa\]/)[0]?.trimEnd() ?? "");
  return found;
}

/** Second word of each line of history: what was done. */
const CHANGES = "| cut -f 3,5";

describe("one file is one", () => {
  beforeEach(begin);
  afterEach(end);

  for (const [name, writes, asks, expected] of [
    [
      "in two cases",
      ["echo 1 | tee NEW", "echo 2 | tee new"],
      `history New ${CHANGES}; ls; cat nEW`,
      "created\tNEW\noverwritten\tNEW\nDir\nNEW\nold.txt\nzä.txt\n2",
    ],
    ["that was there", ["echo 1 | tee OLD.TXT"], `history old.TXT ${CHANGES}; cat old.txt`, "overwritten\told.txt\n1"],
    [
      "below a directory in two cases",
      ["echo 1 | tee DIR/F", "echo 2 | tee -a dir/f"],
      `history Dir/f ${CHANGES}; ls`,
      "overwritten\tDir/f\nappended\tDir/f\nDir\nold.txt\nzä.txt",
    ],
    [
      "in two compositions",
      [`echo 1 | tee z${NFD}.txt`, `echo 2 | tee z${NFC}.txt`],
      `history z${NFD}.TXT ${CHANGES}`,
      "overwritten\tzä.txt\noverwritten\tzä.txt",
    ],
    [
      "that is new, in two compositions",
      [`echo 1 | tee ${NFC}`, `echo 2 | tee ${NFD}`],
      `history ${NFD} ${CHANGES}`,
      "created\tä\noverwritten\tä",
    ],
    ["taken back by another spelling", ["echo 1 | tee OLD.txt", "undo oLD.txt"], "cat old.txt; ls", "old\nDir\nold.txt\nzä.txt"],
    ["removed by another spelling, and had back", ["rm -r DIR", "undo"], "cat Dir/f; ls", "f\nDir\nold.txt\nzä.txt"],
    [
      "whose name is free again in another case",
      ["rm OLD.TXT", "echo 1 | tee Old.txt", "rm old.TXT", "echo 2 | tee old.txt"],
      "ls; cat old.txt",
      "Dir\nold.txt\nzä.txt\n2",
    ],
    [
      "edited in place",
      ["sed -i s/old/new/ OLD.txt", "touch DIR/F", "chmod 600 dir/F"],
      `history old.txt ${CHANGES}; ls Dir`,
      "overwritten\told.txt\nf",
    ],
    ["moved and copied by other spellings", ["mv DIR Other", "cp other/F oTHER/g"], "ls other Other", "Other:\nf\ng\n\nother:\nf\ng"],
    [
      "renamed in two steps",
      ["mv OLD.txt step && mv STEP OLD.txt"],
      `ls; history old.TXT ${CHANGES}`,
      "Dir\nOLD.txt\nzä.txt\ncreated\tOLD.txt",
    ],
  ] as const) {
    test(name, {}, async () => {
      await outputs(writes);
      expect((await outputs([asks]))[0]?.normalize("NFC")).toBe(expected);
      expect(ran("audit", "verify", "--root", place.path).stdout).toMatch(/: 0 errors, 0 warnings\n$/);
    });
  }

  test("undo of a change of case is refused, and says which name is in the way", {}, async () => {
    await outputs(["mv old.txt step && mv step OLD.txt"]);
    expect(await outputs(["undo", "mv OLD.txt away && undo old.txt; cat old.txt away"])).toEqual([
      "CONFLICT: 'old.txt': The name is spelled 'OLD.txt' now; move that away first.",
      "restored old.txt\nold\nold",
    ]);
  });

  test("of two operands that are one file, none is lost", {}, async () => {
    expect(
      await outputs([
        "cp old.txt OLD.TXT; cat old.txt",
        "mv Dir DIR; ls",
        "echo 1 | tee old.txt OLD.txt >/dev/null; cat Old.txt",
        "echo 1 | tee n N; ls",
      ]),
    ).toEqual([
      "old\ncp: 'old.txt' and 'OLD.TXT' are the same file",
      expect.stringContaining("Dir\n"),
      "1",
      expect.stringContaining("CONFLICT: 'N'"),
    ]);
  });
});

describe("protected in every spelling, or locked", () => {
  beforeAll(begin);
  afterAll(end);

  for (const path of [
    ".GIT/config",
    ".Git/hooks/x",
    ".g\u200cit/config",
    ".git\u200d/config",
    ".SHELPA/x",
    ".Shelpa.TOML",
    ".MCP.JSON",
    ".mcp.Json",
    "CLOSED/f",
    "closed/a/b",
    "keep.me",
    "Keep.Ä",
  ]) {
    test(JSON.stringify(path), {}, async () => {
      for (const line of [`echo x | tee '${path}'`, `cp old.txt '${path}'`, `mkdir -p '${path}'`]) {
        expect((await server.run(line)).text, line).toMatch(/PROTECTED_PATH|NEEDS_APPROVAL|PROTECTED/);
      }
      expect(readFileSync(`${place.path}/.mcp.json`, "utf8")).toBe("{}\n");
    });
  }

  test("a file with Finder's lock is left as it is, and said to be", {}, async () => {
    chmodSync(`${place.path}/Dir/f`, 0o1644);
    try {
      for (const line of [
        "echo x | tee Dir/f",
        "echo x | tee -a DIR/F",
        "sed -i s/f/x/ Dir/f",
        "rm dir/f",
        "mv Dir/f g",
        "mv old.txt Dir/f",
        "touch Dir/f",
      ]) {
        expect((await server.run(line)).text, line).toMatch(/Operation not permitted/);
      }
      expect(await outputs(["cat Dir/f old.txt", "find . -name '.shelpa-*'"])).toEqual(["f\nold", "[exit 0: found nothing]"]);
    } finally {
      chmodSync(`${place.path}/Dir/f`, 0o4644);
    }
  });
});
