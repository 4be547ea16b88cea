/** Descriptors of a line whose end nobody wants: each builtin lets go of what it has opened when its reader has gone. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { diskDirectory, needs } from "../needs.ts";

/** `a` and `b` are long, `short` fits into one block; `d` has many files. */
const LINES = [
  ...["cat a b", "head -n 9 short a b", "tail -n 900 a short", "nl a", "tac a", "sed -n p a short", "awk 1 a short", "rev a"],
  ...["sort a", "sort -m short a", "sort -S 1k a b", "uniq -c a", "cut -c1-9 a short", "paste a short", "join a b", "comm a b"],
  ...["diff a b", "cmp -l a b", "grep -n line a short", "grep -rn line d", "rg -n line d", "rg --files d", "find d", "fd . d", "du -a d"],
  ...["ls -R d", "tree d", "wc -l d/*", "md5sum d/*", "file d/*", "strings a", "xxd a", "od -c a", "fold -w 9 a", "expand a", "pr a"],
  ...["tar cf - d", "tar cf - d | tar tf -", "gzip -c a", "gzip -c a | zcat", "base64 a", "shuf a", "symbols f d", "outline d/*"],
  ...["cat <(cat a)", "xargs -a short echo", "while read l; do echo $l; done < a", "find d -type f -exec cat {} +", "zgrep line a short"],
].map((line) => `${line} | head -n 1`);

const openFiles = (): number => readdirSync("/proc/self/fd").length;

needs({ name: "a list of this process's open files", isHere: existsSync("/proc/self/fd") }).describe("descriptors", () => {
  test("are closed where the reader has gone", { timeout: 180_000 }, async () => {
    const root = realpathSync(mkdtempSync(`${diskDirectory}/shelpa-open-`));
    const shell = await Shell.open({ root, isolation: "none" });
    try {
      const text = (of: string): string => Array.from({ length: 30_000 }, (_, line) => `line ${line} of ${of}\n`).join("");
      writeFileSync(`${root}/a`, text("a"));
      writeFileSync(`${root}/b`, text("b"));
      writeFileSync(`${root}/short`, "line\n".repeat(200));
      mkdirSync(`${root}/d/e`, { recursive: true });
      for (let file = 0; file < 40; file++) writeFileSync(`${root}/d/${file % 2 ? "" : "e/"}${file}.ts`, `function f${file}() {}\nline\n`);
      for (const line of LINES) {
        await shell.defaultSession.run(line);
        const before = openFiles();
        for (let time = 0; time < 6; time++) await shell.defaultSession.run(line);
        expect(openFiles() - before, line).toBeLessThan(6);
      }
    } finally {
      await shell.close();
      rmSync(root, { recursive: true });
    }
  });
});
