/** A file is known by the name that its directory lists, on a volume that answers to others: short ones, with dots at the end, in part of all cases. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FAT_VOLUME, FoldingServer, ran } from "./folding-server.ts";

const { describe, test } = needs(FAT_VOLUME, "git");
/** Of more than 255 bytes where its small letters are capitals, as some letters' are. */
const LONG = `${"ɐ".repeat(123)}.KEY`;

const ENTRIES = [
  "credentials.json: TOPSECRET42",
  "secrets-of-mine/key.pem: TOPSECRET42",
  "topsecret.key: TOPSECRET42",
  "secrets/key.pem: TOPSECRET42",
  "ordinary-text.txt: open\n",
  "𐐀.KEY: open\n",
  `${LONG}: open\n`,
  "link => CREDEN~1.JSO",
  "links/one => ../SECRET~1/key.pem",
  "package-lock.json: {}\n",
  ".mcp.json: {}\n",
];
const POLICY = `[paths]
deny_read = ["secrets-of-mine/", "credentials.json", "secrets/", "*.key"]
deny_write = ["package-lock.json", "closed-directory/"]
`;

/** Each reaches the bytes where there is no rule. */
const READS = [
  "cat CREDEN~1.JSO",
  "cat creden~1.jso link links/one",
  "cat 'credentials.json.' 'credentials.json. . '",
  "cat SECRET~1/key.pem; cat secrets-of-mine./key.pem; cat 'secrets-of-mine /KEY.PEM.'",
  "(cd SECRET~1 && cat key.pem)",
  "head -c 99 < CREDEN~1.JSO; echo $(< CREDEN~1.JSO)",
  "grep TOP CREDEN~1.JSO; grep -r TOP SECRET~1; grep -rR TOP links secrets-of-mine.",
  "rg -uuu TOP CREDEN~1.JSO; rg -uuu TOP SECRET~1 secrets-of-mine.; rg -uuu --follow TOP links",
  "find SECRET~1 -type f -exec cat {} +; find CREDEN~1.JSO | xargs cat",
  "jq -R . CREDEN~1.JSO; jq -R . ./secrets-of-mine./key.pem; sed -n p SECRET~1/key.pem; awk 1 CREDEN~1.JSO",
  "base64 -w 0 CREDEN~1.JSO | base64 -d; diff CREDEN~1.JSO ordinary-text.txt; git hash-object CREDEN~1.JSO; sort CREDEN~1.JSO",
  "cat TOPSECRET.KEY TOPSEC~1.KEY; cat SECRETS/key.pem",
  "cp CREDEN~1.JSO copied; cat copied",
  "cp -r SECRET~1 copies; cat copies/key.pem",
  "mv CREDEN~1.JSO moved; cat moved",
];

describe("deny_read by names that are not listed", () => {
  let places: readonly Tree[];
  let server: FoldingServer;
  let open: FoldingServer;
  beforeAll(() => {
    const [closed, free] = (places = [tree(ENTRIES), tree(ENTRIES)]);
    server = new FoldingServer(closed?.path ?? "", POLICY);
    open = new FoldingServer(free?.path ?? "");
  });
  afterAll(async () => {
    await server.close();
    await open.close();
    for (const place of places) place.remove();
  });

  for (const line of READS) {
    test(line, {}, async () => {
      expect((await open.run(line)).text).toContain("TOPSECRET42");
      expect((await server.run(line)).text).not.toContain("TOPSECRET42");
    });
  }

  test("the rest is read by every name", {}, async () => {
    for (const name of ["ordinary-text.txt", "ORDINA~1.TXT", "Ordinary-Text.TXT.", "'ordinary-text.txt .'"]) {
      expect(await server.run(`cat ${name}`), name).toEqual({ text: "open\n", isError: false });
    }
  });
});

describe("deny_read by names that an index holds, which need not be listed", () => {
  let places: readonly Tree[];
  let server: FoldingServer;
  let open: FoldingServer;
  beforeAll(() => {
    const [closed, free] = (places = [withIndex(), withIndex()]);
    server = new FoldingServer(closed?.path ?? "", POLICY);
    open = new FoldingServer(free?.path ?? "");
  });
  afterAll(async () => {
    await server.close();
    await open.close();
    for (const place of places) place.remove();
  });

  for (const line of ["git diff", "git diff -- SECRET~1", "git grep TOP", "git grep TOP -- CREDEN~1.JSO", "git diff --word-diff"]) {
    test(line, {}, async () => {
      expect((await open.run(line)).text).toContain("TOPSECRET42");
      expect((await server.run(line)).text).not.toContain("TOPSECRET42");
    });
  }
});

