/** Makes the repository of the git rows from a seed: 20,000 files in the end, 5,000 commits, packed as `git gc` does it. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linearCongruential } from "./random.ts";

const COMMITS = 5000;
const FILES = 20_000;
/** Files of the first commit; the others come with later ones. */
const FIRST_FILES = 16_000;
const WORDS = ["import", "const", "return", "request", "buffer", "string", "number", "await", "index", "value", "token", "export"];

/** Makes it at `root` where it is not there yet. The working tree then differs from the last commit in a few files. */
export function makeRepository(root: string): void {
  const done = join(root, ".git/made");
  if (existsSync(done)) return;
  rmSync(root, { recursive: true, force: true });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const git = (...words: readonly string[]): void => void execFileSync("git", words, { cwd: root, stdio: "ignore" });
  const imported = spawnSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: root,
    input: history(),
    stdio: ["pipe", "ignore", "inherit"],
  });
  if (imported.status !== 0) throw new Error("git fast-import failed");
  git("gc", "-q");
  git("checkout", "-q", "-f", "main");
  for (const number of [7, 1007, 9007]) appendFileSync(join(root, pathOf(number)), "changed(here);\n");
  appendFileSync(join(root, pathOf(2007)), "staged();\n");
  git("add", pathOf(2007));
  writeFileSync(join(root, "src/untracked.ts"), "new\n");
  git("status");
  writeFileSync(done, "");
}

function pathOf(number: number): string {
  return `src/package-${Math.floor(number / 1000)}/part-${Math.floor(number / 50) % 20}/file-${number}.ts`;
}

/** The stream for git fast-import: of every tenth commit a branch, merged four commits later. */
function history(): Buffer {
  const random = linearCongruential(11);
  const below = (most: number): number => Math.floor(random() * most);
  const line = (): string => `  ${Array.from({ length: 5 }, () => WORDS[below(WORDS.length)]).join(" ")};`;
  const texts: string[][] = [];
  const paths: string[] = [];
  const out: string[] = [];
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const write = (number: number): string => `M 100644 inline ${paths[number]}\n${data(`${(texts[number] ?? []).join("\n")}\n`)}`;
  const add = (): string => {
    const number = texts.push(Array.from({ length: below(80) + 4 }, line)) - 1;
    paths.push(pathOf(number));
    return write(number);
  };
  const edit = (number: number): string => {
    const text = texts[number] as string[];
    for (let times = 1 + below(5); times > 0; times--) {
      const kind = below(3);
      if (kind === 0) text.splice(below(text.length), 0, ...Array.from({ length: 1 + below(4) }, line));
      else if (kind === 1 && text.length > 6) text.splice(below(text.length), 1);
      else text[below(text.length)] = line();
    }
    return write(number);
  };
  for (let commit = 1, side = 0; commit <= COMMITS; commit++) {
    const begins = commit % 10 === 5 && commit > 5;
    const merges = side > 0 && commit - side === 4;
    const stamp = `Ada Lovelace <ada@example.org> ${1_700_000_000 + commit * 600} +0000`;
    out.push(`commit refs/heads/${begins ? "side" : "main"}\nmark :${commit}\nauthor ${stamp}\ncommitter ${stamp}\n`);
    out.push(
      data(`${merges ? "Merge branch 'side'" : `change ${commit}: ${WORDS[below(12)]} the ${WORDS[below(12)]}`}\n\nWhy it was done.\n`),
    );
    if (commit > 1) out.push(`from :${commit - 1 === side ? commit - 2 : commit - 1}\n`);
    if (merges) out.push(`merge :${side}\nM 100644 inline notes/side-${side}.md\n${data(`# ${side}\n`)}`);
    if (begins) {
      out.push(`M 100644 inline notes/side-${commit}.md\n${data(`# ${commit}\n`)}`);
      side = commit;
    } else if (commit === 1) for (let file = 0; file < FIRST_FILES; file++) out.push(add());
    else if (!merges) {
      const edits = new Set(Array.from({ length: 1 + below(6) }, () => below(texts.length)));
      for (const number of edits) out.push(edit(number));
      if (texts.length < FILES && below(10) < 9) out.push(add());
    }
    out.push("\n");
  }
  return Buffer.from(out.join(""));
}
