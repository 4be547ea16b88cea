/**
 * A small tree with what trees have of odd things, from dice: names with blanks, newlines, bytes that are no text, leading dashes,
 * marks of patterns; links that loop, dangle, leave a directory or go up; FIFOs, hard links, holes, modes, owners, times before
 * 1970 and to come; ignore files. Read by many tools, and so never changed.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lchownSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { toBytes } from "../../src/io/text.ts";
import type { Dice } from "./dice.ts";

export interface OddTree {
  /** Absolute; what may be read. */
  readonly root: string;
  /** The directory in `root` to be in: `..` is still inside. */
  readonly directory: string;
  /** Paths in `directory`, and their kinds. */
  readonly paths: readonly string[];
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** Small regular files. */
  readonly files: readonly string[];
  remove(): void;
}

const PLAIN = "a b c.ts README.md Makefile b.txt UP.TXT x.tar.gz f1 f10 f9 f1.10 1.2.3 b~ test lib main.py".split(" ");
const ODD = [
  ...["foo bar", "new\nline", "-dash", "--help", "*", "[x]", "?", "a*b", "quote'", 'dq"', "back\\slash", "tab\there", " lead", "trail "],
  ...["ünï", "日本.txt", "e\u0301", "👍", "\u200b", "İ", "\udcff\udc80.bin", "caf\udce9", "\x01ctl", "\x7f", "$HOME", "~x", "=", "@", "{}"],
  ...[";", "(", ")", "!", ",", "#x#", "a,b", "a:b", "100%", "&", `long${"x".repeat(140)}`, "a.b.c.d", ".hidden", ".#x", "..dots", ".x.swp"],
];
const DIRECTORIES = ["src", "node_modules", "dist", "empty", ".cache", "d 1", "dü", "-d", "deep", "target", "a.d"];
const IGNORES = [
  "*.txt",
  "/src",
  "!b.txt",
  "dist/",
  "**/f1",
  "a*",
  "[ab]*",
  "# note",
  "\\#x#",
  "*.t?z",
  "target/**",
  "!/src/*",
  "deep/*/c.ts",
];
const CONTENTS = [
  "",
  "",
  "x",
  "one\ntwo\nthree\n",
  "#!/bin/sh\necho hi\n",
  '{"a": 1}\n',
  "a\r\nb\r\n",
  "\0\x01\x02",
  "no newline",
  "é\n",
  "\udcff\n",
];
const MODES = [0o755, 0o644, 0o600, 0, 0o4755, 0o2755, 0o1777, 0o6711, 0o444, 0o4644, 0o2644, 0o111, 0o1644, 0o777];
/** Users and groups with and without a name. */
const OWNERS: readonly (readonly [user: number, group: number])[] = [
  [1, 1],
  [12_345, 54_321],
  [0, 12_345],
  [2, 0],
];
const SIZES = [0, 1, 511, 512, 513, 1023, 1024, 1025, 4096, 10_000, 1_048_575, 1_048_576, 1_500_000, 5_368_709_120];
const DAY_SECONDS = 86_400;

