/**
 * A repository for git blame -M, -C, --reverse and --incremental: blocks that moved within a file, were copied within it, from files that
 * the same commit changed, removed or left alone, and from earlier ones; with renames, changed white space, merges, a file that stands
 * for a directory of before, and a working tree that copies too.
 */
import { appendFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

const block = (name: string, count: number): string[] => [
  `function ${name}(value) {`,
  ...Array.from({ length: count }, (_, index) => `  ${name}Step${index}(value, ${index * 7});`),
  "}",
  "",
];

export function makeCopiesRepository(): Made {
  const maker = new Maker();
  const files = new Map<string, string[]>();
  const put = (name: string, ...parts: readonly (readonly string[])[]): void => void files.set(name, parts.flat());
  const of = (name: string): string[] => files.get(name) ?? [];
  const commit = (message: string): void => {
    for (const [name, text] of files) maker.write(name, text.map((line) => `${line}\n`).join(""));
    maker.commit(message);
  };
  const remove = (name: string): void => {
    files.delete(name);
    rmSync(`${maker.path}/${name}`);
  };
  const rename = (from: string, to: string): void => {
    put(to, of(from));
    files.delete(from);
    maker.write(to, "");
    renameSync(`${maker.path}/${from}`, `${maker.path}/${to}`);
  };
  maker.git("init", "-q", "-b", "main", ".");
  put("a.js", block("alpha", 6), block("beta", 8), block("gamma", 5));
  put("lib/b.js", block("delta", 9), ["x", "y", ""], block("epsilon", 4));
  put("sub/deep/ü.js", block("zeta", 7), ["}", "}", ""]);
  put("same/one.js", block("twin", 6));
  put("same/two.js", block("twin", 6));
  commit("the beginning");
  put("a.js", block("gamma", 5), block("alpha", 6), ["// between"], block("beta", 8));
  commit("a block moves up");
  put("a.js", of("a.js"), block("delta", 9).slice(2, 9), block("twin", 6));
  put("lib/b.js", of("lib/b.js").slice(0, 4), ["x2", "y", ""], block("epsilon", 4));
  commit("lines go from one file to another");
  put("new.js", block("zeta", 7), ["// new"], block("twin", 6), block("alpha", 6).slice(1, 5));
  commit("a new file of copies from files that stay");
  maker.git("tag", "-a", "v1", "-m", "v1");
  maker.git("checkout", "-q", "-b", "side");
  put("side.js", block("beta", 8), block("side", 6), block("epsilon", 4));
  put("lib/b.js", of("lib/b.js"), block("side", 6));
  commit("on the side");
  maker.git("checkout", "-q", "main");
  files.delete("side.js");
  put("lib/b.js", of("lib/b.js").slice(0, -block("side", 6).length));
  rename("same/one.js", "same/three.js");
  put("same/three.js", of("same/three.js"), block("alpha", 6), ["tail"]);
  commit("renamed, with more");
  put(
    "a.js",
    of("a.js").map((line, index) => (index % 3 === 0 ? `\t${line.trim()} ` : line)),
  );
  commit("white space");
  maker.git("merge", "-q", "--no-ff", "-m", "the merge", "side");
  put("side.js", block("beta", 8), block("side", 6), block("epsilon", 4));
  put("lib/b.js", of("lib/b.js"), block("side", 6));
  remove("sub/deep/ü.js");
  put("a.js", of("a.js").slice(0, 12), block("zeta", 7), of("a.js").slice(8, 20), of("a.js").slice(12));
  commit("from a file that goes, and twice from itself");
  put("short.js", ["a", "b", "x2", "y", "{", "}", "", "epsilonStep1"]);
  rename("new.js", "lib/newer.js");
  put("lib/newer.js", of("lib/newer.js").slice(0, 8), block("side", 6), of("lib/newer.js").slice(8));
  commit("renamed with a copy");
  remove("short.js");
  put("short.js/inner.js", of("same/two.js"), block("gamma", 5).slice(0, 4));
  symlinkSync("a.js", `${maker.path}/link.js`);
  maker.git("rm", "-q", "--cached", "short.js");
  commit("a directory in the place of a file");
  maker.git("tag", "end");
  maker.write("lib/b.js", [...of("lib/b.js").slice(3), ...block("alpha", 6), ...block("omega", 3), ""].join("\n"));
  maker.git("add", "lib/b.js");
  appendFileSync(`${maker.path}/lib/b.js`, `${block("twin", 6).join("\n")}\n`);
  maker.write("staged.js", `${[...block("beta", 8), ...block("delta", 9)].join("\n")}\n`);
  maker.git("add", "staged.js");
  rmSync(`${maker.path}/same/two.js`);
  maker.git("rm", "-q", "--cached", "same/two.js");
  return maker.made();
}
