/**
 * Repositories of the object format sha256: merges, renames, tags of all kinds, notes in directories, a stash, a submodule, a
 * linked worktree; objects loose, in a pack by offsets and in one by ids of bases; a commit-graph of one file or of a chain.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

/** Output of a line of the real git. */
export const answerOf = (path: string, line: string): string =>
  execFileSync("bash", ["-c", line], { cwd: path, env: { ...ENVIRONMENT, ...SOMEBODY } })
    .toString()
    .trim();

const SOMEBODY = {
  GIT_AUTHOR_NAME: "Ada Lovelace",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "1710000000 +0100",
  GIT_COMMITTER_NAME: "Committer",
  GIT_COMMITTER_EMAIL: "c@example.org",
  GIT_COMMITTER_DATE: "1710000000 +0000",
};

const numbered = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => `${changed[at] ?? `line ${at} of the file`}\n`).join("");

/** Many notes would make git write them in directories; these are so from the first on. */
const SPLIT_NOTES = `
tree() { git mktree; }
note=$(echo "a note in directories" | git hash-object -w --stdin)
id=$(git rev-parse HEAD)
other=$(git rev-parse HEAD~1)
inner=$(printf '100644 blob %s\\t%s\\n' "$note" "\${id:4}" | tree)
outer=$(printf '040000 tree %s\\t%s\\n' "$inner" "\${id:2:2}" | tree)
flat=$(printf '100644 blob %s\\t%s\\n' "$note" "\${other:2}" | tree)
top=$(printf '040000 tree %s\\t%s\\n040000 tree %s\\t%s\\n' "$outer" "\${id:0:2}" "$flat" "\${other:0:2}" | tree)
git update-ref refs/notes/split "$(git commit-tree -m notes "$top")"
`;

/** A commit with a signature for the other object format, which counts as unsigned. */
const OTHER_SIGNATURE = `
printf 'tree %s\\nauthor a <a@b> 1 +0000\\ncommitter a <a@b> 1 +0000\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n x\\n\\nm\\n' "$(git mktree < /dev/null)" |
  git hash-object -t commit -w --stdin > .git/refs/heads/unsigned
`;

