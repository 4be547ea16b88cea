/**
 * Repositories made to run something, to lead outside, or to make git read without end. Every line is answered within its
 * limits and the next call is served; nothing is started, and nothing outside the workspace is shown. Through an executor
 * process, as the MCP server runs lines.
 */
import { deflateSync } from "node:zlib";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { GRACE_MS, HOSTILE_MS, LIMIT_MS } from "./answered.ts";
import { backTo, delta, header, HostileRepository, idOf, indexFile, packOf, treeData, whole, type PackEntry } from "./git-objects.ts";

const RESIDENT_BYTES = 512 << 20;
const ID = "0123456789".repeat(4);
const OTHER = "abcdef0123".repeat(4);
const SECRET = "what lies outside";
/** A file that only a program could make. */
const RAN = "it-ran";

interface Case {
  readonly name: string;
  readonly make: (repository: HostileRepository, outside: string) => void;
  /** Without `git`. */
  readonly lines: readonly string[];
}

const LISTS = ["status -s", "log --oneline -n 3", "diff --stat", "ls-files", "branch -a", "show --stat", "log -p -n 2"];
const blob = Buffer.from("one\ntwo\n");

/** One commit with one file `a.txt`, and a change to it in the working tree. */
function plain(repository: HostileRepository): string {
  const tree = repository.object("tree", treeData([["100644", "a.txt", repository.object("blob", blob)]]));
  repository.file("a.txt", "one\nthree\n");
  repository.file(".git/index", indexFile(["a.txt"], idOf("blob", blob)));
  return repository.commit(tree);
}

