/**
 * Clones to compare git with: shallow, partial (its promisor cannot be reached), of this project; and repositories in which a name is a
 * branch's and a tag's, or a file has another time and the same content.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { Maker, makeFeatureRepository } from "./git-feature-repositories.ts";
import { ENVIRONMENT, makeRepository, type Made } from "./git-repositories.ts";

const git = (path: string, ...args: string[]): void => {
  execFileSync("/usr/bin/git", ["-c", "protocol.file.allow=always", ...args], { cwd: path, env: ENVIRONMENT, stdio: "ignore" });
};

function cloned(from: string, ...flags: string[]): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-clone-`));
  git(path, "clone", "-q", ...flags, from, ".");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The last commits of makeRepository's branches, with a changed working tree. */
export function makeShallowRepository(seed: number): Made {
  const source = makeRepository(seed);
  const made = cloned(`file://${source.path}`, "--depth=4", "--no-single-branch");
  source.remove();
  appendFileSync(`${made.path}/README.md`, "changed here\n");
  writeFileSync(`${made.path}/new.txt`, "new\n");
  git(made.path, "add", "new.txt");
  writeFileSync(`${made.path}/other.txt`, "untracked\n");
  return made;
}

/** Every commit and tree of makeFeatureRepository, but the blobs of the checked-out commit alone; the others cannot be fetched. */
export function makePartialRepository(): Made {
  const source = makeFeatureRepository();
  git(source.path, "config", "uploadpack.allowFilter", "true");
  git(source.path, "config", "uploadpack.allowAnySHA1InWant", "true");
  const made = cloned(`file://${source.path}`, "--filter=blob:none");
  source.remove();
  git(made.path, "config", "remote.origin.url", "/nonexistent/promisor");
  appendFileSync(`${made.path}/README.md`, "changed here\n");
  return made;
}

/** This project's own history, so that nothing is done in the checkout itself. */
export const cloneOf = (path: string): Made => cloned(`file://${realpathSync(path)}`);

/** `same` is a branch and a tag, `origin/main` a branch and a remote one, `README` a branch and a file. */
export function makeAmbiguousRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("README", "one\n");
  maker.commit("one");
  maker.git("tag", "same");
  maker.git("tag", "-a", "noted", "-m", "noted");
  maker.write("README", "one\ntwo\n");
  maker.commit("two");
  maker.git("branch", "same");
  maker.git("branch", "noted", "HEAD~1");
  maker.git("branch", "README");
  maker.git("branch", "origin/main", "HEAD~1");
  maker.git("update-ref", "refs/remotes/origin/main", "HEAD");
  maker.git("update-ref", "refs/same", "HEAD");
  maker.write("README", "one\ntwo\nthree\n");
  maker.commit("three");
  return maker.made();
}

export function makeTouchedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("touched", "same\n");
  maker.write("changed", "one\n");
  maker.commit("one");
  utimesSync(`${maker.path}/touched`, 1_600_000_000, 1_600_000_000);
  maker.write("changed", "two\n");
  return maker.made();
}

/** Files and directories that took each other's place, several annotated tags of one commit, and names that begin alike. */
export function makeTurnedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("f", "x\n");
  maker.write("d/g", "y\n");
  maker.commit("one");
  rmSync(`${maker.path}/f`);
  rmSync(`${maker.path}/d`, { recursive: true });
  maker.write("f/in", "z\n");
  maker.write("d", "q\n");
  maker.commit("two");
  for (const name of ["m-first", "z-second", "a-third", "b-last"]) maker.git("tag", "-a", "-m", name, name);
  maker.git("tag", "light");
  maker.write("src/a", "1\n");
  maker.write("src-other/b", "2\n");
  maker.write(".hidden", "3\n");
  maker.commit("three");
  writeFileSync(`${maker.path}/.git/logs/HEAD`, "");
  return maker.made();
}

/** A conflict, commits and directories whose names are alike, a file that is not tracked, and a tag of a tag. */
export function makeMisspeltRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("f", "one\n");
  maker.write("calm", "same\n");
  maker.write("d/g", "y\n");
  maker.commit("d one");
  maker.git("tag", "-a", "-m", "v1", "v1");
  maker.git("tag", "-a", "-m", "nested", "nested", "v1");
  maker.git("checkout", "-q", "-b", "other");
  maker.write("f", "two\n");
  maker.commit("two");
  maker.git("checkout", "-q", "main");
  maker.write("f", "three\n");
  maker.commit("three");
  maker.tries("merge", "other");
  maker.write("untracked", "u\n");
  return maker.made();
}