/** `graph`: how the commit-graph of the older commits is stored. */
export function makeSha256Repository(graph: "file" | "chain"): Made {
  const maker = new Maker("sha256");
  const { path } = maker;
  maker.git("init", "-q", "-b", "main");
  maker.write("long.txt", numbered(60));
  maker.write("src/code.js", "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n");
  maker.write("empty", "");
  maker.write(".gitattributes", "*.bin -diff\n");
  maker.write("data.bin", "\0\x01binary");
  maker.commit("first: the beginning");
  maker.git("tag", "v0.1");
  for (const step of [3, 17, 31, 45]) {
    maker.write("long.txt", numbered(60, { [step]: `changed ${step}` }));
    maker.commit(`change line ${step}`);
  }
  maker.git("tag", "-a", "v1.0", "-m", "release one");
  maker.git("checkout", "-q", "-b", "side");
  maker.write("side.txt", "side\n");
  maker.commit("side: begin");
  maker.git("mv", "src/code.js", "src/moved.js");
  appendFileSync(`${path}/src/moved.js`, "\nfunction three() {\n  return 3;\n}\n");
  maker.commit("side: rename the code");
  maker.git("checkout", "-q", "main");
  maker.write("long.txt", numbered(60, { 5: "main five" }));
  maker.commit("main goes on");
  maker.git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side");
  maker.git("commit-graph", "write", "--reachable", ...(graph === "chain" ? ["--split=no-merge"] : []));
  maker.git("gc", "-q");
  // A second pack, whose deltas name their bases.
  for (const step of [9, 10, 11]) {
    maker.write("long.txt", numbered(60, { 5: "main five", [step]: `again ${step}` }));
    maker.commit(`again: line ${step}`);
  }
  maker.git("-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-d");
  if (graph === "chain") maker.git("commit-graph", "write", "--reachable", "--split=no-merge");
  for (const number of [1, 2]) {
    maker.git("checkout", "-q", "-b", `topic/${number}`, "main");
    maker.write(`topic${number}.txt`, `topic ${number}\n`);
    maker.commit(`topic ${number}: begin`);
  }
  maker.git("checkout", "-q", "main");
  maker.git("merge", "-q", "--no-ff", "-m", "Merge two topics", "topic/1", "topic/2");
  maker.git("notes", "add", "-m", "A note.", "HEAD");
  answerOf(path, SPLIT_NOTES);
  answerOf(path, OTHER_SIGNATURE);
  // A submodule with a commit of its own that the index does not know.
  mkdirSync(`${path}/.sub`);
  maker.below(".sub", "init", "-q", "-b", "main");
  writeFileSync(`${path}/.sub/inside.txt`, "inside\n");
  maker.below(".sub", "add", "-A");
  maker.below(".sub", "commit", "-q", "-m", "inside: first");
  appendFileSync(`${path}/.git/info/exclude`, ".sub\n.linked\n");
  maker.git("submodule", "--quiet", "add", "./.sub", "module");
  maker.commit("add a submodule");
  writeFileSync(`${path}/module/inside.txt`, "inside\nmore\n");
  maker.below("module", "commit", "-q", "-am", "inside: second");
  maker.git("config", "remote.origin.url", "https://example.org/x.git");
  maker.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  maker.git("config", "branch.main.remote", "origin");
  maker.git("config", "branch.main.merge", "refs/heads/main");
  maker.git("update-ref", "refs/remotes/origin/main", "HEAD~2");
  maker.git("tag", "-a", "of-a-tree", "HEAD^{tree}", "-m", "a tree");
  appendFileSync(`${path}/long.txt`, "stashed\n");
  maker.write("untracked-stashed.txt", "u\n");
  maker.git("stash", "push", "-q", "-u", "-m", "a stash");
  maker.git("worktree", "add", "-q", ".linked", "side");
  maker.git("worktree", "add", "-q", "--detach", ".linked-too", "v1.0");
  appendFileSync(`${path}/.git/info/exclude`, ".linked-too\n");
  maker.git("checkout", "-q", "HEAD~1");
  maker.git("checkout", "-q", "main");
  // The working tree.
  appendFileSync(`${path}/long.txt`, "not committed\n");
  maker.write("staged.txt", "staged\n");
  maker.git("add", "staged.txt");
  maker.git("mv", "side.txt", "aside.txt");
  maker.write("intended.txt", "to be added\n");
  maker.git("add", "-N", "intended.txt");
  unlinkSync(`${path}/topic1.txt`);
  writeFileSync(`${path}/data.bin`, "\0\x01binary and more");
  maker.write("untracked.txt", "u\n");
  return maker.made();
}

/** Two commits in one pack. */
export function makePackedSha256(): Made {
  const maker = new Maker("sha256");
  maker.git("init", "-q", "-b", "main");
  for (const text of ["one\n", "one\ntwo\n"]) {
    maker.write("a.txt", text);
    maker.commit(text.trim());
  }
  maker.git("gc", "-q");
  return maker.made();
}

/** The repository of makeSha256Repository with objects that stand for others. */
export function makeReplacedSha256(): Made {
  const made = makeSha256Repository("file");
  answerOf(made.path, "git replace HEAD~2 HEAD~5; git replace HEAD:long.txt v0.1:long.txt");
  return made;
}

/** The repository of makeSha256Repository with a history that ends early. */
export function makeShallowSha256(): Made {
  const made = makeSha256Repository("chain");
  writeFileSync(`${made.path}/.git/shallow`, `${answerOf(made.path, "git rev-parse HEAD~5")}\n`);
  return made;
}

/** `line` with the ids that it stands for: `<id REVISION>`, and `<id REVISION DIGITS>` for the first digits of one. */
export const withIds = (path: string, line: string): string =>
  line.replace(/<id (\S+?)(?: ([0-9]+))?>/g, (_, revision: string, digits: string | undefined) =>
    answerOf(path, `git rev-parse '${revision}'`).slice(0, digits === undefined ? undefined : Number(digits)),
  );
