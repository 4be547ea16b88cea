/**
 * Directories outside any repository that git diff --no-index compares (files, links and modes of every kind, renames, a file in the
 * place of a directory), and a repository beside them whose attributes change how its files are read.
 */
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

const CODE = "class X {\npublic:\nlong f()\n{\na\nb\nc\nd\ne\nf\n}\n};\n";
const NUMBERS = "1\n2\n3\n4\n5\n6\n7\n8\n";

const FILES: Readonly<Record<string, string>> = {
  "A/numbers": NUMBERS,
  "B/more numbers": `${NUMBERS}9\n`,
  "A/same": "same\n",
  "B/same": "same\n",
  "A/d/m": "one\n",
  "B/d/m": "two\n",
  "A/d/gone": "gone\n",
  "B/d/new": "new\n",
  "A/t/x": "f\n",
  "B/t/x/in": "in\n",
  "A/bin": "a\0b",
  "B/bin": "a\0c",
  "A/exact": "exact rename content\n",
  "B/exactly": "exact rename content\n",
  "A/mode": "m\n",
  "B/mode": "m\n",
  "B/ü": "ü\n",
  "A/empty": "",
  "A/blank": "a \nb\n",
  "B/blank": "a\nb \n",
  "rep/.gitattributes": "*.c diff=cpp\n*.bin binary\n*.t text\n*.id ident\n",
  "rep/x.c": CODE,
  "rep/y.c": CODE.replace("f\n}", "F\n}"),
  "rep/sub/x.c": CODE,
  "rep/a.t": "a\r\nb\r\n",
  "rep/b.t": "a\nB\n",
  "rep/c.t": "a\nb\n",
  "rep/one.bin": "one\ntwo\n",
  "rep/two.bin": "one\nTwo\n",
  "rep/a.id": "$Id: abc $\nx\n",
  "rep/b.id": "$Id$\ny\n",
  "out/y.c": CODE.replace("c\n", "C\n"),
  "out/a.t": "a\r\nb\r\n",
  "out/b.t": "a\nB\n",
};

export function makeNoIndexRepository(): Made {
  const maker = new Maker();
  for (const [name, text] of Object.entries(FILES)) maker.write(name, text);
  chmodSync(`${maker.path}/B/mode`, 0o755);
  for (const [name, target] of [
    ["A/l", "numbers"],
    ["B/l", "same"],
    ["A/ld", "d"],
  ])
    symlinkSync(target as string, `${maker.path}/${name}`);
  mkdirSync(`${maker.path}/none`);
  maker.git("init", "-q", "-b", "main", "rep");
  maker.below("rep", "add", ".");
  maker.below("rep", "commit", "-qm", "one");
  return maker.made();
}