/** A merge with every kind of conflict, and files that are assumed to be unchanged. */
export function makeUnmergedRepository(): Made {
  const maker = new Maker();
  const lines = "1\n2\n3\n4\n5\n";
  maker.git("init", "-q", "-b", "main");
  for (const name of ["f", "changed-deleted", "deleted-changed", "both", "keep", "assumed", "gone"]) maker.write(name, lines);
  maker.commit("one");
  maker.git("checkout", "-q", "-b", "side");
  for (const name of ["f", "deleted-changed"]) maker.write(name, `${lines}side\n`);
  maker.git("rm", "-q", "changed-deleted");
  maker.git("mv", "both", "both-side");
  maker.write("added", "side\n");
  maker.commit("side");
  maker.git("checkout", "-q", "main");
  for (const name of ["f", "changed-deleted"]) maker.write(name, `${lines}main\n`);
  maker.git("rm", "-q", "deleted-changed");
  maker.git("mv", "both", "both-main");
  maker.write("added", "main\n");
  maker.commit("main");
  maker.tries("merge", "side");
  maker.write("keep", "changed\n");
  maker.write("assumed", "changed\n");
  maker.git("update-index", "--assume-unchanged", "assumed", "gone");
  rmSync(`${maker.path}/gone`);
  return maker.made();
}

/** A directory in no repository, with a repository below it. */
export function makeOutside(): Made {
  const maker = new Maker();
  for (const name of ["README.md", "src/a.js", "sub/b.c"]) maker.write(name, `function one\n\n  return ${name}\n`);
  maker.write("sub/.gitignore", "b.c\n");
  maker.below("sub", "init", "-q", "-b", "main");
  return maker.made();
}

/** Directories, one of them empty and two of them repositories, where files were, and a file where a directory was. */
export function makeReplacedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  for (const name of ["f.md", "empty", "unborn", "inner", "d/x"]) maker.write(name, `${name}\n`);
  symlinkSync("f.md", `${maker.path}/link`);
  maker.commit("one");
  for (const name of ["f.md", "empty", "unborn", "inner", "d", "link"]) rmSync(`${maker.path}/${name}`, { recursive: true });
  maker.write("f.md/in", "in\n");
  maker.write("link/in", "in\n");
  maker.write("d", "d\n");
  for (const name of ["empty", "unborn", "inner"]) mkdirSync(`${maker.path}/${name}`);
  for (const name of ["unborn", "inner"]) maker.below(name, "init", "-q", "-b", "main");
  maker.below("inner", "commit", "-q", "--allow-empty", "-m", "inner");
  return maker.made();
}

/** Submodules at another commit: one with a change, one clean, one with an untracked file. */
export function makeMovedSubmodulesRepository(): Made {
  const source = new Maker();
  source.git("init", "-q", "-b", "main");
  for (const text of ["1\n", "2\n"]) {
    source.write("x", text);
    source.commit(text.trim());
  }
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  for (const name of ["changed", "clean", "untracked"]) {
    maker.git("submodule", "add", "-q", source.path, name);
  }
  maker.commit("one");
  source.made().remove();
  for (const name of ["changed", "clean", "untracked"]) maker.below(name, "checkout", "-q", "HEAD~1");
  maker.write("changed/x", "z\n");
  maker.write("untracked/u", "u\n");
  return maker.made();
}

