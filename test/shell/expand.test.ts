/** Globs and `~` in a real tree, held against bash; then what bash has no word for: flags, the root, limits. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Argument } from "../../src/builtin/arguments.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toBytes } from "../../src/io/text.ts";
import { MOST_NAMES, Pathnames } from "../../src/shell/expand.ts";
import { parseLine } from "../../src/shell/parse.ts";
import type { Word } from "../../src/shell/tree.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { askBash, type BashAnswer } from "./bash-lines.ts";

let outside: string;
let root: string;

beforeAll(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-expand-")));
  root = join(outside, "root");
  for (const directory of ["root/src/deep/er", "root/.hidden", "root/empty", "root/[x]", "root/a b", "root/.shelpa", "other"])
    mkdirSync(join(outside, directory), { recursive: true });
  for (const file of [
    "a",
    "b",
    "ab",
    "B",
    "A",
    "a.ts",
    "b.ts",
    ".dot",
    ".dot.ts",
    "-rf",
    "--help",
    "*",
    "é",
    "日本",
    "\u{1F600}",
    "\uFFEE",
    "a-b",
    "a]b",
    "a\\b",
    "1",
    "10",
    "2",
    "_",
    "~",
    "{a,b}",
    "a\nb",
    "src/x.ts",
    "src/y.ts",
    "src/.z.ts",
    "src/deep/x.ts",
    "src/deep/er/x.ts",
    "[x]/in",
    "a b/c d",
    ".hidden/h",
    "empty/.only",
  ])
    writeFileSync(join(root, file), "");
  writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.of(0xff, 0xc3)]), "");
  writeFileSync(join(root, ".shelpa/record"), "");
  writeFileSync(join(outside, "other/secret.ts"), "");
  for (const [link, target] of [
    ["link", "src"],
    ["dangling", "nowhere"],
    ["loop", "loop"],
    ["filelink", "a.ts"],
    ["out", "../other"],
  ] as const)
    symlinkSync(target, join(root, link));
});

afterAll(() => rmSync(outside, { recursive: true, force: true }));

function words(line: string): readonly Word[] {
  const parsed = parseLine(line);
  const command = parsed.kind === "parsed" ? parsed.list.items[0]?.pipeline.commands[0] : undefined;
  if (command?.kind !== "simple") throw new Error(`not one command: ${line}`);
  return command.words.slice(1);
}

function argumentsOf(all: readonly Word[], files: Files): readonly Argument[] {
  const pathnames = new Pathnames(files);
  return all.flatMap((word) => pathnames.expand(word));
}

const expanded = (line: string, files: Files = Workspace.open(root)): readonly string[] =>
  argumentsOf(words(line), files).map((argument) => argument.text);

const LINES: readonly string[] = [
  "t *",
  "t .*",
  "t */",
  "t */*",
  "t */*.ts",
  "t src/*",
  "t src/**/*.ts",
  "t **",
  "t src//*.ts",
  "t ./*.ts",
  "t src/./*.ts",
  "t src/../*.ts",
  "t link/*",
  "t */x.ts",
  "t */deep/*",
  "t *.ts",
  "t ?",
  "t ??",
  "t [ab]",
  "t [!ab]",
  "t [^ab]",
  "t [a-b]",
  "t [A-B]*",
  "t [[:upper:]]",
  "t [[:alpha:]]",
  "t [[:digit:]]*",
  "t [[:punct:]]*",
  "t [![:alnum:]]",
  "t a*b",
  "t a\\*b",
  "t 'a*b'",
  't "a"*',
  "t [a",
  "t []]",
  "t a[]]b",
  "t a[\\]]b",
  "t a[']']b",
  't a"]"b*',
  "t \\**",
  "t '*'*",
  "t [*]",
  "t [?]",
  "t \\[x\\]/*",
  "t [[]x]/*",
  "t [x]/*",
  "t nope*",
  "t nope/*",
  "t 'q u'*nope",
  "t nope[\\*]",
  "t nope\\**",
  "t a/*",
  "t a.ts/*",
  "t d*",
  "t l*",
  "t lo*",
  "t f*/",
  "t link*/",
  "t o*",
  "t e*/*",
  "t e*/.*",
  "t .[!.]*",
  "t .d*",
  "t [.]d*",
  "t \\.d*",
  "t '.'d*",
  "t *\n",
  "t {a,b}*",
  "t {src,nope}/*.ts",
  "t *{a,b}",
  "t ~",
  "t ~/",
  "t ~/*.ts",
  "t ~/src/*",
  "t ~/nope*",
  "t a\\ b/*",
  "t 'a b'/*",
  "t *\\ */*",
  "t *b",
  "t bad*",
  "t bad?",
  "t bad??",
  "t bad$'\\xff'*",
  "t \u65e5*",
  "t [\u65e5\u00e9]*",
  "t [\u00e0-\u00ff]",
  "t -*",
  "t --*",
  "t _",
  "t [_-_]",
  "t [z-a]",
  "t [[.a.]]",
  "t [[=a=]]",
  "t [[:nope:]]",
  "t [a-]",
  "t [-a]",
  "t [!-a]",
  "t [a/b]*",
  "t s[r/]c/*",
  "t */..",
  "t */.",
  "t src/*/..",
  "t */../a",
  "t ?*?*?*?*?",
  "t ***a",
  "t [~]",
  "t \\~*",
  "t src/",
  "t */deep/",
  "t */deep",
  "t *//deep",
  "t src/d*//x.ts",
  "t */*//x.ts",
  "t s*///",
  "t s*/deep//x.ts",
  "t s*/nope//x.ts",
];

