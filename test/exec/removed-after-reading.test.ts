/**
 * A file that another program changes after a line has read it, and before the same line removes or moves it: CONFLICT. The other
 * program is the line's standard input, which changes the files when `read` asks for it.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/exec/result.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

const MANY = 2500;
const LINES = [
  "f: x DONE\n",
  "g: other\n",
  "a.log: x DONE\n",
  "b.log: x DONE\n",
  'json: {"a": 1}\n',
  "hard: x\n",
  "link => f",
  "old/",
  "d/in: x DONE\n",
];
/** More than is read without a thread. */
const MANY_FILES = Array.from(
  { length: MANY },
  (_, number) => `many/${number % 5}/${number}: ${number % 100 === 0 ? "OLD" : "new"} ${number}\n`,
);

let place: Tree;
afterEach(() => place.remove());

const plant = (line = ""): void => {
  place = tree(line.includes("many") ? [...LINES, ...MANY_FILES] : LINES);
};

const at = (name: string): string => `${place.path}/${name}`;

/** Makes the file longer, in place. */
const grow = (name: string) => (): void => writeFileSync(at(name), "more\n", { flag: "a" });

/** Other bytes of the same length in place, at the same time of modification. */
const disguise = (name: string) => (): void => {
  const { atimeMs, mtimeMs, size } = statSync(at(name));
  writeFileSync(at(name), "y".repeat(size));
  utimesSync(at(name), atimeMs / 1000, mtimeMs / 1000);
};

/** Another file of the same bytes in its place. */
const replace = (name: string) => (): void => {
  writeFileSync(at("fresh"), readFileSync(at(name)));
  renameSync(at("fresh"), at(name));
};

type Isolation = "none" | "process";

/** Runs `line`, whose input `meanwhile` is called for when it is asked for. */
async function ran(line: string, meanwhile: () => void, isolation: Isolation = "none"): Promise<RunResult> {
  let left = 3;
  const stdin = new Readable({
    highWaterMark: 0,
    read() {
      if (left-- === 3) meanwhile();
      this.push(left < 0 ? null : "\n");
    },
  });
  const shell = await Shell.open({ root: place.path, isolation });
  try {
    return (await shell.defaultSession.run(line, { stdin })).result;
  } finally {
    await shell.close();
  }
}

const NAMES = ["f", "g", "a.log", "b.log", "json", "hard", "d/in", "old/a.log", "old/b.log", "old/f", "many/0/0", "many/0/100"];
const there = (): readonly string[] => NAMES.filter((name) => existsSync(at(name)));

interface Row {
  readonly line: string;
  /** The file that is changed meanwhile. */
  readonly file: string;
  readonly how?: (name: string) => () => void;
}

const REFUSED: readonly Row[] = [
  { line: "grep -q DONE f && read -r _ && rm f", file: "f" },
  { line: "grep -q DONE f && read -r _ && rm f", file: "f", how: disguise },
  { line: "grep -q DONE f && read -r _ && rm f", file: "f", how: replace },
  { line: "cat f | tee copy; read -r _; rm f", file: "f" },
  { line: "cp f copy && read -r _ && rm f", file: "f" },
  { line: "while read -r l; do :; done < f; read -r _; rm f", file: "f" },
  { line: "x=$(<f); read -r _; rm $PWD/f", file: "f" },
  { line: "cat link; read -r _; rm f", file: "f" },
  { line: "cd d; cat in; read -r _; cd ..; rm -r d", file: "d/in" },
  { line: "grep -rq KEEP d || { read -r _; rm -r d; }", file: "d/in" },
  { line: "grep -q DONE f g; read -r _; rm g f", file: "f" },
  { line: "grep -q DONE f && read -r _ && mv f old/", file: "f" },
  { line: "cat d/in; read -r _; mv d old/", file: "d/in" },
  { line: 'for f in *.log; do grep -q DONE "$f" && read -r _ && mv "$f" old/; done', file: "a.log" },
  { line: "l=$(rg -l DONE . -g '*.log'); read -r _; echo \"$l\" | xargs rm", file: "b.log" },
  { line: 'l=$(rg -l OLD many); read -r _; echo "$l" | xargs rm', file: "many/0/100" },
  { line: 'l=$(grep -rl OLD many); read -r _; echo "$l" | xargs rm', file: "many/0/100" },
  { line: "grep -rq KEEP many || { read -r _; rm -r many; }", file: "many/3/103" },
  { line: "rg -q KEEP many || { read -r _; rm -r many; }", file: "many/3/103" },
  { line: "find . -name f -exec grep -q DONE {} \\; -exec head -c1 - \\; -delete", file: "f" },
  { line: "find . -name f -exec grep -q DONE {} \\; -exec sh -c 'read -r _; rm f' \\;", file: "f" },
  { line: "go() { grep -q DONE f && read -r _ && rm f; }; go", file: "f" },
  { line: "a='-f f'; cat f; read -r _; rm $a", file: "f" },
  { line: "a='f old'; cat f; read -r _; mv $a", file: "f" },
  // jq's module reads in a thread of its own.
  { line: "jq '.a | @base32d' json; sleep 0.05; read -r _; rm json", file: "json" },
];

