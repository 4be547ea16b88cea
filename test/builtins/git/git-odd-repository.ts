/**
 * A second repository to compare git with, beside those of git-repositories.ts: a real submodule, a linked worktree, names
 * with newlines and quotes, half packed, a branch that goes on beside, files that become links and directories.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

/** The worktree is at `trees/side`, the submodule at `vendor/lib`. */
export function makeOddRepository(seed: number): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-odd-`));
  const elsewhere = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-lib-`));
  let clock = 1_700_000_000 + seed * 777;
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  const gitIn = (cwd: string, ...args: string[]): void => {
    clock += 600 + below(9000);
    execFileSync("/usr/bin/git", ["-c", "protocol.file.allow=always", ...args], {
      cwd,
      stdio: "ignore",
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: ["Ada Lovelace", 'O\'Brien "Q"', "Łukasz"][below(3)],
        GIT_AUTHOR_EMAIL: ["ada@example.org", "ob@example.org", "l@example.org"][below(3)],
        GIT_COMMITTER_NAME: "Committer",
        GIT_COMMITTER_EMAIL: "c@example.org",
        GIT_AUTHOR_DATE: `${clock} ${["+0000", "+0530", "-0800"][below(3)]}`,
        GIT_COMMITTER_DATE: `${clock} +0100`,
      },
    });
  };
  const git = (...args: string[]): void => gitIn(path, ...args);
  const write = (name: string, text: string): void => {
    mkdirSync(`${path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${path}/${name}`, text);
  };
  const source = (count: number): string =>
    Array.from({ length: count }, (_, line) =>
      line % 7 === 0
        ? `export function part${line}(value: string) {`
        : line % 7 === 6
          ? "}\n"
          : `  call(${below(9)}, "${"xyz"[below(3)]}");`,
    ).join("\n");
  const commit = (message: string): void => {
    git("add", "-A");
    git("commit", "-q", "-m", message);
  };
  gitIn(elsewhere, "init", "-q", "-b", "main");
  writeFileSync(`${elsewhere}/lib.c`, "int lib(void)\n{\n\treturn 1;\n}\n");
  gitIn(elsewhere, "add", ".");
  gitIn(elsewhere, "commit", "-q", "-m", "the library");
  git("init", "-q", "-b", "main");
  write(".gitignore", "trees/\n*.tmp\n/dist\n");
  write("src/main.ts", source(40));
  write("src/main.py", "import os\n\n\nclass Thing:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n");
  write("docs/a b.md", "# A\n\ntext\n");
  write("docs/new\nline.md", "odd\n");
  write("docs/ünï.md", "umlauts\n");
  write("docs/'single'.md", "quote\n");
  write("crlf.txt", "one\r\ntwo\r\nthree\r\n");
  write("no-newline", "last line has none");
  write("empty", "");
  commit("initial import");
  git("submodule", "add", "-q", elsewhere, "vendor/lib");
  commit("add the library");
  for (let round = 0; round < 6; round++) {
    const text = source(40).split("\n");
    text.splice(below(30), below(4), `// round ${round}`, "", `const extra${round} = ${below(100)};`);
    write("src/main.ts", text.join("\n"));
    if (round === 2) write("src/copy of main.ts", text.join("\n"));
    if (round === 3)
      write(
        "src/main.py",
        "import os\nimport sys\n\n\nclass Thing:\n    def one(self):\n        return 11\n\n    def two(self):\n        return 2\n",
      );
    commit(
      `round ${round}: ${["fix", "feat", "chore"][below(3)]}(core): something #${below(50)}\n\nBody ${round}.\n\nCo-authored-by: X <x@example.org>`,
    );
  }
  git("tag", "-a", "v1.0.0", "-m", "Version 1");
  git("repack", "-q", "-a", "-d");
  git("branch", "side");
  git("worktree", "add", "-q", "trees/side", "side");
  writeFileSync(`${path}/trees/side/side.txt`, "one\ntwo\n");
  gitIn(`${path}/trees/side`, "add", ".");
  gitIn(`${path}/trees/side`, "commit", "-q", "-m", "work beside");
  git("mv", "docs", "documentation");
  commit("docs: renamed as a whole");
  unlinkSync(`${path}/empty`);
  symlinkSync("src", `${path}/empty`);
  rmSync(`${path}/no-newline`);
  write("no-newline/now-a-directory", "x\n");
  commit("types change");
  git("tag", "v1.1.0");
  git("merge", "-q", "--no-ff", "side", "-m", "Merge branch 'side'\n\nWith a body.");
  git("checkout", "-q", "-b", "hotfix/x", "v1.0.0");
  write("src/main.py", "import os\n");
  commit("hotfix: shorter");
  git("checkout", "-q", "main");
  write("src/with\ttab.ts", source(10));
  commit("last");
  git("config", "core.quotePath", "false");
  git("config", "user.name", "Somebody");
  appendFileSync(`${path}/trees/side/side.txt`, "three\n");
  appendFileSync(`${path}/vendor/lib/lib.c`, "/* local */\n");
  write("src/main.ts", source(44));
  write("documentation/a b.md", "# A\n\nother text\n");
  git("add", "documentation/a b.md");
  write("not tracked/ü.txt", "x");
  write("x.tmp", "ignored");
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      rmSync(elsewhere, { recursive: true, force: true });
    },
  };
}