const RUN = `touch ${RAN}; cat`;
const ESCAPES: readonly Case[] = [
  {
    name: "a configuration that names programs everywhere",
    make: (repository) => {
      plain(repository);
      const keys = "fsmonitor pager editor sshCommand askPass gitProxy alternateRefsCommand".split(" ");
      repository.file(
        ".git/config",
        `[core]\n${keys.map((key) => `\t${key} = ${RUN}\n`).join("")}\thooksPath = hooks\n\trepositoryformatversion = 0\n` +
          `[diff]\n\texternal = ${RUN}\n[diff "x"]\n\ttextconv = ${RUN}\n\tcommand = ${RUN}\n\tcachetextconv = true\n` +
          `[filter "x"]\n\tclean = ${RUN}\n\tsmudge = ${RUN}\n\tprocess = ${RUN}\n\trequired = true\n[merge "x"]\n\tdriver = ${RUN}\n` +
          `[alias]\n\tst = !${RUN}\n\tlg = log\n\tstatus = !${RUN}\n[pager]\n\tlog = ${RUN}\n\tdiff = ${RUN}\n[gpg]\n\tprogram = ${RUN}\n` +
          `[credential]\n\thelper = !${RUN}\n[sequence]\n\teditor = ${RUN}\n[interactive]\n\tdiffFilter = ${RUN}\n[log]\n\tshowSignature = true\n` +
          `[remote "origin"]\n\turl = ext::sh -c ${RUN}\n\tuploadpack = ${RUN}\n\tvcs = x\n[submodule "s"]\n\tupdate = !${RUN}\n\turl = .\n\tpath = s\n`,
      );
      repository.file(".gitattributes", "* diff=x filter=x merge=x ident text=auto eol=crlf\n");
      for (const name of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-commit"]) {
        repository.file(`hooks/${name}`, `#!/bin/sh\n${RUN}\n`);
        repository.file(`.git/hooks/${name}`, `#!/bin/sh\n${RUN}\n`);
      }
    },
    lines: [
      ...LISTS,
      "diff",
      "st",
      "lg",
      "remote -v",
      "config --list",
      "diff --textconv",
      "show --ext-diff",
      "log --show-signature",
      "cat-file --textconv HEAD:a.txt",
    ],
  },
  {
    name: "configuration that leads outside",
    make: (repository, outside) => {
      plain(repository);
      repository.file(
        ".git/config",
        `[include]\n\tpath = ${outside}/config\n\tpath = ../../../outside/config\n[includeIf "gitdir:/"]\n\tpath = ${outside}/config\n` +
          `[core]\n\tworktree = ${outside}\n\texcludesFile = ${outside}/secret\n\tattributesFile = ${outside}/secret\n[mailmap]\n\tfile = ${outside}/secret\n\tblob = HEAD:a.txt\n[commit]\n\ttemplate = ${outside}/secret\n`,
      );
    },
    lines: [...LISTS, "config --list", "config --get secret.word", "shortlog -sn HEAD"],
  },
  {
    name: "alternates outside",
    make: (repository, outside) => {
      plain(repository);
      repository.file(".git/objects/info/alternates", `${outside}/repository/.git/objects\n../../../../outside\n`);
    },
    lines: LISTS,
  },
  {
    name: "alternates in a circle",
    make: (repository) => {
      plain(repository);
      repository.file(".git/objects/info/alternates", ".\n./\n../objects\n".repeat(50));
    },
    lines: LISTS,
  },
  {
    name: "a .git that is a file, and leads outside",
    make: (repository, outside) => {
      rmSync(`${repository.path}/.git`, { recursive: true });
      repository.file(".git", `gitdir: ${outside}/repository/.git\n`);
    },
    lines: LISTS,
  },
  {
    name: "a .git that is a link outside",
    make: (repository, outside) => {
      rmSync(`${repository.path}/.git`, { recursive: true });
      symlinkSync(`${outside}/repository/.git`, `${repository.path}/.git`);
    },
    lines: LISTS,
  },
  {
    name: "a common directory outside",
    make: (repository, outside) => {
      plain(repository);
      repository.file(".git/commondir", `${outside}/repository/.git\n`);
    },
    lines: LISTS,
  },
  {
    name: "parts of .git that are links outside",
    make: (repository, outside) => {
      plain(repository);
      for (const [name, target] of [
        ["packed-refs", "secret"],
        ["index", "repository/.git/index"],
        ["refs/heads/other", "secret"],
        ["refs/tags", "repository/.git/refs"],
        ["info/exclude", "secret"],
        ["logs", "repository/.git"],
        ["shallow", "secret"],
      ] as const) {
        rmSync(`${repository.path}/.git/${name}`, { force: true });
        symlinkSync(`${outside}/${target}`, `${repository.path}/.git/${name}`);
      }
      symlinkSync(`${outside}/secret`, `${repository.path}/.gitignore`);
      symlinkSync(`${outside}/secret`, `${repository.path}/.gitattributes`);
    },
    lines: [...LISTS, "reflog", "tag", "show-ref", "cat-file -p other"],
  },
  {
    name: "objects behind a link outside",
    make: (repository, outside) => {
      const id = plain(repository);
      rmSync(`${repository.path}/.git/objects`, { recursive: true });
      symlinkSync(`${outside}/repository/.git/objects`, `${repository.path}/.git/objects`);
      repository.file(".git/refs/heads/main", `${id}\n`);
    },
    lines: LISTS,
  },
  {
    name: "a submodule and a worktree outside",
    make: (repository, outside) => {
      plain(repository);
      repository.file("sub/.git", `gitdir: ${outside}/repository/.git\n`);
      repository.file(".gitmodules", `[submodule "sub"]\n\tpath = sub\n\turl = ${outside}/repository\n`);
      repository.file(".git/worktrees/w/gitdir", `${outside}/repository/.git\n`);
      repository.file(".git/worktrees/w/commondir", `${outside}/repository/.git\n`);
      repository.file(".git/worktrees/w/HEAD", "ref: refs/heads/main\n");
      const index = indexFile(["a.txt", "sub"], idOf("blob", blob));
      index.writeUInt32BE(0o160000, 12 + 72 + 24);
      repository.file(".git/index", index);
    },
    lines: [...LISTS, "-C sub status", "-C sub log", "diff --submodule=log", "worktree list"],
  },
  {
    name: "names in the index that lead outside",
    make: (repository) => {
      plain(repository);
      const names = [
        "../../outside/secret",
        "../../../../../../etc/passwd",
        "..",
        "./a.txt",
        "/etc/passwd",
        ".git/config",
        "a.txt/",
        "a//b",
        "",
      ];
      repository.file(".git/index", indexFile(names, idOf("blob", blob)));
    },
    lines: [...LISTS, "diff", "diff HEAD", "ls-files -s", "ls-files -m", "diff -- ../../outside/secret"],
  },
  {
    name: "names in a tree that lead outside",
    make: (repository) => {
      const id = repository.object("blob", blob);
      const inner = repository.object("tree", treeData([["100644", "passwd", id]]));
      const names: [string, string, string][] = ["..", ".git", ".", "/etc/passwd", "a/b", "", "a\nb", "..\\x"].map((name) => [
        "100644",
        name,
        id,
      ]);
      const root = repository.object(
        "tree",
        treeData([...names, ["40000", "..", inner], ["40000", ".git", inner], ["120000", "link", id]]),
      );
      repository.commit(root, [repository.commit(inner)]);
    },
    lines: [
      ...LISTS,
      "diff HEAD",
      "diff HEAD~1 HEAD",
      "ls-tree -r HEAD",
      "show HEAD:../passwd",
      "show 'HEAD:..'",
      "show HEAD:/etc/passwd",
      "diff HEAD -- ..",
    ],
  },
  {
    name: "references that lead outside",
    make: (repository, outside) => {
      plain(repository);
      repository.file(".git/HEAD", `ref: ../../../outside/secret\n`);
      repository.file(".git/refs/heads/x", `ref: ${outside}/secret\n`);
      repository.file(".git/refs/remotes/origin/HEAD", "ref: refs/../../../../outside/secret\n");
    },
    lines: [
      ...LISTS,
      "rev-parse HEAD",
      "rev-parse x origin/HEAD",
      "show ../../../outside/secret",
      "rev-parse ../../outside/secret",
      "log -g",
      "branch -vv",
    ],
  },
];

