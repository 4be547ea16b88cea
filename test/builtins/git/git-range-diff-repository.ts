/**
 * A series of commits in several versions: reordered, dropped, added and amended commits, changed messages, renames, commits of the same
 * change, and the series on another base.
 */
import { chmodSync, rmSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

type Files = Map<string, readonly string[]>;

interface Step {
  readonly message: string;
  readonly edits: readonly ((files: Files) => void)[];
}

const lines = (seed: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    at % 9 === 0 ? `int f${at}_${seed}(void)` : at % 7 === 6 ? "" : `  step(${seed}, ${(at * seed) % 13});`,
  );

const replace =
  (name: string, at: number, count: number, ...text: readonly string[]) =>
  (files: Files): void =>
    void files.set(name, (files.get(name) ?? []).toSpliced(at, count, ...text));
const create =
  (name: string, ...text: readonly string[]) =>
  (files: Files): void =>
    void files.set(name, text);
const remove =
  (name: string) =>
  (files: Files): void =>
    void files.delete(name);
const move =
  (from: string, to: string) =>
  (files: Files): void => {
    const text = files.get(from) ?? [];
    files.delete(from);
    files.set(to, [...text, "moved"]);
  };

const SERIES: readonly Step[] = [
  { message: "Change the first file", edits: [replace("f0.c", 3, 1, "  changed();", "  twice();")] },
  { message: "Add a file\n\nWith a body of\ntwo lines and an ü.", edits: [create("dir/new file.c", ...lines(7, 12))] },
  { message: "Change two files\n\n\tWith a tab.", edits: [replace("f1.c", 10, 2, "  one();"), replace("f2.c", 20, 0, "  two();")] },
  { message: "Move a file", edits: [move("f3.c", "dir/moved.c")] },
  { message: "Remove a file", edits: [remove("f4.c")] },
  { message: "Change the first file again", edits: [replace("f0.c", 25, 3, "  again();")] },
  { message: "An empty commit", edits: [] },
  { message: "Change the end", edits: [replace("f1.c", 38, 2, "  end();"), replace("f2.c", 0, 1, "int first(void)")] },
  { message: "Füge etwas hinzu", edits: [replace("f2.c", 30, 0, "  äöü();", "", "int g(void)", "  g();")] },
];

const amended = (step: Step, ...edits: Step["edits"]): Step => ({ ...step, edits: [...step.edits, ...edits] });
const at = (index: number): Step => SERIES[index] as Step;

const NEW: readonly Step[] = [
  at(1),
  amended(at(0), replace("f0.c", 5, 0, "  amended();")),
  { ...at(2), message: "Change two files, said otherwise\n\n\tWith a tab.\n\nSigned-off-by: Ada <ada@example.org>" },
  { message: "A commit that is new", edits: [create("new.c", ...lines(3, 20))] },
  at(3),
  at(5),
  amended(at(7), replace("f1.c", 20, 1, "  fixed();"), create("extra.c", "extra")),
  { ...at(8), message: "Füge etwas hinzu, und mehr" },
];

const THIRD: readonly Step[] = [
  ...NEW.slice(4),
  ...NEW.slice(0, 3),
  { message: "At the end", edits: [remove("f1.c"), create("link.c", "x")] },
  at(4),
  { message: "Change the first file", edits: [replace("f0.c", 3, 1, "  changed();", "  otherwise();"), replace("f0.c", 30, 4)] },
];

const TWINS: readonly Step[] = Array.from({ length: 4 }, (_, count) => [
  { message: `Turn it on ${count}`, edits: [replace("f0.c", 0, 1, "on")] },
  { message: `Turn it off ${count}`, edits: [replace("f0.c", 0, 1, "off")] },
]).flat();

export function makeSeriesRepository(): Made {
  const maker = new Maker();
  const base: Files = new Map([0, 1, 2, 3, 4].map((seed) => [`f${seed}.c`, lines(seed + 1, 40)]));
  let written: Files = new Map();
  const write = (files: Files): void => {
    for (const name of written.keys()) if (!files.has(name)) rmSync(`${maker.path}/${name}`);
    for (const [name, text] of files) maker.write(name, text.join("\n") + (name === "f2.c" ? "" : "\n"));
    written = new Map(files);
  };
  const build = (branch: string, steps: readonly Step[], from = "base", start = base): void => {
    maker.git("checkout", "-q", "-B", branch, from);
    const files = new Map(start);
    written = new Map(start);
    for (const { message, edits } of steps) {
      for (const edit of edits) edit(files);
      write(files);
      if (message === "Change the end") chmodSync(`${maker.path}/f0.c`, branch === "new" ? 0o755 : 0o644);
      maker.commit(message);
    }
  };
  maker.git("init", "-q", "-b", "main");
  write(base);
  maker.commit("The base");
  maker.git("branch", "base");
  build("old", SERIES);
  maker.git("notes", "add", "-m", "A note\nof two lines", "old~2");
  build("new", NEW);
  maker.git("notes", "add", "-m", "Another note", "new~1");
  build("third", THIRD);
  build("twins", TWINS);
  build("twice", [...TWINS.slice(2), ...TWINS.slice(0, 4), ...TWINS.slice(1, 3)]);
  maker.git("checkout", "-q", "main");
  const moved = new Map(base);
  replace("f0.c", 12, 1, "  main goes on();")(moved);
  replace("f1.c", 8, 1, "  main goes on();")(moved);
  written = new Map(base);
  write(moved);
  maker.commit("Main goes on");
  build("rebased", SERIES, "main", moved);
  maker.git("checkout", "-q", "main");
  return maker.made();
}
