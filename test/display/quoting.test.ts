/** Each row was printed by coreutils 9.1; with SHELPA_ORACLE set the tool is asked again, and about random names too. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteAlways, quoteCurly, quoteName, quoteWord } from "../../src/display/quote.ts";
import { QUOTING_STYLES, quoteInStyle } from "../../src/display/quoting-style.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { tree } from "../tree.ts";
import { needs, ORACLE, oracle } from "../needs.ts";

const STYLES = ["shell", "shell-always", "shell-escape", "shell-escape-always", "c", "c-maybe", "escape", "locale"] as const;

/** A name, then that name in each of STYLES. `ls` itself adds the space to what the style escape quotes. */
const styled: readonly (readonly string[])[] = [
  [
    "plain-1.txt",
    "plain-1.txt",
    "'plain-1.txt'",
    "plain-1.txt",
    "'plain-1.txt'",
    '"plain-1.txt"',
    "plain-1.txt",
    "plain-1.txt",
    "‘plain-1.txt’",
  ],
  ["a b", "'a b'", "'a b'", "'a b'", "'a b'", '"a b"', "a b", "a\\ b", "‘a b’"],
  ["it's", '"it\'s"', '"it\'s"', '"it\'s"', '"it\'s"', '"it\'s"', "it's", "it's", "‘it's’"],
  ["it's a$", "'it'\\''s a$'", "'it'\\''s a$'", "'it'\\''s a$'", "'it'\\''s a$'", '"it\'s a$"', "it's a$", "it's\\ a$", "‘it's a$’"],
  ["a\nb", "'a\nb'", "'a\nb'", "'a'$'\\n''b'", "'a'$'\\n''b'", '"a\\nb"', '"a\\nb"', "a\\nb", "‘a\\nb’"],
  ["\ttab", "'\ttab'", "'\ttab'", "''$'\\t''tab'", "''$'\\t''tab'", '"\\ttab"', '"\\ttab"', "\\ttab", "‘\\ttab’"],
  ["a\\b", "'a\\b'", "'a\\b'", "'a\\b'", "'a\\b'", '"a\\\\b"', "a\\b", "a\\\\b", "‘a\\\\b’"],
  ['say "x"', "'say \"x\"'", "'say \"x\"'", "'say \"x\"'", "'say \"x\"'", '"say \\"x\\""', '"say \\"x\\""', 'say\\ "x"', '‘say "x"’'],
  ["a:b", "a:b", "'a:b'", "a:b", "'a:b'", '"a:b"', "a:b", "a:b", "‘a:b’"],
  ["#x", "'#x'", "'#x'", "'#x'", "'#x'", '"#x"', "#x", "#x", "‘#x’"],
  ["x#", "x#", "'x#'", "x#", "'x#'", '"x#"', "x#", "x#", "‘x#’"],
  ["~", "'~'", "'~'", "'~'", "'~'", '"~"', "~", "~", "‘~’"],
  ["{", "'{'", "'{'", "'{'", "'{'", '"{"', "{", "{", "‘{’"],
  ["{}", "{}", "'{}'", "{}", "'{}'", '"{}"', "{}", "{}", "‘{}’"],
  ["-n", "-n", "'-n'", "-n", "'-n'", '"-n"', "-n", "-n", "‘-n’"],
  ["é", "é", "'é'", "é", "'é'", '"é"', "é", "é", "‘é’"],
  ["’", "’", "'’'", "’", "'’'", '"’"', "’", "’", "‘\\’’"],
  ["bad\udcff", "bad\udcff", "'bad\udcff'", "'bad'$'\\377'", "'bad'$'\\377'", '"bad\\377"', '"bad\\377"', "bad\\377", "‘bad\\377’"],
  ["'\udcff", "''\\''\udcff'", "''\\''\udcff'", "''\\'''$'\\377'", "''\\'''$'\\377'", '"\'\\377"', '"\'\\377"', "'\\377", "‘'\\377’"],
  ["nul\u0001", "nul\u0001", "'nul\u0001'", "'nul'$'\\001'", "'nul'$'\\001'", '"nul\\001"', '"nul\\001"', "nul\\001", "‘nul\\001’"],
  ["\u200bzero", "\u200bzero", "'\u200bzero'", "\u200bzero", "'\u200bzero'", '"\u200bzero"', "\u200bzero", "\u200bzero", "‘\u200bzero’"],
];

