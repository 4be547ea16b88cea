/** Objects, indexes and listings that git keeps from one call to the next, while something else changes the repository. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { needsGit } from "./git-repositories.ts";

async function inRepository(
  act: (git: (...words: string[]) => string, ask: (line: string) => Promise<string>, path: string) => Promise<void>,
) {
  const maker = new Maker();
  const made = maker.made();
  maker.git("init", "-q", "-b", "main");
  maker.write("a", "one\n");
  maker.commit("first");
  maker.write("a", "two\n");
  maker.commit("second");
  const shell = await Shell.open({ root: made.path, isolation: "none" });
  try {
    const git = (...words: string[]): string => execFileSync("/usr/bin/git", words, { cwd: made.path, encoding: "utf8" }).trim();
    await act(
      git,
      async (line) => {
        const { stdout, stderr } = await shell.defaultSession.run(line);
        return (stdout.toString() + stderr.toString()).trim();
      },
      made.path,
    );
  } finally {
    await shell.close();
    made.remove();
  }
}

needsGit.describe("what is kept between two calls", () => {
  test("an object that is gone is told to be gone, whether it lay alone or in a pack", async () => {
    await inRepository(async (git, ask, path) => {
      const [first, second] = [git("rev-parse", "HEAD~1:a"), git("rev-parse", "HEAD:a")];
      expect(await ask(`git show ${first}`)).toBe("one");
      const place = `${path}/.git/objects/${first.slice(0, 2)}/${first.slice(2)}`;
      renameSync(place, `${path}/aside`);
      expect(await ask(`git show ${first}`)).toBe(`fatal: bad object ${first}`);
      expect(await ask(`git cat-file -e ${first} && echo there`)).not.toContain("there");
      expect(await ask("git show HEAD:a")).toBe("two");
      renameSync(`${path}/aside`, place);
      git("repack", "-a", "-d", "-q", "--keep-unreachable");
      expect(await ask("git show HEAD:a")).toBe("two");
      for (const name of readdirSync(`${path}/.git/objects/pack`)) rmSync(`${path}/.git/objects/pack/${name}`, { force: true });
      expect(await ask(`git show ${second}`)).toBe(`fatal: bad object ${second}`);
    });
  });

  test("an object whose file holds other bytes under the same name is read anew", async () => {
    await inRepository(async (git, ask, path) => {
      const blob = git("rev-parse", "HEAD:a");
      const place = `${path}/.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`;
      expect(await ask(`git show ${blob}`)).toBe("two");
      const stored = readFileSync(place);
      const times = statSync(place);
      chmodSync(place, 0o644);
      writeFileSync(place, Buffer.alloc(stored.length));
      utimesSync(place, times.atime, times.mtime);
      expect(await ask(`git show ${blob}`)).toContain(`loose object ${blob}`);
      writeFileSync(place, stored);
      expect(await ask(`git show ${blob}`)).toBe("two");
      git("repack", "-a", "-d", "-q");
      expect(await ask("git show HEAD:a")).toBe("two");
      expect(await ask("git rev-parse HEAD:a")).toBe(blob);
      const pack = readdirSync(`${path}/.git/objects/pack`).find((name) => name.endsWith(".pack")) ?? "";
      chmodSync(`${path}/.git/objects/pack/${pack}`, 0o644);
      writeFileSync(`${path}/.git/objects/pack/${pack}`, Buffer.alloc(statSync(`${path}/.git/objects/pack/${pack}`).size));
      expect(await ask("git show HEAD:a")).toContain("fatal: ");
      expect(await ask("git rev-parse HEAD:a")).toContain("fatal: ");
    });
  });

  test("a path is looked up anew where a tree is replaced, or its pack is gone", async () => {
    await inRepository(async (git, ask, path) => {
      mkdirSync(`${path}/d/e`, { recursive: true });
      for (const text of ["old\n", "new\n"]) {
        writeFileSync(`${path}/d/e/f`, text);
        git("add", "d");
        git("-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "-m", text.trim());
      }
      git("repack", "-a", "-d", "-q");
      const blob = git("rev-parse", "HEAD:d/e/f");
      for (const times of ["first", "again"]) expect(await ask("git rev-parse HEAD:d/e/f"), times).toBe(blob);
      expect(await ask("git rev-parse HEAD:d/e/nope")).toBe(await ask("git rev-parse HEAD:d/e/nope"));
      git("replace", "HEAD:d/e", "HEAD~1:d/e");
      expect(await ask("git rev-parse HEAD:d/e/f")).toBe(git("rev-parse", "HEAD~1:d/e/f"));
      git("replace", "-d", git("rev-parse", "HEAD:d/e"));
      expect(await ask("git rev-parse HEAD:d/e/f")).toBe(blob);
      for (const name of readdirSync(`${path}/.git/objects/pack`)) rmSync(`${path}/.git/objects/pack/${name}`, { force: true });
      expect(await ask("git rev-parse HEAD:d/e/f")).toContain("fatal:");
    });
  });

  test("a replacement that is made or taken away counts at once", async () => {
    await inRepository(async (git, ask) => {
      expect(await ask("git log --format=%s")).toBe("second\nfirst");
      git("replace", "HEAD", "HEAD~1");
      expect(await ask("git log --format=%s")).toBe("first");
      git("replace", "-d", git("rev-parse", "HEAD"));
      expect(await ask("git log --format=%s")).toBe("second\nfirst");
    });
  });

  test("another repository in the same place is another", async () => {
    await inRepository(async (git, ask, path) => {
      const first = git("rev-parse", "HEAD");
      expect(await ask(`git cat-file -t ${first}`)).toBe("commit");
      rmSync(`${path}/.git`, { recursive: true });
      git("init", "-q", "-b", "main");
      expect(await ask(`git cat-file -t ${first}`)).toContain("fatal:");
      git("-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "--allow-empty", "-m", "new");
      expect(await ask("git log --format=%s")).toBe("new");
    });
  });

  test("an index that is rewritten in its place, with its size and time, is read anew", async () => {
    await inRepository(async (git, ask, path) => {
      const index = `${path}/.git/index`;
      expect(await ask("git ls-files -s")).toBe(git("ls-files", "-s"));
      const before = readFileSync(index);
      const times = statSync(index);
      for (const [name, blob] of [
        ["b", "HEAD:a"],
        ["a", "HEAD~1:a"],
      ] as const) {
        git("rm", "--cached", "-q", "-r", ".");
        git("update-index", "--add", "--cacheinfo", `100644,${git("rev-parse", blob)},${name}`);
        const other = readFileSync(index);
        writeFileSync(index, before);
        utimesSync(index, times.atime, times.mtime);
        expect(await ask("git ls-files -s"), name).toContain("\ta");
        writeFileSync(index, other);
        utimesSync(index, times.atime, times.mtime);
        expect(await ask("git ls-files -s"), name).toBe(git("ls-files", "-s"));
        expect(await ask("git ls-files"), name).toBe(name);
      }
    });
  });

  test("what is staged, committed and moved by another process counts at once", async () => {
    await inRepository(async (git, ask, path) => {
      const asGit = async (...words: readonly string[]): Promise<void> => {
        const real = execFileSync("/usr/bin/git", ["--no-optional-locks", ...words], { cwd: path, encoding: "utf8" }).trim();
        expect(await ask(`git ${words.join(" ")}`), words.join(" ")).toBe(real);
      };
      const same = async (): Promise<void> => {
        for (const words of [
          ["status", "--short"],
          ["log", "--format=%h", "--all"],
          ["diff", "--stat", "HEAD~1"],
          ["ls-files", "-s"],
        ])
          await asGit(...words);
      };
      await same();
      writeFileSync(`${path}/a`, "six\n");
      await same();
      // Of the same size and time as the file that the index knows: found by its content, as new as the index is.
      git("add", "a");
      await same();
      const times = statSync(`${path}/a`);
      writeFileSync(`${path}/a`, "ten\n");
      utimesSync(`${path}/a`, times.atime, times.mtime);
      await same();
      git("-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "-a", "-m", "third");
      await same();
      git("branch", "other", "HEAD~1");
      await same();
      git("update-ref", "refs/heads/main", "HEAD~1");
      await same();
      git("pack-refs", "--all");
      git("repack", "-a", "-d", "-q");
      await same();
      git("reset", "-q", "--hard", "other");
      await same();
    });
  });

  test("an object that was borrowed is gone with the alternate", async () => {
    await inRepository(async (git, ask, path) => {
      const blob = git("rev-parse", "HEAD:a");
      git("clone", "-q", "-s", ".", "borrower");
      expect(await ask(`git -C borrower show ${blob}`)).toBe("two");
      renameSync(`${path}/borrower/.git/objects/info/alternates`, `${path}/aside`);
      expect(await ask(`git -C borrower show ${blob}`)).toContain("fatal: bad object");
      renameSync(`${path}/aside`, `${path}/borrower/.git/objects/info/alternates`);
      expect(await ask(`git -C borrower show ${blob}`)).toBe("two");
    });
  });

  test("files and directories that come, go or are replaced are seen where listings are kept", async () => {
    await inRepository(async (git, ask, path) => {
      mkdirSync(`${path}/d/e`, { recursive: true });
      for (const name of ["d/f", "d/e/f"]) writeFileSync(`${path}/${name}`, "f\n");
      git("add", ".");
      // The directories are old enough by then.
      const now = Date.now.bind(Date);
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
      try {
        const steps: readonly (readonly [name: string, step: () => void])[] = [
          ["nothing", () => {}],
          ["again", () => {}],
          ["a file below", () => writeFileSync(`${path}/d/e/new`, "")],
          ["another beside it", () => writeFileSync(`${path}/d/e/more`, "")],
          ["the first is gone", () => rmSync(`${path}/d/e/new`)],
          ["a file above", () => writeFileSync(`${path}/d/new`, "")],
          ["a tracked file is gone", () => rmSync(`${path}/d/e/f`)],
          ["a directory in its place", () => mkdirSync(`${path}/d/e/f`)],
          ["with a file", () => writeFileSync(`${path}/d/e/f/g`, "")],
          ["its directory is another", () => renameSync(`${path}/d/e`, `${path}/d/aside`)],
          ["which has come back", () => mkdirSync(`${path}/d/e`)],
          ["an ignored file", () => writeFileSync(`${path}/.gitignore`, "new\n")],
          ["is staged", () => git("add", ".")],
        ];
        for (const [name, step] of steps) {
          step();
          for (const line of ["status --short", "status --short -uall", "ls-files -o"]) {
            const words = ["--no-optional-locks", ...line.split(" ")];
            const real = execFileSync("/usr/bin/git", words, { cwd: path, encoding: "utf8" }).trim();
            expect(await ask(`git ${line}`), `${name}: ${line}`).toBe(real);
          }
        }
      } finally {
        clock.mockRestore();
      }
    });
  });

  test("no directory stays open behind a command, nor where there is no repository", async () => {
    await inRepository(async (git, ask, path) => {
      git("repack", "-a", "-d", "-q");
      const open = (): number => readdirSync("/proc/self/fd").length;
      const lines = ["git status --short", "git show HEAD", "git log --oneline -- a", "git show nope", "git --git-dir=none log", "git log"];
      for (const step of ["first", "again"]) {
        const before = open();
        for (const line of lines) await ask(line);
        if (step === "again") expect(open()).toBe(before);
        renameSync(`${path}/.git`, `${path}/not-git`);
        expect(await ask("git log"), step).toContain("fatal: not a git repository");
        expect(await ask("git show"), step).toContain("fatal: not a git repository");
        if (step === "again") expect(open()).toBe(before);
        renameSync(`${path}/not-git`, `${path}/.git`);
      }
    });
  });

  test("more directories than are held open at once are all reached", async () => {
    await inRepository(async (git, ask, path) => {
      const names = Array.from({ length: 300 }, (_, number) => `d${number}/e`);
      for (const name of names) {
        mkdirSync(`${path}/${name}`, { recursive: true });
        writeFileSync(`${path}/${name}/tracked`, "old\n");
      }
      git("add", ".");
      for (const name of names) for (const file of ["tracked", "new"]) writeFileSync(`${path}/${name}/${file}`, `${name}\n`);
      for (const line of ["diff --stat=200", "ls-files -o", "status --short -uall", "diff HEAD --shortstat", "grep -c d2 -- d2*"]) {
        const real = execFileSync("/usr/bin/git", ["--no-optional-locks", ...line.split(" ")], { cwd: path, encoding: "utf8" }).trim();
        const before = readdirSync("/proc/self/fd").length;
        expect(await ask(`git ${line}`), line).toBe(real);
        expect(readdirSync("/proc/self/fd").length, line).toBeLessThan(before + 16);
      }
    });
  });
});