test("a tree of awkward names: the same words as bash", () => {
  // Our own record directory is out of every wildcard's reach; bash does not know about it.
  const lines = LINES.filter((line) => !/^t \.\*$|^t \.\[/.test(line));
  const bash = askBash(lines, { setup: "", home: root, directory: root });
  const seen = lines.map((line) => ({
    line,
    words: toBytes(
      `${expanded(line)
        .map((word) => `<${word}>`)
        .join("")}\n`,
    ).toString("latin1"),
  }));
  expect(seen).toEqual(
    lines.map((line, index) => ({ line, words: withoutOutside((bash[index] as BashAnswer).stdout.toString("latin1")) })),
  );
}, 60_000);

test("generated patterns: the same words as bash", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "s",
    "*",
    "*",
    "?",
    "[",
    "]",
    "[a-c]",
    "[!a]",
    ".",
    "/",
    "src",
    "-",
    "\\*",
    "'b'",
    "[[:alpha:]]",
    "ts",
    "~",
    "1",
    "é",
    "\\[",
    "x",
    "deep",
    "[^x]",
    "\\\\",
  );
  const runs = Number(process.env["SHELPA_FUZZ_RUNS"] ?? 300);
  const lines = fc
    .sample(fc.array(piece, { minLength: 1, maxLength: 7, size: "max" }), {
      numRuns: runs,
      seed: Number(process.env["SHELPA_FUZZ_SEED"] ?? 5),
    })
    .map((pieces) => `t ${pieces.join("")}`)
    .filter((line) => parseLine(line).kind === "parsed" && !/\.\.|t \/|~|\/\//.test(line));
  expect(lines.length).toBeGreaterThan(runs / 3);
  const bash = askBash(lines, { setup: "", home: root, directory: root });
  const differences = lines.flatMap((line, index) => {
    const ours = toBytes(
      `${expanded(line)
        .map((word) => `<${word}>`)
        .join("")}\n`,
    ).toString("latin1");
    const theirs = withoutOutside((bash[index] as BashAnswer).stdout.toString("latin1"));
    return ours === theirs ? [] : [{ line, ours, theirs }];
  });
  expect(differences).toEqual([]);
}, 150_000);

/** bash follows `out` above the root and sees `.shelpa`; both do not exist here. */
function withoutOutside(text: string): string {
  return text.replace(/<out\/[^>]*>/g, "").replace(/<\.shelpa[^>]*>/g, "");
}

test("our record directory is matched by name only", () => {
  expect(expanded("t .*")).toEqual([".dot", ".dot.ts", ".hidden"]);
  expect(expanded("t .s*")).toEqual([".s*"]);
  expect(expanded("t src/../.s*")).toEqual(["src/../.s*"]);
  expect(expanded("t .shelpa/*")).toEqual([".shelpa/record"]);
});

test("what leads out of the root matches nothing and stays as typed", () => {
  for (const pattern of ["../*", "out/*", "*/secret.ts", "/etc/*", "src/../../other/*", "/*"])
    expect(expanded(`t ${pattern}`)).toEqual([pattern]);
});

test("an absolute pattern under the root prints its prefix as typed", () => {
  expect(expanded(`t ${root}/src/*.ts`)).toEqual([`${root}/src/x.ts`, `${root}/src/y.ts`]);
  expect(expanded(`t ${root}//src/x*`)).toEqual([`${root}//src/x.ts`]);
});

test("the current directory is where a relative pattern starts", () => {
  expect(expanded("t *", Workspace.open(root).at("src"))).toEqual(["deep", "x.ts", "y.ts"]);
  expect(expanded("t ~/*.ts ../*.ts", Workspace.open(root).at("src"))).toEqual([`${root}/a.ts`, `${root}/b.ts`, "../a.ts", "../b.ts"]);
});

test("what came from a pattern or ~ is never a flag", () => {
  const files = Workspace.open(root);
  expect(argumentsOf(words("t -n -* -q* ~ '-z'"), files)).toEqual([
    { text: "-n" },
    { text: "--help", operandOnly: true },
    { text: "-rf", operandOnly: true },
    { text: "-q*" },
    { text: root },
    { text: "-z" },
  ]);
});

test("too many names are a limit, not a long wait", () => {
  const entries = Array.from({ length: 1000 }, (_, index) => ({ name: `d${index}`, kind: "directory" as const }));
  const absent = new FileError("ENOENT", "nope");
  const status = (): never => {
    throw absent;
  };
  const files = { rootPath: "/w", status, openDirectory: () => ({ entries: () => entries.values(), close: () => {} }) } as unknown as Files;
  expect(() => argumentsOf(words("t */*"), files)).toThrow(LimitReached);
  expect(() => argumentsOf(words("t */*/*/nope"), files)).toThrow(new LimitReached("held", MOST_NAMES, "files looked at for a pattern"));
});
