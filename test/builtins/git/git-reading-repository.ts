/**
 * A repository for the commands that few type: a clone with untracked files of every kind, line ends of every kind, notes, submodules
 * that moved, were taken out or hold one of their own, and remotes that lie beside it.
 */
import { execFileSync } from "node:child_process";
import { symlinkSync, unlinkSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

const ATTRIBUTES =
  "*.md text=auto eol=crlf\n*.c ident\n/secret export-ignore\nheld/ export-ignore\nout export-ignore\nnoeol -text\ncrlf text\nmix text=auto\nempty eol=lf\n*.old crlf=input\n";

export function makeReadingRepository(): Made {
  const maker = new Maker();
  const write = (names: string, text = ""): void => {
    for (const name of names.split(" ")) maker.write(name, text);
  };
  maker.git("init", "-q", "-b", "main", "lib");
  maker.write("lib/a", "a\n");
  maker.below("lib", "add", ".");
  maker.below("lib", "commit", "-qm", "one");
  maker.below("lib", "tag", "-a", "v1", "-m", "v1");
  maker.write("lib/a", "a\nb\n");
  maker.below("lib", "commit", "-qam", "two");
  maker.below("lib", "tag", "v1.5");
  maker.below("lib", "notes", "add", "-m", "note one\n\nwith a body", "HEAD");
  maker.below("lib", "notes", "add", "-m", "x", "HEAD~1");
  maker.below("lib", "notes", "--ref=other", "add", "-m", "z", "HEAD");
  maker.git("clone", "-q", "--bare", "lib", "bare.git");
  maker.git("init", "-q", "-b", "main", ".");
  write(".gitignore", "*.log\nbuild/\nheld/\n/lib\n/bare.git\n");
  write("src/a held/tracked", "a\n");
  maker.git("add", "-f", ".gitignore", "src", "held");
  maker.git("submodule", "add", "-q", "./lib", "sub");
  maker.git("submodule", "add", "-q", "./lib", "vendor/l");
  maker.git("submodule", "add", "-q", "./lib", "gone");
  maker.git("commit", "-qm", "the beginning");
  maker.below("sub", "checkout", "-q", "v1");
  maker.git("submodule", "deinit", "-q", "-f", "gone");
  const long = "long-name-".repeat(6);
  maker.write(`${long}/${long}/${long}/${long}`, "x\n");
  maker.write(`${"n".repeat(120)}`, "n\n");
  symlinkSync(`${long}/${long}/${long}/${long}`, `${maker.path}/far`);
  maker.write("id.c", "/* $Id$ */\n");
  maker.write("page.md", "one\ntwo\n");
  write("secret out/inner", "s\n");
  maker.write(".gitattributes", ATTRIBUTES);
  maker.git("add", "-A");
  maker.git("commit", "-qm", "what an archive has to weigh");
  maker.git("checkout", "-q", "-b", "topic");
  maker.git("checkout", "-q", "main");
  maker.git("bisect", "start");
  maker.git("bisect", "good", "HEAD");
  maker.git("remote", "add", "origin", "./lib");
  maker.git("remote", "add", "up", "https://example.org/y.git");
  for (const [name, value] of [
    ["branch.main.remote", "origin"],
    ["branch.main.merge", "refs/heads/main"],
    ["branch.two.remote", "up"],
    ["branch.two.merge", "refs/heads/two"],
    ["branch.two.rebase", "true"],
    ["branch.three.remote", "up"],
    ["branch.three.merge", "refs/heads/dev"],
    ["remote.up.pushurl", "git@example.org:y"],
    ["remote.up.push", "+refs/heads/two:refs/heads/three"],
  ])
    maker.git("config", "--add", name as string, value as string);
  maker.git("update-ref", "refs/remotes/up/dev", "HEAD");
  maker.git("symbolic-ref", "refs/remotes/up/HEAD", "refs/remotes/up/dev");
  maker.git("gc", "-q");
  write("mix", "a\nb\r\n");
  write("bin", "a\0b");
  write("crlf x.old", "x\r\n");
  write("empty nothing");
  write("noeol", "one");
  write("r.md", "hi\n");
  symlinkSync("mix", `${maker.path}/link`);
  maker.git("add", "mix", "bin", "crlf", "empty", "noeol", "r.md", "link", "x.old", ".gitattributes");
  unlinkSync(`${maker.path}/empty`);
  write(
    "src/u.txt src/z.u src/sub/n t/f t/deep/g build/o u1 y.u a.log mixed/in/k mixed/in/k.log onlyign/z.log x/y/.gitkeep held/new held/sub/o",
  );
  write("src/.ign", "*.u\n");
  maker.write("sp ace", "");
  maker.write('q"t', "");
  write("nested/file par/file");
  execFileSync("mkdir", ["-p", `${maker.path}/emptyd/in`, `${maker.path}/par/nest2`]);
  maker.git("init", "-q", "nested");
  maker.git("init", "-q", "par/nest2");
  return maker.made();
}
