/**
 * Reads all names in a directory that a descriptor holds: in the kernel's own order, which only Node's `Dir` gives, or by
 * name, as `readdir` gives them in half the time.
 */
import { Dir, opendirSync, readdirSync, type Dirent } from "node:fs";
import { promisify } from "node:util";
import { toBytes, toText } from "../../io/text.ts";
import type { DirectoryEntry, FileKind } from "../file-status.ts";

/** Names that `Dir` reads at a time: a common directory whole. It allocates room for all of them beforehand. */
const NAMES_AT_A_TIME = 64;

/** Names come as "text" (half the time, and U+FFFD where bytes are no UTF-8) or as "bytes", which a Dirent does not tell. */
export function openDirectoryStream(path: string | Buffer, names: "text" | "bytes"): Dir {
  return opendirSync(path, { encoding: names === "text" ? "utf8" : ("buffer" as BufferEncoding), bufferSize: NAMES_AT_A_TIME });
}

/** All entries of the directory at `path` (listHeld) in the kernel's order. Throws what node:fs throws. */
export function entriesInKernelOrder(path: string | Buffer): DirectoryEntry[] {
  return readAll(path, "text") ?? (readAll(path, "bytes") as DirectoryEntry[]);
}

/** All entries of the directory at `path` by name, in byte order. */
export function entriesByName(path: string | Buffer): DirectoryEntry[] {
  return readSorted(path) ?? entriesInKernelOrder(path).sort((a, b) => Buffer.compare(toBytes(a.name), toBytes(b.name)));
}

/** Undefined where they must be sorted. */
function readSorted(path: string | Buffer): DirectoryEntry[] | undefined {
  let listed: Dirent[];
  try {
    listed = readdirSync(path, { withFileTypes: true });
  } catch {
    // Also where a name went away while its kind was looked up.
    return undefined;
  }
  const entries: DirectoryEntry[] = [];
  let last = "";
  for (const entry of listed) {
    const { name } = entry;
    // Node does not promise the order, and text does not sort as bytes do past the surrogates.
    if (name <= last || BEYOND.test(name)) return undefined;
    last = name;
    entries.push({ name, kind: kindOf(entry) });
  }
  return entries;
}

/** U+FFFD, which may stand for bytes that are no text, is among them. */
const BEYOND = /[\ud800-\uffff]/;

/** Undefined where a name may be no text. */
function readAll(path: string | Buffer, names: "text" | "bytes"): DirectoryEntry[] | undefined {
  const stream = openDirectoryStream(path, names);
  try {
    const entries: DirectoryEntry[] = [];
    for (let entry = stream.readSync(); entry !== null; entry = stream.readSync()) {
      const name = names === "text" ? entry.name : toText(entry.name as unknown as Buffer);
      if (names === "text" && name.includes("\uFFFD")) return undefined;
      entries.push({ name, kind: kindOf(entry) });
    }
    return entries;
  } finally {
    stream.closeSync();
  }
}

export function kindOf(entry: Dirent): FileKind | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isCharacterDevice()) return "character-device";
  if (entry.isBlockDevice()) return "block-device";
  return undefined;
}

/**
 * Every `Dir` makes promise-returning forms of two of its methods when it is opened, which takes a third of the time
 * that a small directory takes to read, and here nobody asks for them. util.promisify takes a form that a method
 * brings itself, so these two bring theirs: the same promises, made once.
 */
for (const key of ["close", ...Object.getOwnPropertySymbols(Dir.prototype)] as const) {
  if (key !== "close" && key.description !== "kDirReadImpl") continue;
  const method = (Dir.prototype as unknown as Record<string | symbol, (...args: unknown[]) => void>)[key];
  if (method === undefined || Object.hasOwn(method, promisify.custom)) continue;
  const promised = function (this: Dir, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      method.call(this, ...args, (error: Error | null, value: unknown) => (error ? reject(error) : resolve(value)));
    });
  };
  Object.defineProperty(method, promisify.custom, { value: promised, configurable: true });
}
