/** The locale C by an assignment before a command: every byte is a character. Without one it is C.UTF-8. */
import { afterAll, expect, test } from "vitest";
import { runLine } from "../shell/line-run.ts";
import { tree } from "../tree.ts";

const place = tree(["text: aé日\nplain x\n"]);
afterAll(() => place.remove());

const ROWS: readonly { readonly line: string; readonly stdout: string }[] = [
  { line: "wc -m text", stdout: "12 text\n" },
  { line: "LC_ALL=C wc -m text", stdout: "15 text\n" },
  { line: "LANG=POSIX wc -m text", stdout: "15 text\n" },
  { line: "LC_ALL=C.UTF-8 LANG=C wc -m text", stdout: "12 text\n" },
  { line: "LC_ALL= LC_CTYPE=C wc -wL text", stdout: " 3  7 text\n" },
  { line: "export LC_ALL=C; cat text | wc -m", stdout: "15\n" },
  { line: "find text | LC_ALL=C xargs wc -m", stdout: "15 text\n" },
  { line: "LC_ALL=C grep -n '[^ -~]' text", stdout: "1:aé日\n" },
  { line: "LC_ALL=C grep -nP '[\\x80-\\xff]' text", stdout: "1:aé日\n" },
  { line: "LC_ALL=C grep -cP '^a\\W{5}$' text", stdout: "1\n" },
  { line: "LC_ALL=C grep -cx '......' text", stdout: "1\n" },
  { line: "LC_ALL=C grep -bo 日 text", stdout: "3:日\n" },
  { line: "printf 'a\\377b\\n' | LC_ALL=C grep a.b | LC_ALL=C tr '\\377' x", stdout: "axb\n" },
  { line: "LC_ALL=C sed 's/[\\x80-\\xff]/X/g' text", stdout: "aXXXXX\nplain x\n" },
  { line: "LC_ALL=C sed 's/./Y/3g;2d' text", stdout: "a\udcc3YYYY\n" },
  { line: "LC_ALL=C sed -n 'y/é/bc/;1p' text", stdout: "abc日\n" },
  { line: "LC_ALL=C awk '{ print length, index($0, \"日\") }' text", stdout: "6 4\n7 0\n" },
];

test.each(ROWS)("$line", async ({ line, stdout }) => {
  expect(await runLine(line, place.path)).toEqual({ kind: "ran", stdout, stderr: "", exit: 0 });
});
