/** More repositories to compare git with: untracked directories, replaced history, encodings, commit-graphs. */
import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { makeFeatureRepository, Maker, type ObjectFormatName } from "./git-feature-repositories.ts";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const answerOf = (path: string, ...args: string[]): string =>
  execFileSync("/usr/bin/git", args, { cwd: path, env: ENVIRONMENT }).toString().trim();

/** Directories of all kinds beside one that holds a tracked file. */
export function makeUntrackedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("t/tracked", "");
  maker.write(".gitignore", "*.log\nign/\n");
  maker.commit("base");
  for (const path of ["u/a.ts", "u/b.txt", "u/v/x.ts", "u/v/y.txt", "u/v/w/z.ts", "w/q.txt", "w/x/r.txt", "only/k.ts", "only/l.ts"])
    maker.write(path, "");
  for (const path of ["t/new.ts", "top.ts", "ign/a.ts", "u/ign/b.ts", "u/c.log", "only/z.log"]) maker.write(path, "");
  return maker.made();
}

/** `parents`: what info/grafts says of the last commit, as names of commits. */
export function makeGraftedRepository(parents: readonly string[]): Made {
  const made = makeFeatureRepository();
  const ids = ["HEAD", ...parents].map((name) => answerOf(made.path, "rev-parse", name));
  writeFileSync(`${made.path}/.git/info/grafts`, `# comment\n${ids.join(" ")}\n\nrubbish\n`);
  return made;
}

export function makeReplacedRepository(): Made {
  const made = makeFeatureRepository();
  for (const [name, by] of [
    ["HEAD", "HEAD~6"],
    ["HEAD:README.md", "HEAD:lib.js"],
  ] as const)
    answerOf(made.path, "replace", answerOf(made.path, "rev-parse", name), answerOf(made.path, "rev-parse", by));
  return made;
}

/** A history of a few commits of which the oldest is given the newest as its parent. */
export function makeCircle(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("same.txt", "always\n");
  for (let step = 0; step < 6; step++) {
    maker.write(step % 2 === 0 ? "f.txt" : "g.txt", `${step}\n`);
    maker.commit(`step ${step}`);
  }
  const made = maker.made();
  writeFileSync(
    `${made.path}/.git/info/grafts`,
    `${answerOf(made.path, "rev-parse", "HEAD~5")} ${answerOf(made.path, "rev-parse", "HEAD")}\n`,
  );
  return made;
}

const ENCODINGS = `*.le working-tree-encoding=UTF-16LE
*.u16 text working-tree-encoding=UTF-16
*.l1 working-tree-encoding=ISO-8859-1
*.crlf text eol=crlf working-tree-encoding=UTF-16
*.sj working-tree-encoding=SHIFT-JIS
*.bom working-tree-encoding=UTF-16LE-BOM
*.u8 working-tree-encoding=utf8
*.be working-tree-encoding=utf-16be
*.u32 working-tree-encoding=UTF-32LE
`;

/** Files in the encodings that git reads, changed since they were committed. */
export function makeEncodedRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write(".gitattributes", ENCODINGS);
  const wide = (text: string, mark = ""): Buffer => Buffer.from(mark + text, "utf16le");
  const write = (name: string, bytes: Buffer): void => writeFileSync(`${maker.path}/${name}`, bytes);
  const files = (word: string, kanji: readonly number[]): void => {
    write("a.le", wide(`one\n${word}\nthree\n`));
    write("b.u16", wide(`one\ntwö\n${word}\n`, "\ufeff"));
    write("c.l1", Buffer.from(`café ${word}\n`, "latin1"));
    write("f.crlf", wide(`a\r\n${word}\r\n`, "\ufeff"));
    write("g.sj", Buffer.from([...kanji, 10]));
    write("h.bom", wide(`${word}\n`, "\ufeff"));
    write("i.be", wide(`big ${word}\n`).swap16());
    write("k.u8", Buffer.from(`plain ${word}\n`));
    write("l.u32", Buffer.from([...`x\n${word}\n`].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])));
  };
  files("two", [0x93, 0xfa, 0x96, 0x7b]);
  maker.commit("all encodings");
  files("2", [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]);
  return maker.made();
}

/** 300 commits with merges, and the commit-graph as git writes it: whole, or in a chain of files. */
export function makeLongRepository(graph: "none" | "whole" | "chain", format?: ObjectFormatName): Made {
  const maker = new Maker(format);
  maker.git("init", "-q", "-b", "main");
  const lines: string[] = [];
  for (let commit = 1; commit <= 300; commit++) {
    const isSide = commit % 20 === 10;
    const who = `${commit % 3 === 0 ? "Ada" : "Bob"} <a@example.org> ${1_700_000_000 + commit * 600} +0000`;
    lines.push(`commit refs/heads/${isSide ? "side" : "main"}`, `mark :${commit}`, `author ${who}`, `committer ${who}`);
    lines.push("data <<E", `change ${commit}`, "E");
    if (commit > 1) lines.push(`from :${commit % 20 === 11 ? commit - 2 : commit - 1}`);
    if (commit % 20 === 15) lines.push(`merge :${commit - 5}`);
    if (commit === 216) lines.push("merge :10", "merge :30", "merge :50");
    lines.push(`M 100644 inline ${commit % 7 === 0 ? "b.txt" : "a.txt"}`, "data <<E", `line ${commit}`, "E", "");
  }
  execFileSync("/usr/bin/git", ["fast-import", "--quiet", "--force"], { cwd: maker.path, env: ENVIRONMENT, input: lines.join("\n") });
  maker.git("reset", "-q", "--hard", "main");
  if (graph === "whole") maker.git("commit-graph", "write", "--reachable");
  if (graph === "chain")
    for (const from of ["HEAD~200", "HEAD~100", "HEAD"]) {
      const ids = execFileSync("/usr/bin/git", ["rev-list", from], { cwd: maker.path, env: ENVIRONMENT });
      execFileSync("/usr/bin/git", ["commit-graph", "write", "--stdin-commits", "--split=no-merge"], {
        cwd: maker.path,
        env: ENVIRONMENT,
        input: ids,
      });
    }
  appendFileSync(`${maker.path}/a.txt`, "more\n");
  return maker.made();
}
