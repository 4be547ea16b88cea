/** Texts that a prompt asks for more lines after, beside what bash says of each (`bash -n`). */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { unfinishedIn } from "../../src/shell/unfinished.ts";
import { needs } from "../needs.ts";

const command = { kind: "command" } as const;
const quote = (closing: string) => ({ kind: "quote", closing }) as const;
const hereDocument = (delimiter: string, lineNumber = 1) => ({ kind: "here-document", delimiter, lineNumber }) as const;

const UNFINISHED = [
  ["for i in 1 2", command],
  ["for i in 1 2; do", command],
  ["for i in 1 2\ndo echo $i", command],
  ["for ((i=0;;))", command],
  ["while true", command],
  ["until x; do y", command],
  ["if true", command],
  ["if true; then echo a; else", command],
  ["case x in", command],
  ["case x in a) echo", command],
  ["{", command],
  ["{ echo a", command],
  ["( echo a", command],
  ["f() {", command],
  ["f()", command],
  ["echo a |", command],
  ["echo a &&", command],
  ["echo a ||", command],
  ["echo a | # a comment", command],
  ["[[ a &&", command],
  ["'", quote("'")],
  ["echo 'a' 'b\nc", quote("'")],
  ['echo "a', quote('"')],
  ["echo $'a", quote("'")],
  ["echo `a", quote("`")],
  ["echo $(a", quote(")")],
  ['echo "$(a', quote(")")],
  ["echo ${a", quote("}")],
  ["echo $((1+", quote(")")],
  ["((1", quote(")")],
  ["x=(a b", quote(")")],
  ["cat <<E", hereDocument("E")],
  ["echo a\ncat <<'E F' | sort\none", hereDocument("E F", 2)],
  ["for i in 1; do cat <<E\nx", hereDocument("E")],
] as const;

const FINISHED = [
  "",
  "echo a",
  "echo a;",
  "sleep 1 &",
  "fi",
  "fi '",
  "echo )",
  "if true; fi",
  "if true; then; x",
  "a | | b",
  "for",
  "case",
  "[[ a",
  "for i in 1; do echo; done; )",
  "echo '#'",
  "cat <<E\none\nE",
  "cat <<-E\n\tone\n\tE",
  "! ",
];

test.each(UNFINISHED)("%j asks for more", (text, expected) => expect(unfinishedIn(text)).toEqual(expected));
test.each(FINISHED)("%j does not", (text) => expect(unfinishedIn(text)).toBeUndefined());

// Of these bash -n says nothing.
test.each([
  ["echo a \\", command],
  ["echo a \\\nb \\", command],
  ["echo a \\\\", undefined],
  ["echo a \\\\\\", command],
  ["echo a # b \\", undefined],
  ["echo 'a' \\", command],
])("a backslash at the end of %j", (text, expected) => expect(unfinishedIn(text)).toEqual(expected));

needs("bash").describe("bash says the same", () => {
  const said = (text: string): string => spawnSync("bash", ["-n"], { input: `${text}\n`, encoding: "utf8" }).stderr;
  const END = /unexpected end of file|unexpected EOF while looking for|unexpected token `EOF'|delimited by end-of-file/;
  test.each(UNFINISHED)("of %j", (text) => expect(said(text)).toMatch(END));
  test.each(FINISHED)("of %j", (text) => expect(said(text)).not.toMatch(END));
  test.each(UNFINISHED.filter(([, { kind }]) => kind === "quote"))("and looks for the same character in %j", (text, expected) =>
    expect(said(text)).toContain(`\`${"closing" in expected ? expected.closing : ""}'`),
  );
});