/** A missing file's name, then how `cat` and `ls` name it. */
const missing: readonly (readonly [string, string, string])[] = [
  ["plain-1.txt", "plain-1.txt", "'plain-1.txt'"],
  ["a b", "'a b'", "'a b'"],
  ["it's", '"it\'s"', '"it\'s"'],
  ["it's a$", "'it'\\''s a$'", "'it'\\''s a$'"],
  ["a\nb", "'a'$'\\n''b'", "'a'$'\\n''b'"],
  ["\ttab", "''$'\\t''tab'", "''$'\\t''tab'"],
  ["a\\b", "'a\\b'", "'a\\b'"],
  ['say "x"', "'say \"x\"'", "'say \"x\"'"],
  ["a:b", "'a:b'", "'a:b'"],
  ["#x", "'#x'", "'#x'"],
  ["x#", "x#", "'x#'"],
  ["~", "'~'", "'~'"],
  ["{", "'{'", "'{'"],
  ["{}", "{}", "'{}'"],
  ["-n", "-n", "'-n'"],
  ["é", "é", "'é'"],
  ["’", "’", "'’'"],
  ["bad\udcff", "'bad'$'\\377'", "'bad'$'\\377'"],
  ["'\udcff", "''\\'''$'\\377'", "''\\'''$'\\377'"],
  ["nul\u0001", "'nul'$'\\001'", "'nul'$'\\001'"],
  ["\u200bzero", "\u200bzero", "'\u200bzero'"],
  ["", "''", "''"],
  ["a=b", "'a=b'", "'a=b'"],
  ["x y:z", "'x y:z'", "'x y:z'"],
];

describe.each(STYLES.map((style, column) => [style, column] as const))("%s", (style, column) => {
  test.each(styled)("%j", (...row) => expect(quoteInStyle(row[0] as string, style, style === "escape" ? " " : "")).toBe(row[column + 1]));
});

describe("names in messages", () => {
  test.each(missing)("%j", (name, inCat, inLs) => {
    expect(quoteName(name)).toBe(inCat);
    expect(quoteAlways(name)).toBe(inLs);
  });
});

test("literal is the name itself, and both locale styles are the same", () => {
  for (const [name = ""] of styled) {
    expect(quoteInStyle(name, "literal")).toBe(name);
    expect(quoteInStyle(name, "clocale")).toBe(quoteInStyle(name, "locale"));
    expect(quoteCurly(name)).toBe(quoteInStyle(name, "locale"));
  }
});

test("further characters to quote", () => {
  expect(quoteInStyle("a b", "escape", " ")).toBe("a\\ b");
  expect(quoteInStyle("a=b", "c-maybe", "=")).toBe('"a=b"');
  expect(quoteInStyle("a@b", "shell", "@")).toBe("'a@b'");
  expect(quoteInStyle("a@b", "c", "@")).toBe('"a\\@b"');
});

needs("bash").test("a word for a command line is read back by bash as it was", {}, () => {
  for (const name of [...styled.map((row) => row[0] as string), "", "a;b", "$(x)"]) {
    if (!name.isWellFormed()) continue;
    expect(execFileSync("bash", ["-c", `printf %s ${quoteWord(name)}`], { encoding: "utf8" })).toBe(name);
  }
});

const env = { PATH: `${oracle}:/usr/bin:/bin`, LC_ALL: "C.UTF-8" };

needs(ORACLE).test("the table against the real tools", { timeout: 60_000 }, () => {
  const named = (tool: string, name: string): string => {
    const octal = [...toBytes(name)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    const ran = spawnSync("bash", ["--norc", "-c", `${tool} -- $'${octal}'`], { env, cwd: "/" });
    return toText(ran.stderr);
  };
  for (const [name, inCat, inLs] of missing) {
    expect(named("cat", name)).toBe(`cat: ${inCat}: No such file or directory\n`);
    expect(named("ls", name)).toBe(`ls: cannot access ${inLs}: No such file or directory\n`);
  }
  compareWithLs(styled.map((row) => row[0] as string));
});

needs(ORACLE).test("random names against the real ls", { timeout: 60_000 }, () => {
  const pieces = [
    ..."ab'\"\\ \n\t\u0007\u007f#~{}?*:$`!=^[]1@|,-",
    "é",
    "\u200b",
    "\u0085",
    "あ",
    "\udcff",
    "\udcc3",
    "’",
    "😀",
    "\udce2\udc80",
  ];
  const names = fc.sample(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => toText(toBytes(parts.join("")))),
    2_000,
  );
  compareWithLs(names);
});

function compareWithLs(names: readonly string[]): void {
  const place = tree([]);
  for (const name of names) writeFileSync(toBytes(`${place.path}/${name}`), "");
  const list = (style: string): string[] => {
    const listed = execFileSync("ls", ["-A", "-U", "--zero", `--quoting-style=${style}`], { cwd: place.path, env, maxBuffer: 1 << 28 });
    return toText(listed).split("\0").slice(0, -1);
  };
  const raw = list("literal");
  for (const style of QUOTING_STYLES) {
    expect(raw.map((name) => quoteInStyle(name, style, style === "escape" ? " " : ""))).toEqual(list(style));
  }
  place.remove();
}