/** A chain of `depth` deltas on one blob, each naming the one before by its distance, or by its id. */
function chain(depth: number, kind: "ofs" | "ref"): { entries: PackEntry[]; last: string } {
  const entries = [whole("blob", blob)];
  let text = blob;
  for (let number = 0; number < depth; number++) {
    const before = entries.at(-1) as PackEntry;
    const added = Buffer.from(String.fromCharCode(97 + (number % 26)));
    const data = delta(text.length, added);
    text = Buffer.concat([text, added]);
    const base = kind === "ofs" ? backTo(before.bytes.length) : Buffer.from(before.id, "hex");
    entries.push({ id: idOf("blob", text), bytes: Buffer.concat([header(kind, data.length), base, deflateSync(data)]) });
  }
  return { entries, last: (entries.at(-1) as PackEntry).id };
}

const asked = (id: string): readonly string[] => [
  `cat-file -p ${id} | tail -c 20`,
  `cat-file -t ${id}`,
  `show ${id} | head -c 100`,
  "log -n 1",
];
/** One entry of a pack that is asked for by ID. */
const packed = (name: string, bytes: Buffer): Case => ({
  name,
  make: (repository) => repository.pack([{ id: ID, bytes }]),
  lines: asked(ID),
});

function withWord(bytes: Buffer, at: number, word: number): Buffer {
  bytes.writeUInt32BE(word, at);
  return bytes;
}

