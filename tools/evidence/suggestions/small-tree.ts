/** The small tree that lines without a tree of their own run in: sources, a log, data, archives and a git history of two commits. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "app.log": Array.from(
    { length: 40 },
    (_, at) => `2026-01-01T00:00:${String(at).padStart(2, "0")} ${at % 7 === 0 ? "ERROR" : "INFO"} line ${at}\n`,
  ).join(""),
  "data.json": '{"name": "small", "version": "1.2.3", "items": [1, 2, {"x": null}], "nested": {"key": "vä"}, "empty": [], "f": 1.50}\n',
  "in.txt": "alpha\nbeta\ngamma\n",
  "notes.md": "# Notes\n\nTODO: one thing\n- a.ts\n- b.ts\n",
  "table.csv": "id,name\n1,one\n2,two\n",
  "words.txt": "one 1\ntwo 2\nthree 3\none 4\nx\n",
  "src/a.ts": "import { x } from './b.ts';\nexport const name = x;\n// TODO one\n",
  "src/b.ts": "export const x = 'one';\nexport const y = 2;\n",
  "src/deep/c.ts": "// deep\nexport {};\n",
  "x.patch": "--- a/words.txt\n+++ b/words.txt\n@@ -1,3 +1,3 @@\n one 1\n-two 2\n+TWO 2\n three 3\n",
};

const GIT = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
const WHO = ["-c", "user.name=Me", "-c", "user.email=me@example.org"];

/** Its path; whoever asks removes the directory around it. */
export function smallTree(): string {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "shelpa-small-"))), "project");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const run = (command: string, ...words: string[]): void =>
    void execFileSync(command, words, {
      cwd: root,
      env: { ...process.env, ...GIT, GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" },
      stdio: "ignore",
    });
  run("tar", "-czf", "a.tgz", "src");
  run("git", "init", "-q", "-b", "main");
  run("git", "add", ".");
  run("git", ...WHO, "commit", "-q", "-m", "first");
  writeFileSync(join(root, "src/b.ts"), "export const x = 'ONE';\nexport const y = 2;\n");
  run("git", ...WHO, "commit", "-q", "-a", "-m", "second");
  return root;
}
