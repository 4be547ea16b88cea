/** Objects that git keeps from one call to the next, while something else changes the repository. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
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
});
