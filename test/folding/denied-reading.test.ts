/** paths.deny_read on a volume that folds names: no spelling of a denied name reaches its bytes, and what is not denied is read. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FoldingServer, VOLUME } from "./folding-server.ts";

const RULES = ["Geheim/ÄÖ.txt", "*.PEM", "/private/", "deep/Er/Secret"];
const NFD = "A\u0308O\u0308.txt";
const { describe, test } = needs(VOLUME);

const LINES = [
  ...["Geheim/ÄÖ.txt", `Geheim/${NFD}`, "geheim/äö.txt", "GEHEIM/ÄÖ.TXT", "gEHEIM/äÖ.tXt", `GEHEIM/${NFD.toUpperCase()}`].map(
    (path) => `cat '${path}'`,
  ),
  ...["Key.pem", "key.PEM", "KEY.pem", "key.pem"].map((path) => `head -c 99 ${path}`),
  ...["private/a/b", "PRIVATE/A/B", "Private/./a//b", "./pRIVATE/A/../a/b"].map((path) => `tail -c 99 ${path}`),
  ...["Deep/er/secret", "deep/ER/secret", "DEEP/Er/SECRET"].map((path) => `sed -n p ${path}`),
  "cat links/one links/two/a/b links/three/secret",
  `(cd geheim && cat äö.txt '${NFD}' ÄÖ.TXT)`,
  "(cd PRIVATE/A && cat b B; cat < B)",
  "(cd links/three && cat SECRET)",
  "(cd links/two && cat A/b)",
  "cat GEHEIM/*; cat geheim/?*.txt; cat [gG]eheim/Ä*; cat */*Ö*",
  "grep -r TOP.*42 . GEHEIM PRIVATE DEEP; grep -r TOP.*42 geheim/äö.txt private/A",
  "grep -rR TOP.*42 LINKS links/THREE",
  "rg -uuu --hidden TOP.*42 . GEHEIM PRIVATE DEEP",
  "rg -uuu --follow TOP.*42 LINKS",
  "find GEHEIM private DEEP -type f -exec cat {} +; find . -iname '*.PEM' -exec cat {} \\;",
  "find -L LINKS -type f | xargs cat",
  "fd -u . GEHEIM -x cat; fd -u . PRIVATE -X cat",
  "sha256sum KEY.PEM PRIVATE/A/B; strings KEY.PEM; base64 -w 0 PRIVATE/A/B | base64 -d; xxd -p KEY.PEM | xxd -r -p",
  "cat .SHELPA/geheim/äö.txt .Shelpa/GEHEIM/ÄÖ.TXT .SHELPA/@/ASIDE/0123; grep -r TOP.*42 .SHELPA",
  "(cd .SHELPA/geheim && cat äö.TXT)",
  "git show HEAD:Key.pem; git show HEAD:Private/a/b; git show HEAD:deep/er/secret; git show HEAD:Geheim/ÄÖ.txt",
  "git grep TOP.*42; git grep TOP.*42 HEAD; git grep --cached TOP.*42; git log -p; git show; git cat-file -p HEAD:Key.pem",
  "git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD; git blame Key.pem; git blame PRIVATE/a/b",
  "awk '{print}' KEY.PEM; awk 'BEGIN { while ((getline l < \"PRIVATE/A/B\") > 0) print l }'",
  "grep -f PRIVATE/a/b pattern; sed 'r KEY.PEM' Public.txt; sort -m KEY.PEM Public.txt; diff KEY.PEM Public.txt",
  "jq -R . KEY.PEM; jq -n --rawfile a PRIVATE/A/B '$a'; while read -r l; do echo $l; done < KEY.PEM; echo $(< KEY.PEM)",
  // These change the tree: they are the last.
  "cp GEHEIM/äö.txt copy && cat copy; cp -r private COPIED && cat copied/A/B; mv KEY.PEM moved; cat moved",
  "undo; cat KEY.PEM; mv Private/a/b b2; undo; cat private/A/b",
];

let places: readonly Tree[];
let server: FoldingServer;
/** One without the rules, which shows that each line would reach the bytes. */
let open: FoldingServer;

function made(): Tree {
  const place = tree([
    "Geheim/ÄÖ.txt: TOPSECRET42",
    "Geheim/open.txt: open\n",
    "Key.pem: TOPSECRET42",
    "Private/a/b: TOPSECRET42",
    "deep/er/secret: TOPSECRET42",
    "links/one => ../GEHEIM/äö.TXT",
    "links/two => ../PRIVATE",
    "links/three => ../DEEP/ER",
    "Public.txt: open\n",
    "pattern: open\n",
    ".shelpa/Geheim/ÄÖ.txt: TOPSECRET42",
    ".shelpa/@/aside/0123: TOPSECRET42",
  ]);
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-C", place.path, "-c", "user.name=t", "-c", "user.email=t@t", ...args], { stdio: "ignore" });
  git("init", "-q");
  git("add", "Geheim", "Key.pem", "Private", "deep", "Public.txt");
  git("commit", "-qm", "all");
  return place;
}

describe("deny_read in every spelling and composition", () => {
  beforeAll(() => {
    const [closed, free] = (places = [made(), made()]);
    server = new FoldingServer(closed?.path ?? "", `[paths]\ndeny_read = ${JSON.stringify(RULES)}\n`);
    open = new FoldingServer(free?.path ?? "");
  });
  afterAll(async () => {
    await server.close();
    await open.close();
    for (const place of places) place.remove();
  });

  for (const line of LINES) {
    test(line, {}, async () => {
      expect((await open.run(line)).text).toContain("TOPSECRET42");
      expect((await server.run(line)).text).not.toContain("TOPSECRET42");
    });
  }

  test("git's objects, which hold its bytes, are closed in every spelling", {}, async () => {
    for (const path of [".GIT/objects/??/*", ".git/OBJECTS/??/*"]) {
      expect((await open.run(`cat ${path} | wc -c`)).text, path).toMatch(/^[1-9]/);
      expect((await server.run(`cat ${path} | wc -c`)).text, path).toMatch(/^0\n.*holds bytes of other files/);
    }
  });

  test("a resource fork is no way in: a file is left by no name below it", {}, async () => {
    for (const path of ["Key.pem/..namedfork/rsrc", "KEY.PEM/..namedfork/data", "Public.txt/..namedfork/rsrc", "Key.pem/.", "KEY.PEM/"]) {
      expect((await server.run(`cat ${path}`)).text, path).toContain(`cat: ${path}: Not a directory`);
      expect((await server.run(`echo x > ${path}`)).text, path).toMatch(/no file that can be written|Not a directory|Is a directory/);
    }
  });

  test("the rest is read, in every spelling", {}, async () => {
    for (const line of ["cat Public.txt", "cat PUBLIC.TXT", "cat geheim/OPEN.txt", "(cd GEHEIM && cat Open.TXT)"]) {
      expect(await server.run(line), line).toEqual({ text: "open\n", isError: false });
    }
  });
});
