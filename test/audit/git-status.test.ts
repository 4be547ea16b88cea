/** `git status` of a real git after a session of writes: the files that were meant, and none of ours. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { ALL_WRITERS, randomCommand, randomWriter } from "../builtins/writers/random-line.ts";
import { plant, randomTree } from "../builtins/writers/random-tree.ts";
import { treeState, type TreeState } from "../builtins/writers/tree-state.ts";
import { Dice } from "../fuzz/dice.ts";
import { needs } from "../needs.ts";
import { stressRuns } from "../stress-settings.ts";
import { tree } from "../tree.ts";

/** npm run stress -- git-status COUNT SEED. */
const SESSIONS = stressRuns(2, 5);
const SEED = Number(process.env["SHELPA_STRESS_SEED"] ?? 1);
const LINES = 30;

if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

needs("git").test(`${SESSIONS} sessions of ${LINES} lines`, { timeout: 60_000 + SESSIONS * 60_000 }, async () => {
  let writes = 0;
  for (let seed = SEED; seed < SEED + SESSIONS; seed++) {
    const dice = new Dice("git status", seed);
    const { path: root, remove } = tree([]);
    const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8", env: environment(root) });
    plant(root, randomTree(dice, 20));
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "planted");
    const planted = withoutGit(treeState(root));
    const shell = await Shell.open({ root, isolation: "none", redirects: "record" });
    const records: string[] = [];
    for (let number = 0; number < LINES; number++) {
      const context = { dice, root, state: withoutGit(treeState(root)), number };
      const { result } = await shell.defaultSession.run(randomCommand(randomWriter(context, ALL_WRITERS), context));
      if (result.kind === "completed" && result.receipts[0] !== undefined) records.push(result.receipts[0].recordId);
    }
    const listed = (): readonly string[] =>
      git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
        .split("\0")
        .filter((line) => line !== "")
        .map((line) => line.slice(3))
        .sort();
    expect(listed(), `seed ${seed}`).toEqual(meant(planted, withoutGit(treeState(root))));
    expect(readFileSync(`${root}/.shelpa/.gitignore`, "utf8")).toContain("*");
    for (const record of records.reverse()) {
      const { result } = await shell.defaultSession.run(`undo ${record}`);
      expect(result, `seed ${seed}`).toMatchObject({ kind: "completed", exit: 0 });
    }
    expect(listed(), `seed ${seed}, undone`).toEqual([]);
    await shell.close();
    remove();
    writes += records.length;
  }
  console.log(`${SESSIONS} sessions from seed ${SEED}: ${writes} lines that wrote`);
  expect(writes).toBeGreaterThan(SESSIONS);
});

const environment = (root: string): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: root,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
});

const withoutGit = (state: TreeState): TreeState => new Map([...state].filter(([path]) => path !== ".git" && !path.startsWith(".git/")));

/** Names whose content, kind or permission to be run is another, as git sees them. */
function meant(before: TreeState, after: TreeState): readonly string[] {
  const seen = (state: TreeState, path: string): string | undefined => {
    const { kind, text } = state.get(path) ?? {};
    if (kind === undefined || kind === "directory" || text === undefined) return undefined;
    const [, mode = "", rest = ""] = /^([0-7]+)( [^]*)$/.exec(text) ?? [];
    return kind === "file" ? `${(Number.parseInt(mode, 8) & 0o100) !== 0 ? "x" : ""}${rest}` : text;
  };
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => seen(before, path) !== seen(after, path)).sort();
}