test("deny_read by names of an index, where the volume is mounted below a root of another kind", {}, async () => {
  const volume = tree(ENTRIES);
  const root = mkdtempSync("/var/tmp/shelpa-mounted-");
  mkdirSync(`${root}/mounted`);
  makeIndex(root, ["mounted/CREDEN~1.JSO", "mounted/ORDINA~1.TXT"]);
  execFileSync("mount", ["--bind", volume.path, `${root}/mounted`]);
  try {
    const server = new FoldingServer(root, POLICY);
    const { text } = await server.run("git grep -e open -- mounted/ORDINA~1.TXT; git grep TOP; git grep TOP -- mounted/CREDEN~1.JSO");
    await server.close();
    expect(text).toContain("mounted/ORDINA~1.TXT:open\n");
    expect(text).not.toContain("TOPSECRET42");
  } finally {
    execFileSync("umount", [`${root}/mounted`]);
    for (const path of [root, `${root}.toml`]) rmSync(path, { recursive: true });
    volume.remove();
  }
});

function withIndex(): Tree {
  const place = tree(ENTRIES);
  makeIndex(place.path, ["CREDEN~1.JSO", "SECRET~1/key.pem", "ORDINA~1.TXT"]);
  return place;
}

/** Makes a repository whose index knows files by these names, with a content of its own. */
function makeIndex(root: string, names: readonly string[]): void {
  const git = (...args: readonly string[]): string => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
  git("init", "-q");
  const blob = execFileSync("git", ["-C", root, "hash-object", "-w", "--stdin"], { encoding: "utf8", input: "x\n" }).trim();
  for (const name of names) git("update-index", "--add", "--cacheinfo", "100644", blob, name);
}

describe("a name in letters that the volume keeps apart tells nothing of the others'", () => {
  for (const [what, name] of [
    ["not in the table", "𐐀.KEY"],
    ["too long in the other case", LONG],
  ] as const) {
    test(what, {}, async () => {
      const place = tree(ENTRIES);
      const server = new FoldingServer(place.path, POLICY);
      // The first that the directory is asked of is this name: what is written would be looked up beforehand.
      const { text } = await server.run(`cat ${name} TOPSECRET.KEY SECRETS/KEY.PEM`);
      await server.run("echo x | tee PACKAGE-LOCK.JSON");
      await server.close();
      expect(text).not.toContain("TOPSECRET42");
      expect(readFileSync(`${place.path}/package-lock.json`, "utf8")).toBe("{}\n");
      place.remove();
    });
  }
});

describe("changes by names that are not listed", () => {
  let place: Tree;
  let server: FoldingServer;
  beforeEach(() => {
    place = tree(ENTRIES);
    server = new FoldingServer(place.path, POLICY);
  });
  afterEach(async () => {
    await server.close();
    place.remove();
  });

  test("no protected file is changed", {}, async () => {
    await server.run("echo v1 | tee ok.txt");
    for (const name of [
      "MCP~1.JSO",
      "'.mcp.json.'",
      "'.mcp.json '",
      "PACKAG~1.JSO",
      "'package-lock.json.'",
      "SHELPA~1.TOM",
      "'.shelpa.toml.'",
      "SHELPA~1/@/x",
      "'.shelpa./x'",
      "'closed-directory./x'",
      "'closed-directory /x'",
    ]) {
      for (const line of [`echo x | tee ${name}`, `cp ordinary-text.txt ${name}`, `mv ok.txt ${name}`, `sed -i s/./x/ ${name}`]) {
        const { text } = await server.run(line);
        expect(text, line).toMatch(/PROTECTED|NEEDS_APPROVAL|Invalid argument|No such file/);
      }
    }
    for (const [name, content] of [
      [".mcp.json", "{}\n"],
      ["package-lock.json", "{}\n"],
      ["ok.txt", "v1\n"],
    ] as const) {
      expect(readFileSync(`${place.path}/${name}`, "utf8"), name).toBe(content);
    }
    for (const name of [".shelpa.toml", ".shelpa/x", ".shelpa/@/x", "closed-directory"])
      expect(existsSync(`${place.path}/${name}`), name).toBe(false);
  });

  test("a file has one history", {}, async () => {
    await server.run("echo 1 | tee ORDINA~1.TXT");
    await server.run("echo 2 | tee 'ordinary-text.txt.'");
    await server.run("cat 𐐀.KEY; echo 3 | tee Ordinary-Text.TXT");
    const changes = "overwritten\tordinary-text.txt\n".repeat(3);
    for (const name of ["ordinary-text.txt", "ORDINA~1.TXT", "'ordinary-text.txt .'"]) {
      expect((await server.run(`history ${name} | cut -f 3,5`)).text.split("\n[shelpa]")[0], name).toBe(changes);
    }
    await server.run("undo ORDINA~1.TXT");
    expect((await server.run("cat ordinary-text.txt")).text).toBe("2\n");
    expect(ran("audit", "verify", "--root", place.path).stdout).toMatch(/: 0 errors, 0 warnings\n$/);
  });

  test("no new file has a name that the volume would store as another", {}, async () => {
    for (const name of ["'new.'", "'new '", "NEWNAM~1.TXT", "'dir./x'", "DIRECT~1/x"]) {
      expect((await server.run(`echo x | tee ${name}`)).text, name).toMatch(
        /Invalid argument: names of files that end in a dot or a blank/,
      );
    }
    expect(readdirSync(place.path)).not.toContain("new");
    expect((await server.run("echo x | tee new~name.txt 'a . b'")).isError).toBe(false);
  });
});
