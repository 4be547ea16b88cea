/** Notes that save an agent's next call: each true of the workspace, few, and short. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { answerCall } from "../../src/mcp/answer.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";

const MOST_TOKENS = 40;

let place: Tree;
let service: ShellService;
beforeAll(async () => {
  place = tree([]);
  const git = (...given: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...given], { cwd: place.path });
  mkdirSync(`${place.path}/Src/deep`, { recursive: true });
  for (const name of ["Src/deep/x.py", "Src/y.py", "two.txt", "TWO.txt"]) writeFileSync(`${place.path}/${name}`, "x\n");
  writeFileSync(`${place.path}/Readme.md`, "# a\n");
  writeFileSync(`${place.path}/a.ts`, "export function foo() { return 1; }\n");
  writeFileSync(`${place.path}/évil\nline`, "");
  git("init", "-q");
  git("add", "a.ts");
  git("commit", "-qm", "one");
  service = await createShellService({ root: place.path, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
});
afterAll(async () => {
  await service.close();
  rmSync(place.path, { recursive: true, force: true });
});

async function notes(command: string): Promise<readonly string[]> {
  const answer = await service.call({ command }, new AbortController().signal);
  const { content } = answerCall({ command }, answer, { rawOutput: false, maxOutputCharacters: 5000 });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return text.split("\n").filter((line) => line.startsWith("[shelpa] "));
}

test.each([
  ["cat readme.md", "readme.md is written Readme.md here"],
  ["head -n 2 README.MD | wc -l", "README.MD is written Readme.md here"],
  ["ls -l src/deep/X.py", "src/deep/X.py is written Src/deep/x.py here"],
  ["grep foo A.ts", "A.ts is written a.ts here"],
  ["cd src", "src is written Src here"],
  ["rg x src", "src is written Src here"],
  ["cd Src; cat Y.py; cd ..", undefined],
  ["ls *.py", "'*.py' matches nothing, but 2 files below: find . -name '*.py'"],
  ["cat Src/x*", "'Src/x*' matches nothing, but one file below: find Src/ -name 'x*'"],
  ["cat Src\\y.py", "bash takes the \\ away: write Src/y.py"],
  ["wc -l < Src\\deep\\x.py", "bash takes the \\ away: write Src/deep/x.py"],
  ["cat Src\\\\deep\\\\x.py", "bash takes the \\ away: write Src/deep/x.py"],
  ["cat Src\\\\..\\\\Src\\\\y.py", "bash takes the \\ away: write Src/../Src/y.py"],
  ["cat 'Src\\y.py'", undefined],
  ["cat Src\\none.py", undefined],
  ["rg 'foo() {' .", "rg -F takes a { as it is; in a pattern it is \\{"],
  ["git shortlog -sn", "git shortlog reads its input here: git shortlog -sn HEAD counts commits"],
  ["sed -i s/zzz/y/ a.ts", "sed -i changed no file"],
  ["symbols a.ts", "symbols takes a name; outline a.ts lists what the file defines"],
])("%s: %s", async (command, note) => {
  const given = await notes(command);
  expect(given).toEqual(note === undefined ? [] : [`[shelpa] ${note}`]);
  for (const line of given) expect(encode(line).length).toBeLessThanOrEqual(MOST_TOKENS);
});

// Two names of other case, a name that is none, patterns that match nothing anywhere, lines that told their error to nobody.
test.each([
  "cat Two.txt",
  "cat nope",
  "ls *.zz",
  "cat readme.md 2>/dev/null",
  "echo 'cat: readme.md: No such file or directory'",
  "cat /readme.md",
  "cat ../readme.md",
  "symbols foo",
  "git shortlog -sn HEAD",
  "rg 'a(' .",
])("nothing is said of %s", async (command) => {
  expect(await notes(command)).toEqual([]);
});

test("a line that is told itself what it wrote on standard error gets true advice", async () => {
  expect(await notes("echo 'x: nope: No such file or directory' >&2")).toEqual([]);
  expect(await notes("for i in 1 2 3 4 5; do cat readme.md; done")).toHaveLength(1);
});

test("a file that was made by a path with backslashes is told, where its directory is there", async () => {
  const told = (given: readonly string[]): readonly string[] => given.filter((line) => line.includes("bash takes"));
  expect(told(await notes("echo x | tee Src\\new.txt"))).toEqual([
    "[shelpa] bash takes the \\ away: this made Srcnew.txt; write Src/new.txt",
  ]);
  expect(told(await notes("touch Src\\deep\\n"))).toEqual(["[shelpa] bash takes the \\ away: this made Srcdeepn; write Src/deep/n"]);
  expect(told(await notes("echo x | tee other\\new.txt"))).toEqual([]);
  expect(told(await notes("echo x | tee 'Src\\q.txt'"))).toEqual([]);
  await notes("rm Srcnew.txt Srcdeepn othernew.txt 'Src\\q.txt'");
});
