/** Which paths are protected, by their names alone. */
import { expect, test } from "vitest";
import { protectedPath, type Protection } from "../../src/audit/protected-paths.ts";

const ROWS: readonly (readonly [path: string, protection: Protection | undefined, why?: string])[] = [
  [".git", "hard"],
  [".git/config", "hard"],
  ["sub/.git/hooks/post-checkout", "hard", "a nested repository"],
  ["./.git/config", "hard"],
  [".GIT/config", "hard", "file systems that fold case"],
  [".g\u200cit/config", "hard", "HFS+ passes over characters that do not show (CVE-2014-9390)"],
  [".git./config", "hard", "NTFS drops trailing dots"],
  [".git /config", "hard", "and spaces"],
  [".git. . /config", "hard"],
  [".git::$INDEX_ALLOCATION/config", "hard", "NTFS streams"],
  ["GIT~1/config", "hard", "NTFS short names"],
  [".git\\config", "hard", "the separator of Windows"],
  ["．git/config", "hard", "a full-width dot, as compatibility forms fold it"],
  [".shelpa/f", "hard"],
  [".Shelpa/@/journal.jsonl", "hard"],
  [".\u017fhelpa/y", "hard", "long s folds to s"],
  ["nested/.shelpa/f", "hard", "somebody else's records"],
  [".mcp.json", "approval"],
  ["packages/a/.mcp.json", "approval"],
  [".claude/settings.json", "approval"],
  [".CLAUDE/settings.json", "approval"],
  [".claude", "approval", "a file where the directory would be"],
  [".cursor/mcp.json", "approval"],
  [".vscode/tasks.json", "approval"],
  [".codex/config.toml", "approval"],
  [".husky/pre-commit", "approval"],
  [".envrc", "approval"],
  [".github/workflows/ci.yml", "approval"],
  [".GitHub/Workflows/ci.yml", "approval"],
  [".ripgreprc", "approval"],
  [".npmrc", "approval"],
  ["Jenkinsfile", "approval"],
  ["", undefined],
  ["src/index.ts", undefined],
  [".gitignore", undefined],
  [".gitattributes", undefined],
  ["git/config", undefined],
  ["a.git/config", undefined, "a bare repository has another name"],
  [".github/ISSUE_TEMPLATE.md", undefined],
  ["workflows/ci.yml", undefined],
  ["shelpa/f", undefined],
  ["CLAUDE.md", undefined, "words, not settings"],
  ["...", undefined],
  ["a/../b", undefined],
];

for (const [path, protection, why] of ROWS) {
  test(`${JSON.stringify(path)}: ${protection ?? "ordinary"}${why === undefined ? "" : ` (${why})`}`, () => {
    expect(protectedPath(path)).toBe(protection);
  });
}
