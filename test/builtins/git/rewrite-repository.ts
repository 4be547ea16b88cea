/**
 * A repository for -B: files that were written anew in part and in whole, swapped and turned in a ring, replaced while their old
 * content went on elsewhere, small, empty and binary ones, links in the place of files; in commits, the index and the working tree.
 */
import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

const lines = (name: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `${name} says ${(index + from) * 7919} and ${"abcdefgh".repeat(1 + ((index + from) % 3))}`);
const text = (...parts: readonly (readonly string[])[]): string =>
  parts
    .flat()
    .map((line) => `${line}\n`)
    .join("");

export function makeRewriteRepository(): Made {
  const maker = new Maker();
  const write = (files: Readonly<Record<string, string>>): void => Object.entries(files).forEach(([name, of]) => maker.write(name, of));
  const link = (name: string, target: string): void => {
    rmSync(`${maker.path}/${name}`, { force: true });
    symlinkSync(target, `${maker.path}/${name}`);
  };
  maker.git("init", "-q", "-b", "main", ".");
  write({
    a: text(lines("a", 30)),
    b: text(lines("b", 40)),
    "d/c": text(lines("c", 25)),
    "with space": text(lines("space", 20)),
    small: text(lines("small", 4)),
    shrunk: text(lines("shrunk", 60)),
    grown: text(lines("grown", 12)),
    bin: `\0${text(lines("bin", 30))}`,
    empty: "",
    linked: text(lines("linked", 20)),
  });
  maker.commit("one");
  write({ a: text(lines("b", 40)), b: text(lines("a", 30)), small: text(lines("other", 4)) });
  maker.commit("two are swapped");
  write({ a: text(lines("new a", 35)), "d/c": text(lines("c", 3), lines("new c", 30)), "with space": text(lines("new", 18)).trimEnd() });
  maker.commit("written anew");
  write({ a: text(lines("c", 25)), "d/c": text(lines("a", 28)), b: text(lines("new a", 35)), moved: text(lines("a", 30)) });
  maker.commit("a ring, and what was there goes elsewhere");
  write({ shrunk: text(lines("shrunk", 6)), grown: text(lines("grown", 12), lines("grown", 90, 50)), bin: `\0${text(lines("nib", 30))}` });
  write({ empty: text(lines("full", 20)), "d/f": text(lines("a", 20), lines("x", 5)) });
  chmodSync(`${maker.path}/b`, 0o755);
  write({ b: text(lines("quite another b", 30)) });
  maker.commit("less, more and other bytes");
  link("linked", "a");
  write({ target: text(lines("linked", 20)), a: text(lines("c", 12), lines("more", 12)) });
  maker.commit("a link in the place of a file");
  write({ b: text(lines("d/c", 22)), moved: text(lines("quite another b", 30)), shrunk: text(lines("staged", 22)) });
  maker.git("add", "-A");
  write({ "d/c": text(lines("working", 30)), grown: text(lines("a", 28)) });
  return maker.made();
}