const DAMAGED: readonly Case[] = [
  packed("a pack of rubbish", Buffer.from("\x33rubbish", "latin1")),
  packed("a type that is none", Buffer.from([0x55, 1, 2, 3])),
  packed("a delta that is its own base by its id", Buffer.concat([header("ref", 3), Buffer.from(ID, "hex"), deflateSync("abc")])),
  packed("a delta without a distance", Buffer.concat([header("ofs", 3), Buffer.from([0]), deflateSync("abc")])),
  packed("a delta on what lies before the pack", Buffer.concat([header("ofs", 3), backTo(1e9), deflateSync("abc")])),
  packed("a delta on an object that is not there", Buffer.concat([header("ref", 3), Buffer.from(OTHER, "hex"), deflateSync("abc")])),
  packed("a size of 2 ** 50", Buffer.concat([header("blob", 2 ** 50), deflateSync("abc")])),
  packed("a size of a gigabyte that holds three bytes", Buffer.concat([header("blob", 2 ** 30), deflateSync("abc")])),
  packed("three bytes that hold 256 megabytes", Buffer.concat([header("blob", 3), deflateSync(Buffer.alloc(256 << 20))])),
  packed("a header without an end", Buffer.alloc(4096, 0xff)),
  {
    name: "deltas that are each other's bases",
    make: (repository) =>
      repository.pack([
        { id: ID, bytes: Buffer.concat([header("ref", 3), Buffer.from(OTHER, "hex"), deflateSync("abc")]) },
        { id: OTHER, bytes: Buffer.concat([header("ref", 3), Buffer.from(ID, "hex"), deflateSync("abc")]) },
      ]),
    lines: asked(ID),
  },
  {
    name: "deltas in two packs that are each other's bases",
    make: (repository) => {
      repository.pack([{ id: ID, bytes: Buffer.concat([header("ref", 3), Buffer.from(OTHER, "hex"), deflateSync("abc")]) }], "1");
      repository.pack([{ id: OTHER, bytes: Buffer.concat([header("ref", 3), Buffer.from(ID, "hex"), deflateSync("abc")]) }], "2");
    },
    lines: asked(ID),
  },
  {
    name: "a delta that copies past its base, and one that makes a gigabyte",
    make: (repository) => {
      const past = Buffer.from([8, 8, 0xff, 255, 255, 255, 255, 255, 255, 255]);
      const large = Buffer.from([8, ...[0x80, 0x80, 0x80, 0x80, 0x04], 0x90, 8]);
      const base = whole("blob", blob);
      repository.pack([
        base,
        { id: ID, bytes: Buffer.concat([header("ref", past.length), Buffer.from(base.id, "hex"), deflateSync(past)]) },
        { id: OTHER, bytes: Buffer.concat([header("ref", large.length), Buffer.from(base.id, "hex"), deflateSync(large)]) },
      ]);
    },
    lines: [...asked(ID), ...asked(OTHER)],
  },
  {
    name: "a pack that ends early",
    make: (repository) => {
      const { pack, index } = packOf([whole("blob", Buffer.alloc(100_000, "abc"))]);
      repository.file(".git/objects/pack/pack-1.pack", pack.subarray(0, 60));
      repository.file(".git/objects/pack/pack-1.idx", index);
    },
    lines: asked(idOf("blob", Buffer.alloc(100_000, "abc"))),
  },
  ...(
    [
      ["ends early", (index: Buffer) => index.subarray(0, 1040)],
      ["has a wrong fan-out", (index: Buffer) => withWord(index, 8 + 40, 0xfffffff0)],
      ["counts four thousand million objects", (index: Buffer) => index.fill(0xff, 8, 1032)],
      ["points past the end", (index: Buffer) => withWord(index, 1032 + 24, 0x7fffffff)],
      ["points past the end in 64 bits", (index: Buffer) => withWord(index, 1032 + 24, 0xffffffff)],
      ["is of another version", (index: Buffer) => withWord(index, 4, 9)],
      ["is empty", () => Buffer.alloc(0)],
    ] as const
  ).map(
    ([what, damaged]): Case => ({
      name: `an index of a pack that ${what}`,
      make: (repository) => {
        const { pack, index } = packOf([{ id: ID, bytes: whole("blob", blob).bytes }]);
        repository.file(".git/objects/pack/pack-1.pack", pack);
        repository.file(".git/objects/pack/pack-1.idx", damaged(index));
      },
      lines: [...asked(ID), "rev-parse 0123", "log --all"],
    }),
  ),
  {
    name: "loose objects that are bombs or rubbish",
    make: (repository) => {
      const bomb = deflateSync(Buffer.concat([Buffer.from(`blob ${256 << 20}\0`), Buffer.alloc(256 << 20)]));
      repository.file(`.git/objects/01/${ID.slice(2)}`, bomb);
      repository.file(`.git/objects/ab/${OTHER.slice(2)}`, deflateSync(`blob 99999999999999999999\0x`));
      repository.file(`.git/objects/ab/${"0".repeat(38)}`, deflateSync("nonsense"));
      repository.file(`.git/objects/ab/${"1".repeat(38)}`, "");
    },
    lines: [...asked(ID), ...asked(OTHER), `cat-file -p ab${"0".repeat(38)}`, `cat-file -p ab${"1".repeat(38)}`],
  },
];