describe("what was read is not what would be removed", () => {
  test.each(REFUSED)("$line ($file)", async ({ line, file, how = grow }) => {
    plant(line);
    const before = there();
    const result = await ran(line, how(file));
    expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "CONFLICT" }] });
    expect(there()).toEqual(before);
  });

  test.each(REFUSED.slice(0, 1).concat(REFUSED.filter(({ line }) => /many|find/.test(line))))(
    "in the executor: $line ($file)",
    async ({ line, file, how = grow }) => {
      plant(line);
      const before = there();
      const result = await ran(line, how(file), "process");
      expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "CONFLICT" }] });
      expect(there()).toEqual(before);
    },
  );

  test("the refusal says why", async () => {
    plant();
    const removal = await ran("cat f; read -r _; rm f", grow("f"));
    expect(removal).toMatchObject({ violations: [{ detail: "'f': It has changed since this line read it; nothing was removed." }] });
    const move = await ran("cat f; read -r _; mv f old", grow("f"));
    expect(move).toMatchObject({ violations: [{ detail: "'f': It has changed since this line read it; nothing was moved." }] });
  });
});

interface Allowed extends Partial<Row> {
  readonly line: string;
  readonly gone: readonly string[];
}

const ALLOWED: readonly Allowed[] = [
  { line: "grep -q DONE f && read -r _ && rm f", gone: ["f"] },
  { line: "read -r _; rm f", file: "f", gone: ["f"] },
  { line: "cat g; read -r _; rm f", file: "f", gone: ["f"] },
  { line: "cat f; read -r _; rm g", file: "f", gone: ["g"] },
  { line: "cat f; read -r _; rm link", file: "f", gone: ["link"] },
  { line: "cat f; read -r _; cat f; rm f", file: "f", gone: ["f"] },
  { line: "until grep -q more f; do read -r _; done; rm f", file: "f", gone: ["f"] },
  { line: "stat f; test -s f; read -r _; rm f", file: "f", gone: ["f"] },
  // Its own changes.
  { line: "cat f | tee f; rm f", gone: ["f"] },
  { line: "cat f | tee -a f; mv f old/", gone: ["f"] },
  { line: "sed -i s/x/y/ f && mv f new && cat new && rm new", gone: ["f", "new"] },
  { line: "cat f; touch f; rm f", gone: ["f"] },
  { line: "cat f; touch -d 2001-01-01 f; rm f", gone: ["f"] },
  { line: "sort -o f f; rm f", gone: ["f"] },
  { line: "cat f g; cp g f; rm f", gone: ["f"] },
  { line: "cat f g; mv g f; cat f; rm f", gone: ["f", "g"] },
  { line: "cat f; rm f; undo; rm f", gone: ["f"] },
  { line: "cat d/in; mv d e; mv e d; rm -r d", gone: ["d/in"] },
  { line: "cat f; echo x > /tmp/f; cat /tmp/f; echo more > /tmp/f; rm /tmp/f; rm f", gone: ["f"] },
  { line: "echo x > /tmp/f; cat /tmp/f; read -r _; rm f", file: "f", gone: ["f"] },
  // Several at once.
  { line: "rg -l OLD many | xargs rm", gone: ["many/0/0", "many/0/100"] },
  { line: "grep -rl OLD many | xargs -n 1 rm", gone: ["many/0/0", "many/0/100"] },
  { line: "grep -rq KEEP many || rm -r many/0", gone: ["many/0"] },
  { line: "find . -name '*.log' -exec grep -q DONE {} \\; -delete", gone: ["a.log", "b.log"] },
  { line: 'for f in *.log; do grep -q DONE "$f" && mv "$f" old/; done', gone: ["a.log", "b.log"] },
  { line: "jq '.a | @base32d' json; rm json", gone: ["json"] },
  { line: "jq '.a | @base32d' json; touch json; rm json", gone: ["json"] },
];

describe("what was read is removed", () => {
  test.each(ALLOWED)("$line", async ({ line, file, gone, how = grow }) => {
    plant(line);
    // Changed directly before the call.
    for (const name of ["f", "g", "a.log", "json"]) utimesSync(at(name), new Date(), new Date());
    const result = await ran(line, file === undefined ? () => {} : how(file));
    expect(result).toMatchObject({ kind: "completed" });
    for (const name of gone) expect(existsSync(at(name))).toBe(false);
  });

  test("each of two names of one file", async () => {
    plant();
    rmSync(at("hard"));
    linkSync(at("f"), at("hard"));
    expect(await ran("cat f hard; rm f; rm hard", () => {})).toMatchObject({ kind: "completed", exit: 0 });
    expect(there()).not.toContain("hard");
  });
});

test("nothing of a transaction is removed", async () => {
  plant();
  mkdirSync(at("e"));
  expect(await ran("cat f; read -r _; rm -r g f e", grow("f"))).toMatchObject({ kind: "refused" });
  expect([existsSync(at("g")), existsSync(at("e"))]).toEqual([true, true]);
});
