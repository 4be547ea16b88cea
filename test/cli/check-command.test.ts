/** `shelpa-mcp check`, as it is shipped. */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tree, type Tree } from "../tree.ts";

const SERVER = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));

let place: Tree;
beforeEach(() => {
  place = tree(["a.txt: x\n", "src/c.ts: y\n"]);
});
afterEach(() => place.remove());

function check(...argv: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, "check", ...argv], {
    cwd: place.path,
    encoding: "utf8",
    env: {},
  });
  return { status, stdout, stderr };
}

test("a line that may run: exit 0, and nothing has run", () => {
  expect(check("cat *.txt | tee -a new")).toEqual({
    status: 0,
    stderr: "",
    stdout: [
      "allowed       yes",
      "risk          Normal, severity Low",
      "reaches       RESOURCE: new",
      "needs a human no",
      "place         Normal: profile=standard",
      "rule          write:create (Low): The line makes a new file. It is recorded and can be undone.",
      "stage         cat *.txt: reads a.txt",
      "stage         tee -a new: creates new",
      "",
    ].join("\n"),
  });
  expect(readdirSync(place.path).sort()).toEqual(["a.txt", "src"]);
});

test("a line that may not: exit 1, and what to use instead", () => {
  const { status, stdout } = check("wc -l a.txt > b.txt");
  expect(status).toBe(1);
  expect(stdout).toMatch(/^allowed +no: REDIRECT: .*\n/);
  expect(stdout).toMatch(/^try +set -o pipefail; wc -l a\.txt \| tee b\.txt >\/dev\/null {2}# .*\n/m);
});

test("--json, --root, --cwd, --profile and the configuration", () => {
  const json = check("--json", "--root", place.path, "--cwd", "src", "--profile", "strict", "cat *");
  expect(JSON.parse(json.stdout)).toMatchObject({
    allowed: true,
    context: { labels: ["profile=strict", "strict", "cwd=src"] },
    stages: [{ command: "cat *", reads: ["src/c.ts"] }],
  });
  writeFileSync(`${place.path}/.shelpa.toml`, "[approval]\nauto_deny_severity = 'Low'\n");
  expect(check("ls | tee new")).toMatchObject({ status: 1, stdout: expect.stringContaining("SEVERITY_DENIED") });
  expect(check("--read-only", "ls | tee new")).toMatchObject({ status: 1, stdout: expect.stringContaining("READ_ONLY") });
});

test("what deceives a reader is shown as it is", () => {
  expect(check("echo '\u001b[2K\u202e'").stdout).toContain("echo '\\u{1b}[2K\\u{202e}'");
});

test.each([
  [[], "shelpa-mcp: missing operand: shelpa-mcp check 'LINE'\n"],
  [["ls", "-l", "a"], "shelpa-mcp: check: unrecognized option '-l'"],
  [["--jso", "ls"], "shelpa-mcp: check: unrecognized option '--jso': did you mean '--json'?\n"],
  [["--root", "nowhere", "ls"], "shelpa-mcp: cannot open the root"],
])("bad usage: %j", (argv, message) => {
  const { status, stdout, stderr } = check(...argv);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(message);
});