/** Clones below one directory, each stopped in the middle of something, or on a commit that was checked out by another name. */
export function makeStoppedRepositories(): Made {
  const maker = new Maker();
  const begun = (name: string, ...commands: readonly (readonly string[])[]): void => {
    maker.write(`${name}/f`, "0\n");
    const tries = (...words: readonly string[]): void => maker.triesBelow(name, ...words);
    tries("init", "-q", "-b", "main");
    for (const text of ["1", "2", "3", "4"]) {
      maker.write(`${name}/f`, `${text}\n`);
      maker.write(`${name}/lib/${text}`, `${text}\n`);
      tries("add", ".");
      tries("commit", "-q", "-m", text);
    }
    tries("tag", "v1", "HEAD~1");
    tries("tag", "-a", "-m", "noted", "noted", "HEAD~1");
    tries("update-ref", "refs/remotes/origin/main", "HEAD~1");
    tries("checkout", "-q", "-b", "other", "HEAD~2");
    for (const text of ["o", "p"]) {
      maker.write(`${name}/f`, `${text}\n`);
      tries("commit", "-q", "-a", "-m", text);
    }
    tries("checkout", "-q", "main");
    for (const words of commands) tries(...words);
  };
  const half = [
    ["checkout", "--theirs", "f"],
    ["add", "f"],
    ["commit", "-q", "-m", "half"],
  ] as const;
  begun("bisect", ["bisect", "start", "HEAD", "HEAD~3"]);
  begun("bisect-detached", ["checkout", "-q", "v1"], ["bisect", "start", "HEAD", "HEAD~2"]);
  begun("rebase", ["rebase", "main", "other"]);
  begun("rebase-apply", ["rebase", "--apply", "main", "other"]);
  begun("rebase-detached", ["checkout", "-q", "other~1"], ["rebase", "main"]);
  begun("revert", ["revert", "--no-edit", "HEAD~1", "HEAD~2"]);
  begun("revert-half", ["revert", "--no-edit", "HEAD~1", "HEAD~2"], ...half);
  begun("pick", ["cherry-pick", "other~2..other"]);
  begun("pick-half", ["cherry-pick", "other~2..other"], ...half);
  begun("pick-one", ["cherry-pick", "other"]);
  begun(
    "both-deleted",
    ["mv", "f", "here"],
    ["commit", "-q", "-m", "here"],
    ["checkout", "-q", "-b", "side", "HEAD~1"],
    ["mv", "f", "there"],
    ["commit", "-q", "-m", "there"],
    ["merge", "main"],
  );
  begun("sparse", ["sparse-checkout", "set", "lib"]);
  begun("sparse-some", ["sparse-checkout", "set", "--no-cone", "/f", "/lib/1"]);
  begun("sparse-index", ["sparse-checkout", "set", "--cone", "--sparse-index", "nothing"]);
  CHECKED_OUT.forEach((words, number) => {
    begun(`at-${number}`, ["checkout", "-q", ...words]);
    begun(`from-${number}`, ["checkout", "-q", ...words], ["commit", "-q", "--allow-empty", "-m", "new"]);
  });
  begun("moved-tag", ["checkout", "-q", "v1"], ["tag", "-f", "v1", "main"]);
  return maker.made();
}

/** Words after `git checkout`, each of them for HEAD on no branch. */
export const CHECKED_OUT: readonly (readonly string[])[] = [
  ["v1"],
  ["noted"],
  ["tags/v1"],
  ["noted^{commit}"],
  ["HEAD~1"],
  ["origin/main"],
  ["origin/main~0"],
  ["--detach"],
  ["--detach", "other"],
  ["refs/heads/other"],
];

export const STOPPED: readonly string[] = [
  ...["bisect", "bisect-detached", "rebase", "rebase-apply", "rebase-detached", "revert", "revert-half", "pick", "pick-half", "pick-one"],
  ...["both-deleted", "sparse", "sparse-some", "sparse-index", "moved-tag"],
  ...CHECKED_OUT.flatMap((_, number) => [`at-${number}`, `from-${number}`]),
];

/** A stash with an untracked file, and settings that show it as a patch. */
export function makeStashRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("f", "1\n");
  maker.commit("one");
  maker.write("f", "2\n");
  maker.write("u", "u\n");
  maker.git("stash", "-u", "-q");
  for (const [name, value] of [
    ["Patch", "true"],
    ["Stat", "false"],
    ["IncludeUntracked", "true"],
  ])
    maker.git("config", `stash.show${name}`, `${value}`);
  return maker.made();
}

/** A working tree whose new lines begin with tabs and spaces of every kind. */
export function makeIndentedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("f", "x\n");
  maker.commit("one");
  maker.write("f", "x\n\ttab\n \tspace, tab\n\t \ttab, space, tab\n        spaces\n\t        tab, spaces\n    \t\tspaces, tabs \n");
  return maker.made();
}

/** A merge that removed a file which its sides have changed, or left alone. */
export function makeGoneRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  for (const name of ["same", "changed"]) maker.write(name, "1\n2\n3\n");
  maker.commit("base");
  maker.git("branch", "base");
  maker.git("checkout", "-q", "-b", "side");
  maker.write("changed", "1\nside\n3\n");
  maker.write("other", "other\n");
  maker.commit("side");
  maker.git("checkout", "-q", "main");
  maker.write("changed", "1\nmain\n3\n4\n");
  maker.commit("main");
  maker.tries("merge", "--no-commit", "side");
  maker.git("rm", "-q", "-f", "same", "changed");
  maker.git("commit", "-q", "-m", "merged");
  return maker.made();
}
