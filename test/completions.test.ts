/** The completions of dist/ (`npm run build`), asked as the shells ask them: bash always, the others where they are installed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { needs } from "./needs.ts";

const completions = fileURLToPath(new URL("../dist/completions", import.meta.url));
const ROWS: readonly { readonly words: readonly string[]; readonly offers: readonly string[] }[] = [
  { words: ["shelpa", "--ro"], offers: ["--root"] },
  { words: ["shelpa", "-c", "x", "--stri"], offers: ["--strict"] },
  { words: ["shelpa", "egre"], offers: ["egrep"] },
  { words: ["shelpa", "--root", ".", "grep", "--invert"], offers: ["--invert-match"] },
  { words: ["shelpa", "tail", "--follo"], offers: [] },
  { words: ["shelpa-mcp", "doc"], offers: ["doctor"] },
  { words: ["shelpa-mcp", "--profile", "str"], offers: ["strict"] },
  { words: ["shelpa-mcp", "audit", "ver"], offers: ["verify"] },
  { words: ["shelpa-mcp", "audit", "log", "--se"], offers: ["--session"] },
  { words: ["shelpa-mcp", "init", "--client", "claude-d"], offers: ["claude-desktop"] },
  { words: ["shelpa-mcp", "policy", "check", "--js"], offers: ["--json"] },
];

/** Words of the first operand, which bash has no descriptions for. */
const OPERANDS: typeof ROWS = [
  { words: ["shelpa-mcp", "completions", ""], offers: ["bash", "zsh", "fish", "-h", "--help"] },
  { words: ["shelpa-mcp", "completions", "z"], offers: ["zsh"] },
  { words: ["shelpa", "git", "lo"], offers: ["log"] },
  { words: ["shelpa", "--root", ".", "git", "rev-p"], offers: ["rev-parse"] },
  { words: ["shelpa", "help", "gre"], offers: ["grep"] },
  { words: ["shelpa", "help", "--he"], offers: [] },
  { words: ["shelpa", "git", "log", "package.js"], offers: ["package.json"] },
];

needs("bash").describe("bash", () => {
  test.each([...ROWS, ...OPERANDS])("$words", ({ words, offers }) => {
    const script = `. "$0/$1.bash"; COMP_WORDS=("\${@:1}"); COMP_CWORD=$(($# - 1)); _\${1//-/_} 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["-c", script, completions, ...words], { encoding: "utf8" });
    expect(stdout.split("\n").filter((word) => word !== "")).toEqual(offers);
  });
});

needs("fish").describe("fish", () => {
  test.each(ROWS)("$words", ({ words, offers }) => {
    const script = `source $argv[1]/$argv[2].fish; complete -C "$argv[2..]" | string split -f 1 \\t`;
    const { stdout } = spawnSync("fish", ["-c", script, completions, ...words], { encoding: "utf8", cwd: completions });
    expect(stdout.split("\n").filter((word) => word !== "")).toEqual(offers);
  });
});

needs("zsh").describe("zsh", () => {
  test("both commands are completed where a shell reads what the command prints", () => {
    const script = `autoload -Uz compinit; compinit -D; source <(cat $0/_shelpa $0/_shelpa-mcp); print $_comps[shelpa] $_comps[shelpa-mcp]`;
    const { stdout } = spawnSync("zsh", ["-fc", script, completions], { encoding: "utf8" });
    expect(stdout).toBe("_shelpa _shelpa_mcp\n");
  });

  test.each(["_shelpa", "_shelpa-mcp"])("zsh reads %s", (name) => {
    expect(spawnSync("zsh", ["-n", `${completions}/${name}`], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});