export function makeOddTree(dice: Dice): OddTree {
  const root = realpathSync(mkdtempSync(`${tmpdir()}/odd-tree-`));
  const directory = `${root}/work`;
  mkdirSync(directory);
  const fifos: string[] = [];
  const made = new Set<string>();
  const directories: string[] = [];
  const links: string[] = [];
  const files: string[] = [];
  const at = (path: string): Buffer => toBytes(`${directory}/${path}`);
  /** Tries `make`, and goes on where the system does not allow it: another owner, a name that is too long. */
  const may = (make: () => void): void => {
    try {
      make();
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    }
  };
  const unused = (parent: string, name: string): string | undefined => {
    const path = parent === "" ? name : `${parent}/${name}`;
    if (made.has(path)) return undefined;
    made.add(path);
    return path;
  };
  const write = (path: string, content: string): void => {
    files.push(path);
    may(() => writeFileSync(at(path), toBytes(content)));
  };

  const fill = (parent: string, depth: number): void => {
    for (let left = dice.below(depth === 0 ? 14 : 8) + (depth === 0 ? 8 : 0); left > 0; left--) {
      const kind = dice.below(20);
      if (kind < 6 && depth < 4) {
        const path = unused(parent, dice.pick(dice.chance(70) ? DIRECTORIES : [...PLAIN, ...ODD]));
        if (path === undefined) continue;
        directories.push(path);
        may(() => mkdirSync(at(path)));
        if (!path.endsWith("empty")) fill(path, depth + 1);
        continue;
      }
      const path = unused(parent, dice.pick(dice.chance(50) ? PLAIN : ODD));
      if (path === undefined) continue;
      if (kind < 15) write(path, dice.pick(CONTENTS));
      else if (kind < 17) {
        links.push(path);
        const up = dice.chance(50) ? "../".repeat(depth) : "";
        const inside = dice.pick([...made]);
        const target = dice.pick(["nope", ".", depth === 0 ? "./" : "..", up + inside, path.split("/").at(-1) ?? "", "a/"]);
        may(() => symlinkSync(toBytes(target), at(path)));
      } else if (kind === 17) fifos.push(path);
      else if (kind === 18 && files.length > 0) {
        const other = dice.pick(files);
        may(() => linkSync(at(other), at(path)));
      } else {
        const size = dice.pick(SIZES);
        may(() => {
          writeFileSync(at(path), "");
          truncateSync(at(path), size);
        });
      }
    }
  };
  fill("", 0);
  for (const name of [".gitignore", ".ignore", ".fdignore"]) {
    for (const parent of ["", ...directories]) {
      const path = dice.chance(parent === "" ? 40 : 8) ? unused(parent, name) : undefined;
      if (path !== undefined) write(path, `${dice.some(1, 4, () => dice.pick(IGNORES)).join("\n")}\n`);
    }
  }
  if (fifos.length > 0) {
    writeFileSync(`${root}/fifos`, toBytes(fifos.map((path) => `./${path}\0`).join("")));
    spawnSync("xargs", ["-0", "-a", `${root}/fifos`, "mkfifo"], { cwd: directory, stdio: "ignore" });
    rmSync(`${root}/fifos`);
  }
  const repository = dice.chance(60) ? [".git", ".git/objects", ".git/refs"] : [];
  for (const path of repository) mkdirSync(at(path));
  if (repository.length > 0) writeFileSync(at(".git/HEAD"), "ref: refs/heads/main\n");
  const now = Math.floor(Date.now() / 1000);
  const paths = [...made];
  for (const path of paths) {
    const [mode, owner] = [dice.pick(MODES), dice.pick(OWNERS)];
    if (dice.chance(15)) may(() => lchownSync(at(path), ...owner));
    if (dice.chance(15) && !links.includes(path)) may(() => chmodSync(at(path), mode));
  }
  // A time of access after every other is not moved by reading (relatime of mount(8)).
  const accessed = now + 301 * DAY_SECONDS;
  for (const path of paths) {
    const changed = changedAt(dice, now);
    may(() => lutimesSync(at(path), accessed + dice.below(90_000) + dice.below(1e9) / 1e9, changed));
  }
  for (const path of repository) lutimesSync(at(path), accessed, now - DAY_SECONDS);
  for (const path of ["", ".."]) lutimesSync(at(path), accessed, 1_700_000_000.5);
  return { root, directory, paths, directories, links, files, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Seconds since the epoch, with a fraction: half a unit away from what tests of age ask for. Before the epoch as a date. */
function changedAt(dice: Dice, now: number): number | Date {
  const fraction = dice.pick([0, 0, 0.5, 0.123456789, 0.999999999, 0.000001]);
  const before = (seconds: number): number => now - seconds + fraction;
  switch (dice.below(8)) {
    case 0:
      return before(dice.pick([1, 2, 5, 10, 59, 60]) * 60 + 30);
    case 1:
      return before(-dice.pick([3600 * 3, DAY_SECONDS * 3, DAY_SECONDS * 300]));
    case 2:
      return dice.pick([
        new Date(-1000),
        0,
        1.5,
        951_782_400,
        1_000_000_000 + fraction,
        new Date(-86_400_500),
        4_102_444_800,
        1_700_000_000,
      ]);
    case 3:
      return 1_700_000_000.5;
    default:
      return before(dice.pick([0, 1, 2, 6, 7, 29, 100, 200, 365, 4000]) * DAY_SECONDS + DAY_SECONDS / 2);
  }
}
