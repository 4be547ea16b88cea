/**
 * Repositories for what git's commands show beyond the common: merges with conflicts resolved by hand, an octopus and a
 * criss-cross, moved and renamed code, notes, a mail map, attributes, line ends, a submodule with commits of its own; and
 * a second one that stands in the middle of a merge. Made by the real git with fixed dates and names.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";
import { diskDirectory } from "../../needs.ts";

/** Of the repositories that `git init` makes. */
export type ObjectFormatName = "sha1" | "sha256";

export class Maker {
  readonly path = realpathSync(mkdtempSync(`${diskDirectory}/shelpa-git-`));
  readonly #format: ObjectFormatName;
  #clock = 1_710_000_000;

  constructor(format: ObjectFormatName = "sha1") {
    this.#format = format;
  }

  git(...args: string[]): void {
    this.#in(this.path, args);
  }

  /** A command that may fail, as a merge with conflicts does. */
  tries(...args: string[]): void {
    spawnSync("/usr/bin/git", args, { cwd: this.path, stdio: "ignore", env: this.#environment() });
  }

  triesBelow(directory: string, ...args: string[]): void {
    spawnSync("/usr/bin/git", args, {
      cwd: `${this.path}/${directory}`,
      stdio: "ignore",
      env: { ...this.#environment(), GIT_EDITOR: "true" },
    });
  }

  below(directory: string, ...args: string[]): void {
    this.#in(`${this.path}/${directory}`, args);
  }

  #in(cwd: string, args: string[]): void {
    execFileSync("/usr/bin/git", ["-c", "protocol.file.allow=always", ...args], { cwd, stdio: "ignore", env: this.#environment() });
  }

  #environment(): NodeJS.ProcessEnv {
    this.#clock += 3607;
    const who = this.#clock % 4;
    return {
      ...ENVIRONMENT,
      GIT_DEFAULT_HASH: this.#format,
      GIT_AUTHOR_NAME: ["Ada Lovelace", "Zoë Ünicodà", "bob", "Robert B. Builder"][who],
      GIT_AUTHOR_EMAIL: ["ada@example.org", "zoe@example.org", "bob@old.example", "bob@example.org"][who],
      GIT_COMMITTER_NAME: "Committer",
      GIT_COMMITTER_EMAIL: "c@example.org",
      GIT_AUTHOR_DATE: `${this.#clock} ${["+0000", "+0200", "-0730", "+0530"][who]}`,
      GIT_COMMITTER_DATE: `${this.#clock} +0000`,
    };
  }

  write(name: string, text: string): void {
    mkdirSync(`${this.path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${this.path}/${name}`, text);
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  made(): Made {
    return { path: this.path, remove: () => rmSync(this.path, { recursive: true, force: true }) };
  }
}

const JS = (names: readonly string[], body = 6): string =>
  names
    .map(
      (name, index) =>
        `/** About ${name}. */\nexport function ${name}(value) {\n${Array.from({ length: body }, (_, line) => `  step${line}(value, ${index * 10 + line});\n`).join("")}  return value;\n}\n`,
    )
    .join("\n");

const PYTHON = `import os


class Shape:
    """A shape."""

    def __init__(self, name):
        self.name = name
        self.sides = 0

    def area(self):
        total = 0
        for side in range(self.sides):
            total += side
        return total

    async def load(self):
        await os.nothing()
        return None


def main():
    shape = Shape("x")
    print(shape.area())
    return 0
`;

const C = `#include <stdio.h>

static int helper(int a,
                  int b)
{
	int total = a + b;
	label:
	total *= 2;
	total -= 1;
	if (total < 0)
		goto label;
	total += 7;
	return total;
}

int main(int argc, char **argv)
{
	printf("%d\\n", helper(argc, 2));
	puts("one");
	puts("two");
	puts("three");
	puts("four");
	return 0;
}
`;

export function makeFeatureRepository(format?: ObjectFormatName): Made {
  const maker = new Maker(format);
  const { git, write, commit } = {
    git: (...args: string[]) => maker.git(...args),
    write: (name: string, text: string) => maker.write(name, text),
    commit: (message: string) => maker.commit(message),
  };
  const path = maker.path;
  git("init", "-q", "-b", "main");
  write("code.js", JS(["alpha", "beta", "gamma", "delta"]));
  write("shape.py", PYTHON);
  write("main.c", C);
  write("words.txt", "The quick brown fox jumps over the lazy dog.\nfoo(bar, baz)\nleft  right\n\nlast line\n");
  write("README.md", "# One\n\nText here.\n\n## Two\n\nMore text.\nAnd more.\nStill more.\nEnd.\n");
  write("style.css", "a {\n  color: red;\n  margin: 0;\n  padding: 0;\n  border: 0;\n  top: 0;\n}\n");
  commit("Add the beginning\n\nWith a body.\n\nReviewed-by: Ada <ada@example.org>\nTicket: 7");
  git("tag", "-a", "v1.0", "-m", "Version one");
  write("code.js", JS(["alpha", "beta", "gamma", "delta"]).replace("step3(value, 3)", "step3(value, 'three')"));
  write("words.txt", "The quick red fox jumped over the lazy dog.\nfoo(bar, qux)\nleft right\n\nlast line\n");
  commit("Change words (#12)");
  git("checkout", "-q", "-b", "side");
  write(
    "code.js",
    JS(["alpha", "beta", "gamma", "delta"])
      .replace("step3(value, 3)", "step3(value, 'side')")
      .replace("return value;\n}\n\n/** About gamma", "return value + 1;\n}\n\n/** About gamma"),
  );
  write("side.txt", "side one\nside two\n");
  commit("side: change code");
  write("shape.py", PYTHON.replace("total += side", "total += side * 2"));
  commit("side: change shape");
  git("checkout", "-q", "main");
  write("code.js", JS(["alpha", "beta", "gamma", "delta"]).replace("step3(value, 3)", "step3(value, 'main')"));
  write("main.c", C.replace('puts("three")', 'puts("drei")'));
  commit("main: change code");
  maker.tries("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side");
  write(
    "code.js",
    JS(["alpha", "beta", "gamma", "delta"])
      .replace("step3(value, 3)", "step3(value, 'both')")
      .replace("return value;\n}\n\n/** About gamma", "return value + 1;\n}\n\n/** About gamma"),
  );
  commit("Merge branch 'side' by hand");
  for (const number of [1, 2, 3]) {
    git("checkout", "-q", "-b", `topic/${number}`, "main");
    write(`topic${number}.txt`, `topic ${number}\n`.repeat(number + 2));
    commit(`topic ${number}: begin`);
    if (number === 2) {
      write("topic2.txt", "topic 2\nmore\ntopic 2\n");
      commit("topic 2: goes on à");
    }
  }
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Merge three topics at once", "topic/1", "topic/2", "topic/3");
  // A criss-cross.
  git("checkout", "-q", "-b", "left");
  write("left.txt", "left\n");
  commit("left: one");
  git("checkout", "-q", "-b", "right", "main");
  write("right.txt", "right\n");
  commit("right: one");
  git("branch", "right-before");
  git("merge", "-q", "--no-ff", "-m", "Merge left into right", "left");
  git("checkout", "-q", "left");
  git("merge", "-q", "--no-ff", "-m", "Merge right into left", "right-before");
  write("left.txt", "left\nleft two\n");
  commit("left: two");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Merge left", "left");
  git("merge", "-q", "--no-ff", "-m", "Merge right", "right");
  // Code that moves.
  git("mv", "code.js", "lib.js");
  write(
    "lib.js",
    JS(["alpha", "beta", "gamma", "delta"])
      .replace("step3(value, 3)", "step3(value, 'both')")
      .replace("step1(value, 31)", "step1(value, 310)"),
  );
  commit("Rename code.js to lib.js\n\nAnd change a line.");
  write("copy.js", JS(["alpha", "beta", "gamma", "delta"]).replace("step3(value, 3)", "step3(value, 'both')"));
  write("lib.js", JS(["gamma", "alpha", "beta", "delta", "epsilon"]).replace("step3(value, 3)", "step3(value, 'both')"));
  commit("Copy and move functions");
  write("main.c", C.replace('puts("three")', 'puts("drei")').replace("total -= 1;", "total -= 2;\n\ttotal -= 3;"));
  write(
    "shape.py",
    PYTHON.replace("total += side", "total += side * 2")
      .replace("return total", "return total / 2")
      .replace("self.sides = 0", "self.sides = 4"),
  );
  write("README.md", "# One\n\nText here.\n\n## Two\n\nMore text.\nAnd more.\nStill more.\nThe end.\n");
  write("style.css", "a {\n  color: red;\n  margin: 0;\n  padding: 0;\n  border: 0;\n  top: 1px;\n}\n");
  commit("Change functions of several languages");
  write(
    ".gitattributes",
    "*.py diff=python\n*.md diff=markdown\n*.css diff=css\n*.dat -diff\n*.sec binary\n*.crlf text eol=crlf\n*.lf text eol=lf\nwords.txt -whitespace\n*.fil filter=danger\n*.conv diff=conv\n",
  );
  write(".mailmap", "Robert Builder <bob@example.org> <bob@old.example>\nRobert Builder <bob@example.org>\nAda <ada@example.org>\n");
  write("a.dat", "text that is not compared\n");
  write("b.sec", "also text\n");
  write("c.crlf", "one\r\ntwo\r\n");
  write("d.lf", "one\ntwo\n");
  write("e.fil", "filtered\n");
  write("f.conv", "converted\n");
  write("trail.txt", "no space\n");
  commit("Add attributes and a mail map");
  git("notes", "add", "-m", "A note about this.\n\nIt has two paragraphs.", "HEAD");
  git("notes", "add", "-m", "Older note", "HEAD~3");
  git("notes", "--ref=review", "add", "-m", "reviewed à", "HEAD~1");
  write("a.dat", "text that is not compared, changed\n");
  write("b.sec", "also text, changed\n");
  write("f.conv", "converted too\n");
  write("trail.txt", "a space \n\ttab then\n \tspace before tab\nend\n\n\n");
  commit("Change what attributes are about");
  // A submodule with commits of its own.
  mkdirSync(`${path}/.sub`);
  maker.below(".sub", "init", "-q", "-b", "main");
  writeFileSync(`${path}/.sub/inside.txt`, "inside\n");
  maker.below(".sub", "add", "-A");
  maker.below(".sub", "commit", "-q", "-m", "inside: first");
  appendFileSync(`${path}/.git/info/exclude`, ".sub\n");
  git("submodule", "--quiet", "add", "./.sub", "module");
  commit("Add a submodule");
  writeFileSync(`${path}/module/inside.txt`, "inside\nmore\n");
  maker.below("module", "commit", "-q", "-am", "inside: second");
  commit("Move the submodule on");
  git("config", "remote.origin.url", "https://example.org/x.git");
  git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  git("config", "branch.side.remote", "origin");
  git("config", "branch.side.merge", "refs/heads/gone");
  git("update-ref", "refs/remotes/origin/main", "HEAD~2");
  git("update-ref", "refs/remotes/origin/topic/1", "topic/1~1");
  git("config", "branch.topic/1.remote", "origin");
  git("config", "branch.topic/1.merge", "refs/heads/topic/1");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  git("tag", "v1.1", "HEAD~4");
  git("tag", "-a", "v1.10", "HEAD~3", "-m", "Version one dot ten\n\nWith a body\nof two lines.");
  git("tag", "-a", "v1.9", "HEAD~2", "-m", "Version one dot nine");
  git("tag", "-a", "blob-tag", "-m", "of a file", "HEAD:README.md");
  // Stashes.
  appendFileSync(`${path}/README.md`, "stashed first\n");
  git("stash", "push", "-q", "-m", "first stash");
  appendFileSync(`${path}/words.txt`, "stashed second\n");
  write("untracked-stashed.txt", "u\n");
  git("stash", "push", "-q", "-u", "-m", "second stash");
  git("-c", "gc.reflogExpire=never", "-c", "gc.reflogExpireUnreachable=never", "gc", "-q");
  // The working tree.
  writeFileSync(`${path}/module/inside.txt`, "inside\nmore\ndirty\n");
  writeFileSync(`${path}/module/untracked.txt`, "u\n");
  write("c.crlf", "one\r\ntwo\r\nthree\r\n");
  write("d.lf", "one\r\ntwo\r\n");
  write("words.txt", "The quick red fox leaped over the lazy cat.\nfoo(bar, quux)\nleft right center\n\nlast line\nnew line \n");
  unlinkSync(`${path}/side.txt`);
  write("new.txt", "new\n");
  git("add", "-N", "new.txt");
  write("untracked.txt", "find me: total\n");
  write("binary.bin", "total\0binary");
  git("add", "binary.bin");
  write("lib.js", `${JS(["gamma", "alpha", "beta", "delta", "epsilon"]).replace("step3(value, 3)", "step3(value, 'work')")}// end\n`);
  return maker.made();
}

/** Conflicts of every kind, not yet resolved. */
export function makeConflictRepository(format?: ObjectFormatName): Made {
  const maker = new Maker(format);
  maker.git("init", "-q", "-b", "main");
  maker.write("both.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n");
  maker.write("ours-deleted.txt", "a\nb\n");
  maker.write("theirs-deleted.txt", "c\nd\n");
  maker.write("quiet.txt", "q\n");
  maker.commit("base");
  maker.git("checkout", "-q", "-b", "theirs");
  maker.write("both.txt", "one\ntwo\nTHREE\nfour\nfive\nsix\nseven\neight!\n");
  maker.write("ours-deleted.txt", "a\nB\n");
  maker.git("rm", "-q", "theirs-deleted.txt");
  maker.write("added.txt", "added by them\n");
  maker.write("clean.txt", "clean\n");
  maker.commit("theirs");
  maker.git("checkout", "-q", "main");
  maker.write("both.txt", "one\ntwo\ndrei\nfour\nfive\nsix\nseven\neight?\n");
  maker.git("rm", "-q", "ours-deleted.txt");
  maker.write("theirs-deleted.txt", "c\nD\n");
  maker.write("added.txt", "added by us\n");
  maker.commit("ours");
  maker.tries("merge", "-q", "theirs");
  return maker.made();
}

/** Operations under way, as left by a command that stops at a conflict or for its user. */
export const INTERRUPTED: Readonly<Record<string, (maker: Maker) => void>> = {
  rebase: (maker) => {
    maker.git("checkout", "-q", "other");
    maker.tries("rebase", "-q", "main");
  },
  "a rebase whose conflicts are resolved": (maker) => {
    maker.git("checkout", "-q", "other");
    maker.tries("rebase", "-q", "main");
    maker.write("f", "ok\n");
    maker.git("add", "f");
  },
  "a rebase of patches": (maker) => {
    maker.git("checkout", "-q", "other");
    maker.tries("rebase", "-q", "--apply", "main");
  },
  "a rebase without a branch": (maker) => {
    maker.git("checkout", "-q", "--detach", "other");
    maker.tries("rebase", "-q", "main");
  },
  "cherry-pick": (maker) => maker.tries("cherry-pick", "other~2"),
  "a cherry-pick whose conflicts are resolved": (maker) => {
    maker.tries("cherry-pick", "other~2");
    maker.git("add", "f");
  },
  revert: (maker) => maker.tries("revert", "--no-edit", "HEAD~1"),
  bisect: (maker) => {
    maker.git("checkout", "-q", "other");
    maker.git("bisect", "start");
    maker.git("bisect", "bad");
    maker.git("bisect", "good", "HEAD~3");
  },
  am: (maker) => {
    maker.git("format-patch", "-q", "-1", "other~2", "-o", ".git/patches");
    maker.tries("am", "-q", ".git/patches/0001-x.patch");
  },
};

/** Two branches that changed the same line, and what `interrupt` does with them. */
export function makeInterruptedRepository(interrupt: (maker: Maker) => void, format?: ObjectFormatName): Made {
  const maker = new Maker(format);
  maker.git("init", "-q", "-b", "main");
  maker.write("f", "1\n2\n3\n");
  maker.commit("base");
  maker.git("checkout", "-q", "-b", "other");
  maker.write("f", "1\nX\n3\n");
  maker.commit("x");
  for (const name of ["n", "m"]) {
    maker.write(name, `${name}\n`);
    maker.commit(name);
  }
  maker.git("checkout", "-q", "main");
  maker.write("f", "1\nY\n3\n");
  maker.commit("y");
  interrupt(maker);
  return maker.made();
}
