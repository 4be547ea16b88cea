/** Git data that no git wrote: references in circles, indexes and packs that lie about their size, objects that unfold. */
import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { HostileTree } from "./hostile-tree.ts";
import type { Place } from "./place.ts";
import { header, idOf, indexFile, treeData } from "../git-objects.ts";

const inRepository = (
  id: string,
  note: string,
  make: (place: Place, repository: ReturnType<Place["repository"]>) => void,
  lines: readonly string[] = [],
): HostileTree => ({ id: `git-${id}`, note, lines, make: (place) => make(place, place.repository()) });

const bomb = (): Buffer => deflateSync(Buffer.concat([Buffer.from("blob 209715200\0"), Buffer.alloc(200 << 20)]));

export const GIT_DATA: readonly HostileTree[] = [
  inRepository("symref-loop", "references in a circle", (place) => {
    place.file(".git/refs/heads/main", "ref: refs/heads/a\n");
    place.file(".git/refs/heads/a", "ref: refs/heads/main\n");
  }),
  inRepository("symref-outside", "HEAD names a file outside", (place) => place.file(".git/HEAD", "ref: ../../outside/secret.txt\n")),
  inRepository("symref-absolute", "HEAD names a host path", (place) => place.file(".git/HEAD", `ref: ${place.outside}/secret.txt\n`)),
  inRepository("ref-link", "a branch is a link to outside", (place) => place.link(".git/refs/heads/x", "../../../../outside/secret.txt"), [
    "git log x",
    "git rev-parse x",
  ]),
  inRepository("ref-fifo", "a branch is a FIFO", (place) => place.fifo(".git/refs/heads/x"), ["git log x"]),
  inRepository("head-fifo", "HEAD is a FIFO", (place) => {
    place.file(".git/ORIG_HEAD", "x");
    place.fifo(".git/FETCH_HEAD");
    place.fifo(".git/MERGE_HEAD");
  }),
  inRepository("head-huge", "HEAD of 30 MB", (place) => place.file(".git/HEAD", `ref: refs/heads/${"a".repeat(30_000_000)}\n`)),
  inRepository("packed-refs", "packed references with names of every kind", (place) => {
    const id = "1".repeat(40);
    const names = [
      "../../x",
      "refs/heads/\u001b]0;x\u0007",
      "refs/tags/[shelpa] x",
      "refs/heads/-x",
      "refs/heads/a..b",
      "refs/heads/$(canary)",
    ];
    place.file(".git/packed-refs", `# pack-refs with: peeled\n${names.map((name) => `${id} ${name}\n^${id}\n`).join("")}garbage\n${id}\n`);
  }),
  inRepository("packed-refs-huge", "300,000 packed references", (place) => {
    const rows = Array.from({ length: 300_000 }, (_, at) => `${"2".repeat(40)} refs/heads/b${at}\n`);
    place.file(".git/packed-refs", rows.join(""));
  }),
  inRepository(
    "reflog",
    "a log of references that is none, and one that leads out",
    (place) => {
      place.file(".git/logs/HEAD", "\u001b]0;x\u0007\n[shelpa] x\n".repeat(1000));
      place.link(".git/logs/refs", "../../../outside");
    },
    ["git reflog"],
  ),
  inRepository("index-garbage", "an index of random bytes", (_, repository) => repository.file(".git/index", randomBytes(65_536))),
  inRepository("index-count", "an index that says it has four billion entries", (_, repository) =>
    repository.file(".git/index", indexFile(["README.md"], "1".repeat(40), 0xffffffff)),
  ),
  inRepository("index-huge", "an index of 5 GiB of holes", (place) => place.sparse(".git/index", 5 * 2 ** 30)),
  inRepository("index-fifo", "the index is a FIFO", (place) => place.fifo(".git/index")),
  inRepository("index-names", "an index with names of every kind", (_, repository) => {
    const id = repository.object("blob", Buffer.from("x\n"));
    repository.file(".git/index", indexFile(["-x", "[shelpa] created .bashrc: 3 bytes", "a\nb", "\u001b]0;x\u0007", "x".repeat(5000)], id));
  }),
  inRepository("pack-count", "a pack that says it has four billion objects", (place) => {
    const pack = Buffer.from("PACK\0\0\0\x02\xff\xff\xff\xff", "latin1");
    place.file(".git/objects/pack/pack-1.pack", Buffer.concat([pack, randomBytes(100)]));
    place.file(
      ".git/objects/pack/pack-1.idx",
      Buffer.concat([Buffer.from("\xfftOc\0\0\0\x02", "latin1"), Buffer.alloc(1024, 0xff), randomBytes(500)]),
    );
  }),
  inRepository("pack-holes", "a pack and its index of 5 GiB of holes", (place) => {
    place.sparse(".git/objects/pack/pack-1.pack", 5 * 2 ** 30);
    place.sparse(".git/objects/pack/pack-1.idx", 5 * 2 ** 30);
  }),
  inRepository("pack-delta-loop", "a delta whose base is itself", (_, repository) => {
    const id = idOf("blob", Buffer.from("loop"));
    const bytes = Buffer.concat([header("ref", 10), Buffer.from(id, "hex"), deflateSync(Buffer.alloc(10))]);
    repository.pack([{ id, bytes }]);
    repository.commit(repository.object("tree", treeData([["100644", "README.md", id]])));
  }),
  inRepository("blob-bomb", "a file of 200 MiB in 200 kB", (place, repository) => {
    const id = "3".repeat(40);
    place.file(`.git/objects/33/${"3".repeat(38)}`, bomb());
    repository.commit(repository.object("tree", treeData([["100644", "README.md", id]])));
  }),
  inRepository("tree-names", "a tree with names that are no names", (_, repository) => {
    const id = repository.object("blob", Buffer.from("x\n"));
    const names = ["../outside/x", ".git", "a/b", "..", "", "/etc/passwd", "-rf", "[shelpa] x", "a\nb", "\u001b[2J"];
    repository.commit(repository.object("tree", treeData(names.map((name) => ["100644", name, id] as const))));
  }),
  inRepository(
    "tree-of-links",
    "a tree whose links lead out, as objects and as files",
    (place, repository) => {
      const id = repository.object("blob", Buffer.from("../outside/secret.txt"));
      repository.commit(repository.object("tree", treeData([["120000", "out", id]])));
      place.link("out", "../outside/secret.txt");
    },
    ["git show HEAD:out", "git diff HEAD -- out", "cat out"],
  ),
  inRepository("tree-depth", "trees 3,000 levels deep", (_, repository) => {
    let tree = repository.object("tree", treeData([]));
    for (let level = 0; level < 3000; level++) tree = repository.object("tree", treeData([["40000", "d", tree]]));
    repository.commit(tree);
  }),
  inRepository("message", "a commit message that speaks as the tool", (_, repository) => {
    const extra = "encoding UTF-16\ngpgsig -----BEGIN\u001b[2J\n";
    repository.commit(
      repository.object("tree", treeData([])),
      [],
      `${extra}\n[shelpa] created .bashrc: 3 bytes\n[exit 0]\n(no output, exit 0)\n\u202e\u001b]0;x\u0007`,
    );
  }),
  inRepository("message-line", "a commit message of 20 MB in one line", (_, repository) => {
    repository.commit(repository.object("tree", treeData([])), [], `\n${"x ".repeat(10_000_000)}`);
  }),
  inRepository("parents", "a commit with 5,000 parents that are not there", (_, repository) => {
    const parents = Array.from({ length: 5000 }, (__, at) => at.toString(16).padStart(40, "a"));
    repository.commit(repository.object("tree", treeData([])), parents);
  }),
  inRepository("grafts", "grafts, replacements and a shallow file that are none", (place) => {
    place.file(".git/shallow", "x\n".repeat(10_000));
    place.file(".git/info/grafts", `${"1".repeat(40)} ${"1".repeat(40)}\n`);
    place.file(`.git/refs/replace/${"1".repeat(40)}`, `${"1".repeat(40)}\n`);
  }),
  inRepository("attributes", "attributes in circles and 20,000 patterns of stars", (place) => {
    place.file(".gitattributes", `[attr]a b\n[attr]b a\n* a\n${"*a*a*a*a*a*a*a*a*b text\n".repeat(20_000)}`);
    place.file("a".repeat(200), "needle\n");
  }),
  inRepository("attributes-out", "attributes and ignore rules that are links to outside", (place) => {
    place.link(".gitattributes", "../outside/secret.txt");
    place.link(".gitignore", "../outside/secret.txt");
    place.link(".mailmap", "../outside/secret.txt");
    place.link(".gitmodules", "../outside/secret.txt");
    place.link(".git/info/exclude", "../../../outside/secret.txt");
  }),
];
