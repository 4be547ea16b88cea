/** A write is answered with its change; the bytes that the writer passed on at the end of a pipeline are not repeated. */
import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { answerCall } from "../../src/mcp/answer.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let service: ShellService;
beforeEach(async () => {
  place = tree(["secret: old"]);
  writeFileSync(`${place.path}/f`, "1\n2\n3\n");
  const policy = { ...DEFAULT_POLICY, paths: { ...DEFAULT_POLICY.paths, denyRead: ["/secret"] } };
  service = await createShellService({ root: place.path, policy, aliases: [], isolation: "none" });
});
afterEach(async () => {
  await service.close();
  place.remove();
});

async function answer(command: string, stdin?: string): Promise<string> {
  const request = { command, ...(stdin === undefined ? {} : { stdin }) };
  const called = await service.call(request, new AbortController().signal);
  const { content } = answerCall(request, called, { rawOutput: false, maxOutputCharacters: 1000 });
  return content
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("|")
    .replace(/\d{19}/g, "R");
}

describe("passed on", () => {
  test.each([
    ["sed s/2/x/ f | tee f", "[shelpa] replaced f: 1 line changed (record R, undo: undo R)\n@@ -2 +2 @@\n-2\n+x"],
    ["echo 4 | tee -a f", "[shelpa] appended to f: 1 line added (record R, undo: undo R)\n@@ -3,0 +4 @@\n+4"],
    ["echo a; echo b | tee n; echo c", "a\nb\nc\n|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["echo a | tee n; echo b", "a\nb\n|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["echo a | tee n; cat nope", "cat: nope: No such file or directory\n[exit 1]|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["seq 3 | tee n", "1\n2\n3\n|[shelpa] created n: 3 lines (record R, undo: undo R)"],
    ["seq 9 | tee n", "[shelpa] created n: 9 lines (record R, undo: undo R)\n[shelpa] its output, 9 lines: @out 1"],
    ["tee n <<< x && true", "[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["echo x | tee n | cat", "x\n|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["{ echo x | tee n; } | cat", "x\n|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["x=$(echo a | tee n); echo $x", "a\n|[shelpa] created n: 1 line (record R, undo: undo R)"],
    ["echo x | tee | cat -n; echo y | tee; echo z | tee /dev/null", "     1\tx\ny\nz\n"],
    [
      "for i in 1 2; do echo $i | tee n$i; done; false",
      "1\n2\n[exit 1]|[shelpa] created n1: 1 line (record R)\n[shelpa] created n2: 1 line (record R)\n[shelpa] undo all of it: undo R",
    ],
    ["head -c 0 f | tee f", "[shelpa] emptied f: 3 lines removed (record R, undo: undo R)"],
    ["echo a | tee d/n >/dev/null", "[shelpa] created d/n and a directory for it: 1 line (record R, undo: undo R)"],
    [
      "echo a | tee n d/e/n >/dev/null",
      "[shelpa] created n: 1 line (record R)\n[shelpa] created d/e/n and 2 directories for it: 1 line (record R)\n[shelpa] undo all of it: undo R",
    ],
    ["cat f | tee f", "[shelpa] replaced f: nothing changed (record R, undo: undo R)"],
    ["head -c 3 /dev/null | tee n", "[shelpa] created n: 0 lines (record R, undo: undo R)"],
    ["printf 'a\\0b' | tee n >/dev/null", "[shelpa] created n: 3 bytes (record R, undo: undo R)"],
  ])("%s", async (line, expected) => {
    // An exit status is told where no output is.
    expect((await answer(line)).replace("(no output, exit 1)", "[exit 1]")).toBe(expected);
  });

  test("output that is longer than its difference is told of", async () => {
    const text = await answer("seq 40 | tee -a f");
    expect(text).toMatch(/\n\+39\n\[shelpa\] 1 more line of this difference\n\[shelpa\] its output, 40 lines: @out 1$/);
  });

  test("the kept output has them", async () => {
    await answer("seq 3 | tee n");
    expect(await answer("@out 1")).toBe("1\n2\n3\n");
  });

  test("a write that failed shows what was passed on", async () => {
    expect(await answer("echo x | tee secret/n")).toContain("x\n");
  });
});

test("an undo is answered in the same way", async () => {
  await answer("sed s/2/x/ f | tee f n >/dev/null");
  expect(await answer("undo")).toBe(
    "restored f\nremoved n\n|[shelpa] removed n: 3 lines (record R)\n" +
      "[shelpa] replaced f: 1 line changed (record R)\n@@ -2 +2 @@\n-x\n+2\n[shelpa] undo all of it: undo R",
  );
});

test("the old content of a file that may not be read is not shown", async () => {
  expect(await answer("echo new | tee secret")).toBe("[shelpa] replaced secret: 4 bytes (record R, undo: undo R)");
});

test("a long line is cut between words, and a secret in it not in two", async () => {
  const text = await answer("tee f", `${"word ".repeat(100)}\n${"x".repeat(500)}\n`);
  expect(text).toMatch(/\n\+(word )+…\n\+…$/);
});

describe("a removal of protected files", () => {
  test.each([
    ["rm -rf *", "; nothing was removed (without what is protected: rm -rf 'a b' f g secret)."],
    ["rm -v g C*.md -- 'a b'", "; nothing was removed (without what is protected: rm -v g 'a b')."],
    ["rm -r sub", "; nothing was removed."],
    ["rm g C*.md nope", "; nothing was removed (without what is protected: rm g)."],
  ])("%s", async (line, said) => {
    for (const name of ["a b", "g", "CLAUDE.md"]) writeFileSync(`${place.path}/${name}`, "x\n");
    mkdirSync(`${place.path}/sub`);
    writeFileSync(`${place.path}/sub/.mcp.json`, "{}\n");
    const text = await answer(line);
    expect(text).toContain(`NEEDS_APPROVAL: '${line.includes("sub") ? "sub/.mcp.json" : "CLAUDE.md"}': `);
    expect(text).toContain(said);
    expect(await answer("find . -type f -not -path '*/.shelpa/*' | wc -l")).toBe("6\n");
  });
});

test("no command is given for names that are not shown as they are", async () => {
  for (const name of ["CLAUDE.md", "x\ny", "x\\ny"]) writeFileSync(`${place.path}/${name}`, "1\n");
  const text = await answer("rm x?y CLAUDE.m?");
  expect(text).toContain("nothing was removed");
  expect(text).not.toContain("without what is protected");
});

test.each(["git mv f g", "git rm f", "tar czf f.tgz f", "gzip -k f", "gzip -c f", "gunzip f.gz", "sed '/2/w g' f"])(
  "%s has no line that would do the same",
  async (line) => {
    const text = await answer(line);
    expect(text).toMatch(/^DISALLOWED_FLAG: /);
    expect(text).not.toContain("try: ");
  },
);

test("sed -n writes what it would have printed, and prints nothing", async () => {
  expect(await answer("sed -n '/2/w g' f")).toContain(
    "\ninstead: sed -n /2/p f | tee g >/dev/null  # the file stays as it is where sed fails\n",
  );
});

test("several redirections are refused with one reason and one line", async () => {
  expect(await answer("echo a > x; echo b >> y")).toBe(
    "REDIRECT: Output is not redirected into files of the workspace: every write goes through tee, which records it. Use | tee x.\n" +
      "  echo a > x; echo b >> y\n         ^^^\n" +
      "REDIRECT: Use | tee -a y.\n  echo a > x; echo b >> y\n                     ^^^^\n" +
      "try: echo a | tee x >/dev/null; echo b | tee -a y >/dev/null\n",
  );
});