/** 5,000 trees, each in the one before. */
function deepTree(repository: HostileRepository, depth: number): string {
  const entries = [whole("blob", blob)];
  let last: readonly [string, string, string] = ["100644", "f", (entries[0] as PackEntry).id];
  for (let level = 0; level < depth; level++) {
    const entry = whole("tree", treeData([last]));
    entries.push(entry);
    last = ["40000", "d", entry.id];
  }
  repository.pack(entries);
  return last[2];
}

const LARGE: readonly Case[] = [
  ...(["ofs", "ref"] as const).map((kind): Case => {
    const { entries, last } = chain(10_000, kind);
    return { name: `a chain of 10,000 deltas (${kind})`, make: (repository) => repository.pack(entries), lines: asked(last) };
  }),
  {
    name: "trees 5,000 deep",
    make: (repository) => void repository.commit(deepTree(repository, 5000)),
    lines: [...LISTS, "ls-tree -r HEAD | tail -c 50", "diff HEAD", `show HEAD:${"d/".repeat(300)}`, "log --oneline -- d/d/d"],
  },
  {
    name: "an index that claims four thousand million entries",
    make: (repository) => {
      plain(repository);
      repository.file(".git/index", indexFile(["a.txt"], idOf("blob", blob), 0xffffffff));
    },
    lines: LISTS,
  },
  {
    name: "an index of 200,000 entries that are not there",
    make: (repository) => {
      plain(repository);
      const names = Array.from(
        { length: 200_000 },
        (_, number) => `d${Math.floor(number / 100)}/f${String(number).padStart(6, "0")}`,
      ).sort();
      repository.file(".git/index", indexFile(names, idOf("blob", blob)));
    },
    lines: ["status -s | head -n 2", "ls-files | wc -l", "diff --stat | tail -n 1", "diff --cached --stat | tail -n 1"],
  },
  {
    name: "an index of version 4 whose names run backwards",
    make: (repository) => {
      plain(repository);
      const index = indexFile(["a.txt", "b.txt"], idOf("blob", blob));
      index.writeUInt32BE(4, 4);
      index.fill(0xff, 12 + 62, 12 + 72);
      repository.file(".git/index", index);
    },
    lines: LISTS,
  },
  {
    name: "a tree extension in the index that lies",
    make: (repository) => {
      plain(repository);
      const tree = Buffer.from(`TREE\0\0\0\0\0${"9".repeat(15)} ${"9".repeat(6)}\n`, "latin1");
      tree.writeUInt32BE(0xfffffff, 4);
      const index = indexFile(["a.txt"], idOf("blob", blob));
      repository.file(".git/index", Buffer.concat([index.subarray(0, -20), tree, Buffer.alloc(40)]));
    },
    lines: LISTS,
  },
  {
    name: "symbolic references in circles and long chains",
    make: (repository) => {
      plain(repository);
      repository.file(".git/refs/heads/a", "ref: refs/heads/b\n");
      repository.file(".git/refs/heads/b", "ref: refs/heads/a\n");
      for (let number = 0; number < 50; number++) repository.file(`.git/refs/heads/c${number}`, `ref: refs/heads/c${number + 1}\n`);
      repository.file(".git/HEAD", "ref: HEAD\n");
    },
    lines: [...LISTS, "log --all", "show-ref", "rev-parse a", "branch -vv", "describe --all"],
  },
  {
    name: "packed references of 100 megabytes",
    make: (repository) => {
      plain(repository);
      const line = `${ID} refs/heads/`;
      const block = Array.from({ length: 20_000 }, (_, number) => `${line}${String(number).padStart(6, "0")}\n`).join("");
      repository.file(".git/packed-refs", block.repeat(Math.ceil(100e6 / block.length)));
    },
    lines: ["status -s", "log --oneline -n 1", "branch | wc -l", "rev-parse nope"],
  },
  {
    name: "a HEAD and a reference of 10 megabytes",
    make: (repository) => {
      plain(repository);
      repository.file(".git/HEAD", `ref: refs/heads/${"a/".repeat(5_000_000)}\n`);
      repository.file(".git/refs/heads/long", "x".repeat(10_000_000));
    },
    lines: LISTS,
  },
  {
    name: "commits with megabytes of headers and thousands of parents",
    make: (repository) => {
      const tree = repository.object("tree", treeData([["100644", "a.txt", repository.object("blob", blob)]]));
      const first = repository.commit(tree);
      const long = repository.commit(tree, [first], `gpgsig ${"x".repeat(8_000_000)}\n${" more\n".repeat(200_000)}`);
      repository.commit(tree, [...new Array<string>(20_000).fill(first), long]);
    },
    lines: [...LISTS, "log --format=raw | wc -c", "log --format='%P' | wc -c", "rev-list --count HEAD", "merge-base HEAD HEAD~1"],
  },
  {
    name: "grafts, replacements and a shallow file that make circles",
    make: (repository) => {
      const tree = repository.object("tree", treeData([["100644", "a.txt", repository.object("blob", blob)]]));
      const first = repository.commit(tree);
      const second = repository.commit(tree, [first]);
      repository.file(".git/info/grafts", `${first} ${second}\n${second} ${first} ${second}\n`);
      repository.file(`.git/refs/replace/${first}`, `${second}\n`);
      repository.file(`.git/refs/replace/${second}`, `${first}\n`);
      repository.file(".git/shallow", `${second}\n${"x".repeat(1000)}\n${ID}\n`);
    },
    lines: [...LISTS, "rev-list --count HEAD", "log --all --decorate --oneline", "merge-base HEAD HEAD"],
  },
  {
    name: "tags of tags of tags",
    make: (repository) => {
      const tip = plain(repository);
      let [id, type] = [tip, "commit"];
      for (let number = 0; number < 2000; number++) {
        id = repository.object("tag", Buffer.from(`object ${id}\ntype ${type}\ntag t\ntagger A <a@x> 1 +0000\n\nm\n`));
        type = "tag";
      }
      repository.file(".git/refs/tags/t", `${id}\n`);
    },
    lines: [...LISTS, "show t | head -c 100", "rev-parse 't^{commit}'", "describe", "tag -n", "log --decorate -1"],
  },
  {
    name: "commits without a tree, of another type, of nobody",
    make: (repository) => {
      const wrong = repository.object("blob", blob);
      const odd = repository.object(
        "commit",
        Buffer.from(`tree ${wrong}\nauthor\ncommitter x> <y 99999999999999999999 +9999999\n\n\xff\n`, "latin1"),
      );
      repository.object("commit", Buffer.from("tree \n\n"));
      repository.file(".git/refs/heads/main", `${odd}\n`);
      repository.file(".git/refs/heads/blob", `${wrong}\n`);
      repository.file(".git/refs/heads/none", `${idOf("commit", Buffer.from("tree \n\n"))}\n`);
      repository.file(".git/refs/heads/missing", `${ID}\n`);
    },
    lines: [...LISTS, "log blob", "log none", "log missing", "log --all", "show --format=fuller", "show -s --format='%ad %ar %aI'"],
  },
  {
    name: "two files of 2,000 lines in which every line is another",
    make: (repository) => {
      const text = (seed: number): Buffer => Buffer.from(Array.from({ length: 2000 }, (_, line) => `${(line * seed) % 2003}\n`).join(""));
      const files = (seed: number): string =>
        repository.object(
          "tree",
          treeData(Array.from({ length: 3 }, (_, file) => ["100644", `f${seed}${file}`, repository.object("blob", text(seed + file))])),
        );
      repository.commit(files(700), [repository.commit(files(300))]);
    },
    lines: ["log -p | wc -c", "log --stat", "diff HEAD~1 HEAD --stat", "log -S 17 --oneline", "diff --minimal HEAD~1 HEAD | wc -l"],
  },
];

