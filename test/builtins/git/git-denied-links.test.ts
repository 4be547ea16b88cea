/** git under `paths.deny_read`, in a repository whose object store has links into another's: no byte of a denied file comes out. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import { Shell } from "../../../src/session/shell.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const LINES = ["show HEAD:secret/k", "log -p", "cat-file -p HEAD:secret/k", "grep TOP HEAD", "blame HEAD -- secret/k", "diff HEAD~1 HEAD"];

const gitIn = (path: string, ...words: string[]): void =>
  void execFileSync("/usr/bin/git", ["-c", "user.name=A", "-c", "user.email=a@x", ...words], {
    cwd: path,
    env: ENVIRONMENT,
    stdio: "ignore",
  });

/** Below `root`: `victim` with a denied file, and `evil`, the same but for its objects. */
function made(root: string, isPacked: boolean): void {
  const victim = `${root}/victim`;
  mkdirSync(`${victim}/secret`, { recursive: true });
  gitIn(victim, "init", "-q", "-b", "main", ".");
  for (const text of ["TOPSECRET one\n", "TOPSECRET two\n"]) {
    writeFileSync(`${victim}/secret/k`, text);
    writeFileSync(`${victim}/open`, `open ${text.slice(10)}`);
    gitIn(victim, "add", ".");
    gitIn(victim, "commit", "-q", "-m", "one");
  }
  if (isPacked) gitIn(victim, "gc", "-q");
  cpSync(victim, `${root}/evil`, { recursive: true });
  rmSync(`${root}/evil/secret`, { recursive: true });
}

/** Puts links to victim's in the place of what `evil` has at `place` of its repository. */
const link = (root: string, place: string): void => {
  rmSync(`${root}/evil/.git/${place}`, { recursive: true, force: true });
  symlinkSync(`${root}/victim/.git/${place}`, `${root}/evil/.git/${place}`);
};
const below = (root: string, place: string): string[] => readdirSync(`${root}/victim/.git/${place}`).map((name) => `${place}/${name}`);

const FORMS: readonly (readonly [name: string, isPacked: boolean, make: (root: string) => void])[] = [
  ["objects, loose", false, (root) => link(root, "objects")],
  ["objects, packed", true, (root) => link(root, "objects")],
  ["each directory of loose objects", false, (root) => below(root, "objects").forEach((place) => link(root, place))],
  [
    "each loose object",
    false,
    (root) =>
      below(root, "objects")
        .flatMap((place) => below(root, place))
        .forEach((place) => link(root, place)),
  ],
  ["objects/pack", true, (root) => link(root, "objects/pack")],
  ["each pack", true, (root) => below(root, "objects/pack").forEach((place) => link(root, place))],
  [
    "what is borrowed, its directories links",
    false,
    (root) => {
      mkdirSync(`${root}/lent/.git/objects`, { recursive: true });
      for (const place of below(root, "objects")) symlinkSync(`${root}/victim/.git/${place}`, `${root}/lent/.git/${place}`);
      rmSync(`${root}/evil/.git/objects`, { recursive: true });
      mkdirSync(`${root}/evil/.git/objects/info`, { recursive: true });
      writeFileSync(`${root}/evil/.git/objects/info/alternates`, "../../../lent/.git/objects\n");
    },
  ],
  [
    "the repository itself",
    true,
    (root) => {
      renameSync(`${root}/evil/.git`, `${root}/aside`);
      symlinkSync(`${root}/victim/.git`, `${root}/evil/.git`);
    },
  ],
];

needsGit.describe("links in an object store", () => {
  test.each(FORMS)("%s", async (_, isPacked, make) => {
    const root = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-denied-links-`));
    try {
      made(root, isPacked);
      make(root);
      const shell = await Shell.open({
        root,
        isolation: "none",
        policy: { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyRead: ["/victim/secret/"] } },
      });
      try {
        for (const line of LINES) {
          const { stdout, stderr } = await shell.newSession().run(`git -C evil ${line}`);
          expect(`${stdout}${stderr}`, line).not.toContain("TOPSECRET");
        }
      } finally {
        await shell.close();
      }
      const free = await Shell.open({ root, isolation: "none" });
      try {
        // Without a rule the same repository is read as git reads it.
        const { stdout } = await free.newSession().run("git -C evil show HEAD:secret/k");
        expect(stdout.toString()).toBe("TOPSECRET two\n");
      } finally {
        await free.close();
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
