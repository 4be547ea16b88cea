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
