/**
 * The prompt of `shelpa` as its screen looks after a session. SHELPA_PROMPT_PICTURES=docs/images makes the pictures of docs/prompt.md, in
 * Debian's chromium.
 */
import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { TerminalScreen } from "./terminal-screen.ts";
import { typedOnTerminal } from "./typed-on-terminal.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa.js", import.meta.url));
const PICTURES = process.env["SHELPA_PROMPT_PICTURES"];

let place: Tree;
beforeAll(() => {
  place = tree(["docs/", "src/", "src/a.ts: // TODO: read it\n", "src/b.ts: done\n// TODO: write it\n", "README.md: # Project\n"]);
});
afterAll(() => place.remove());

/** The screen at the last time that the session showed `until`. */
async function screenAt(
  until: string,
  { rows, name, steps }: { readonly rows: number; readonly name: string; readonly steps: readonly (readonly [string, string])[] },
): Promise<readonly string[]> {
  const size = `stty rows ${rows} columns 76; exec "$@"`;
  const words = ["env", "NO_COLOR=", "TERM=xterm", "sh", "-c", size, "sh", process.execPath, PROGRAM, "--root", place.path];
  const { said } = await typedOnTerminal(words, steps);
  const screen = new TerminalScreen(rows, said.slice(0, said.lastIndexOf(until) + until.length));
  if (PICTURES !== undefined) await draw(screen.html, `${PICTURES}/${name}.png`);
  return screen.lines;
}

async function draw(html: string, path: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 760, height: 200 }, deviceScaleFactor: 2 });
    await page.setContent(html);
    await page.locator("pre").screenshot({ path });
  } finally {
    await browser.close();
  }
}

needs("script").describe("the screen", () => {
  test("a session: colours, an unfinished line, a failure, and a search that is under way", async () => {
    const steps = [
      ["$ ", "ls\r"],
      ["$ ", "grep -n TODO src/*.ts\r"],
      ["$ ", "for name in a b; do\r"],
      ["> ", "wc -l src/$name.ts\r"],
      ["> ", "done\r"],
      ["$ ", "cat nowhere\r"],
      ["$ ", "\u0012TODO"],
      ["TODO': ", "\u0007"],
      ["$ ", "exit\r"],
    ] as const;
    expect(await screenAt("TODO src/*.ts", { rows: 24, name: "prompt", steps })).toEqual([
      "shelpa: 'help' lists the builtins, 'exit' or Ctrl-D leaves",
      "shelpa:/$ ls",
      "README.md",
      "docs",
      "src",
      "shelpa:/$ grep -n TODO src/*.ts",
      "src/a.ts:1:// TODO: read it",
      "src/b.ts:2:// TODO: write it",
      "shelpa:/$ for name in a b; do",
      "> wc -l src/$name.ts",
      "> done",
      "1 src/a.ts",
      "2 src/b.ts",
      "shelpa:/$ cat nowhere",
      "cat: nowhere: No such file or directory",
      "(reverse-i-search)`TODO': grep -n TODO src/*.ts",
    ]);
  });

  test("a page of a long output, and the line that a search in it found", async () => {
    const steps = [
      ["$ ", "seq -f 'row %g' 1000\r"],
      ["--More--", "/500\r"],
      ["--More--", "q"],
      ["$ ", "exit\r"],
    ] as const;
    expect(await screenAt("--More--", { rows: 8, name: "prompt-pager", steps })).toEqual([
      ...Array.from({ length: 7 }, (_, at) => `row ${500 + at}`),
      "--More--",
    ]);
  });
});