let inside: Tree;
let outside: Tree;
let shell: Shell;

beforeAll(async () => {
  outside = tree([`secret: ${SECRET}\n`, `config: [secret]\n\tword = ${SECRET}\n`]);
  const other = new HostileRepository(`${outside.path}/repository`);
  other.file("secret.txt", `${SECRET}\n`);
  other.commit(other.object("tree", treeData([["100644", "secret.txt", other.object("blob", Buffer.from(`${SECRET}\n`))]])));
  inside = tree(["keep/"]);
  shell = await Shell.open({ root: inside.path, isolation: "process", limits: { timeMs: LIMIT_MS, residentBytes: RESIDENT_BYTES } });
});
afterAll(async () => {
  await shell.close();
  inside.remove();
  outside.remove();
});

/** Every line of a case ends within its limits, shows nothing from outside and starts nothing; then the next is served. */
async function expectHarmless({ name, make, lines }: Case): Promise<void> {
  const directory = name.replace(/[^a-z0-9]+/g, "-");
  make(new HostileRepository(`${inside.path}/${directory}`), outside.path);
  for (const line of lines) {
    const command = `git -C ${directory} ${line}`;
    const startedMs = performance.now();
    const { result, stdout, stderr } = await shell.defaultSession.run(command, { timeMs: HOSTILE_MS });
    expect(performance.now() - startedMs, command).toBeLessThan(LIMIT_MS + GRACE_MS);
    expect(["completed", "stopped", "refused"], `${command}: ${JSON.stringify(result)}`).toContain(result.kind);
    expect(`${stdout}${stderr}`, command).not.toMatch(new RegExp(`${SECRET}|root:x:0`));
    const next = await shell.defaultSession.run("echo ok");
    expect(next.stdout.toString(), `after ${command}`).toBe("ok\n");
  }
  const made = readdirSync(inside.path, { recursive: true, encoding: "utf8" });
  expect(made.filter((path) => path.endsWith(RAN))).toEqual([]);
  rmSync(`${inside.path}/${directory}`, { recursive: true, force: true });
}

const options = { timeout: 30 * (LIMIT_MS + GRACE_MS) };
describe("repositories that lead outside, or name programs", () => {
  test.each(ESCAPES)("$name", options, expectHarmless);
});
describe("packs and objects that are damaged", () => {
  test.each(DAMAGED)("$name", options, expectHarmless);
});
describe("repositories that are large, deep or circular", () => {
  test.each(LARGE)("$name", options, expectHarmless);
});
