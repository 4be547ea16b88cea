/** Random trees with ignore files, and what a walk with an ignore scope shows of them: for the differential test. */
import { FileTree } from "../../src/walk/file-tree.ts";
import { overrideRules } from "../../src/glob/ignore-rules.ts";
import { ignoreScope, type IgnoreOptions } from "../../src/walk/ignore-scope.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";

/** Numbers from 0 to below `most`, the same for the same seed (Park and Miller). */
export function randomFrom(seed: number): (most: number) => number {
  let state = ((seed * 48271) % 2147483647) + 1;
  for (let warm = 0; warm < 3; warm++) state = (state * 48271) % 2147483647;
  return (most) => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
}

const NAMES = [
  "a",
  "b",
  "ab",
  "a.b",
  "x.ts",
  ".h",
  "é",
  "[a",
  "{a,b}",
  "a b",
  "!a",
  "#a",
  "\\",
  "foo",
  "foo.o",
  "b.ts",
  "node_modules",
  "*",
];
const PARTS = [
  "*",
  "?",
  "**",
  "a",
  "b",
  "/",
  "/",
  ".",
  "[ab]",
  "[!a]",
  "{a,b}",
  "[é]",
  "é",
  "\\*",
  "\\",
  "[",
  "foo",
  ".ts",
  "*.o",
  ".h",
  " ",
  "{",
  "[b-",
];
const LINES = [
  "*",
  "!*",
  "**",
  "*.ts",
  "!x.ts",
  "/a",
  "a/",
  "!a/",
  "a/b",
  "**/a",
  "a/**",
  "a/**/b",
  "/*",
  "!/a",
  "# a",
  "\\#a",
  "\\!a",
  "",
  "foo ",
  "a\\ ",
  "!.h",
  ".*",
];
const IGNORE_FILES = [".gitignore", ".gitignore", ".ignore", ".rgignore", ".fdignore", ".git/info/exclude"];

export interface FuzzTree {
  readonly lines: readonly string[];
  readonly place: Tree;
}

export function fuzzTree(seed: number): FuzzTree {
  const random = randomFrom(seed);
  const of = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const paths = new Map<string, boolean>([["", true]]);
  const lines: string[] = [];
  const directories = [""];
  for (let count = 4 + random(20); count > 0; count--) {
    const path = of(directories) + of(NAMES);
    if (paths.has(path)) continue;
    const isDirectory = random(3) === 0;
    paths.set(path, isDirectory);
    lines.push(isDirectory ? `${path}/` : `${path}:`);
    if (isDirectory) directories.push(`${path}/`);
  }
  const line = (): string => {
    if (random(2) === 0) return of(LINES);
    return (random(4) === 0 ? "!" : "") + Array.from({ length: 1 + random(4) }, () => of(PARTS)).join("");
  };
  for (let count = 1 + random(4); count > 0; count--) {
    const path = of(directories) + of(IGNORE_FILES);
    if (paths.has(path)) continue;
    paths.set(path, false);
    const mark = random(10) === 0 ? "\uFEFF" : "";
    lines.push(`${path}: ${mark}${Array.from({ length: 1 + random(5) }, line).join(random(5) === 0 ? "\r\n" : "\n")}\n`);
  }
  if (random(2) === 0) lines.push(`${of(directories)}.git/`);
  return { lines, place: tree(lines) };
}

/** Files (not directories) below `start` of the tree at `root`, in byte order. */
export function filesKept(root: string, start: string, options: Partial<IgnoreOptions>, globs: readonly string[] = []): readonly string[] {
  const files = Workspace.open(root);
  const rules = overrideRules(globs);
  try {
    const filter = ignoreScope(files, start, {
      skipHidden: true,
      custom: ".rgignore",
      dotIgnore: true,
      gitIgnore: true,
      gitExclude: true,
      parents: true,
      requireGit: true,
      ...(rules && { overrides: { rules, relativeTo: "." } }),
      ...options,
    });
    const walk = new FileTree(files, start, {
      follow: "never",
      contentsFirst: false,
      maxDepth: Infinity,
      oneDevice: false,
      order: "name",
      filter,
    });
    const found: string[] = [];
    for (let step = walk.next(); step !== undefined; step = walk.next())
      if (step.what === "file" && step.file.kind === "file") found.push(step.file.path.replace(/^\.\//, ""));
    return found;
  } finally {
    files.close();
  }
}
