/**
 * A file tree for a test, written as lines:
 *
 *     tree(["a/", "a/log: x\n", "empty:", "out => ../secret", "pipe|"])
 *
 * `NAME/` is a directory, `NAME: TEXT` a file, `NAME:` an empty file, `NAME => TARGET` a symbolic link, `NAME|` a
 * FIFO. Parents are made. Names, targets and text are in the encoding of src/io/text.ts (U+DCNN is the byte 0xNN).
 * Everything is made in a new temporary directory, in the order of the lines.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, lutimesSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { toBytes } from "../src/io/text.ts";
import { diskDirectory, type Need, skipWithout } from "./needs.ts";

export interface Tree {
  /** Absolute and canonical, without a trailing slash. */
  readonly path: string;
  remove(): void;
}

export interface TreeOptions {
  /** Permission bits by name, set last. */
  readonly modes?: Readonly<Record<string, number>>;
  /** Whether it is made on a disk where the other trees are in memory. */
  readonly isOnDisk?: boolean;
  /** Times of last access and modification by name, set last: a date as `new Date` reads it ("2024-05-06T07:08:09Z"). */
  readonly mtimes?: Readonly<Record<string, string>>;
}

export function tree(lines: readonly string[], options: TreeOptions = {}): Tree {
  const path = realpathSync(mkdtempSync(`${options.isOnDisk === true ? diskDirectory : tmpdir()}/shelpa-tree-`));
  const at = (name: string): Buffer => toBytes(`${path}/${possible(name)}`);
  for (const line of lines) {
    const { name, make } = parseLine(line);
    const slash = name.lastIndexOf("/");
    if (slash > 0) mkdirSync(at(name.slice(0, slash)), { recursive: true });
    make(at(name));
  }
  if (Object.keys(options.modes ?? {}).length > 0) skipWithout(PERMISSIONS);
  for (const [name, mode] of Object.entries(options.modes ?? {})) chmodSync(at(name), mode);
  for (const [name, time] of Object.entries(options.mtimes ?? {})) lutimesSync(at(name), new Date(time), new Date(time));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const isWindows = process.platform === "win32";
const PERMISSIONS: Need = { name: "permissions of files", isHere: !isWindows };
const NAMES: Need = { name: "names that Windows has not", isHere: !isWindows };

/** `name`, which the host can give a file; else the test that is running is skipped. */
function possible(name: string): string {
  if (isWindows && (/[\u0000-\u001f<>:"|?*\\]|[. ](?:\/|$)/.test(name) || !name.isWellFormed())) skipWithout(NAMES);
  return name;
}

/** Makes a symbolic link; skips the test that is running where the host makes none. */
function makeLink(target: Buffer, path: Buffer): void {
  symlinkSync(target, path);
  if (isWindows) skipWithout({ name: "symbolic links", isHere: lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true });
}

/** Skips the test that is running where there is no mkfifo(1): Node makes none. */
export function makeFifo(path: Buffer | string): void {
  skipWithout("mkfifo");
  execFileSync("mkfifo", ["--", path.toString()]);
}

function parseLine(line: string): { name: string; make: (path: Buffer) => void } {
  const [, name = "", mark = "", rest = ""] = /^([^]+?)(: | => |:$|\/$|\|$)([^]*)$/.exec(line) ?? [];
  switch (mark) {
    case ": ":
    case ":":
      return { name, make: (path) => writeFileSync(path, toBytes(rest)) };
    case " => ":
      return { name, make: (path) => makeLink(toBytes(rest), path) };
    case "/":
      return { name, make: (path) => mkdirSync(path, { recursive: true }) };
    case "|":
      return { name, make: makeFifo };
    default:
      throw new Error(`not a line of a tree: ${JSON.stringify(line)}`);
  }
}
