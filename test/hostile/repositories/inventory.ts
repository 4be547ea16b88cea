/** Everything in a directory, entry by entry, and what has become of it: a change, or a look into a file. */
import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  utimesSync,
} from "node:fs";
import { toText } from "../../../src/io/text.ts";

/** Path below the directory → what is known of it. */
export type Inventory = ReadonlyMap<string, string>;

/** Names, kinds, modes, sizes, times and, of smaller files, digests. Reads without leaving a trace in times of access. */
export function inventory(directory: string, isPassedOver: (path: string) => boolean = () => false): Inventory {
  const found = new Map<string, string>();
  const look = (path: Buffer, below: string): void => {
    for (const name of readdirSync(path, { encoding: "buffer" })) {
      const entry = Buffer.concat([path, Buffer.from("/"), name]);
      const shown = `${below}${toText(name)}`;
      if (isPassedOver(shown)) continue;
      const status = lstatSync(entry, { bigint: true });
      found.set(shown, factsOf(entry, status));
      if (status.isDirectory()) look(entry, `${shown}/`);
    }
  };
  look(Buffer.from(directory), "");
  return found;
}

/** Differences of two inventories, a line each. */
export function changes(before: Inventory, after: Inventory): string[] {
  const lines: string[] = [];
  for (const [path, facts] of after) {
    const old = before.get(path);
    if (old === undefined) lines.push(`made ${path}`);
    else if (old !== facts) lines.push(`changed ${path}`);
  }
  for (const path of before.keys()) if (!after.has(path)) lines.push(`removed ${path}`);
  return lines;
}

/** Sets the time of last access of every file far back, so that the next reading is noted also where times are kept lazily. */
export function forgetReadings(directory: string): void {
  for (const path of filesOf(directory)) utimesSync(path, FORGOTTEN_SECONDS, Number(lstatSync(path).mtimeMs) / 1000);
}

/** Files of `known` that were read since `forgetReadings`. */
export function readings(directory: string, known: Inventory): string[] {
  const below = directory.length + 1;
  return filesOf(directory)
    .filter((path) => known.has(path.slice(below)) && lstatSync(path).atimeMs > FORGOTTEN_SECONDS * 1000)
    .map((path) => path.slice(below));
}

const FORGOTTEN_SECONDS = 1;

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

const MOST_HASHED_BYTES = 1n << 20n;
/** Linux alone: a reading that leaves no trace. */
const UNNOTICED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NOATIME;

function factsOf(path: Buffer, status: BigIntStats): string {
  const { mode, size, mtimeNs, ctimeNs, ino, nlink } = status;
  // The times of a directory change with what is made and removed in it, which has lines of its own.
  if (status.isDirectory()) return `directory ${mode} ${ino}`;
  if (status.isSymbolicLink()) return `link ${ino} ${toText(readlinkSync(path, { encoding: "buffer" }))}`;
  const facts = `${mode} ${size} ${mtimeNs} ${ctimeNs} ${ino} ${nlink}`;
  return status.isFile() && size <= MOST_HASHED_BYTES ? `${facts} ${digestOf(path)}` : facts;
}

function digestOf(path: Buffer): string {
  const file = openSync(path, UNNOTICED);
  try {
    const bytes = Buffer.alloc(fstatSync(file).size);
    readSync(file, bytes, 0, bytes.length, 0);
    return createHash("sha256").update(bytes).digest("base64");
  } finally {
    closeSync(file);
  }
}
