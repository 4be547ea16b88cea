/** State of a tree by path, for comparison: kind, permission bits, content or target, and the time of a file's last change. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface NameState {
  readonly kind: "directory" | "file" | "symlink" | "other";
  /** All but the time, as one text. */
  readonly text: string;
  /** Microseconds since the epoch. */
  readonly modifiedUs: number;
}

export type TreeState = ReadonlyMap<string, NameState>;

/** Everything below `root` but the records. */
export function treeState(root: string): TreeState {
  const found = new Map<string, NameState>();
  const add = (below: string): void => {
    for (const name of readdirSync(`${root}/${below}`).sort()) {
      const path = `${below}${name}`;
      if (path === ".shelpa") continue;
      found.set(path, nameState(`${root}/${path}`));
      if (found.get(path)?.kind === "directory") add(`${path}/`);
    }
  };
  add("");
  return found;
}

function nameState(path: string): NameState {
  const status = lstatSync(path, { bigint: true });
  const modifiedUs = Number(status.mtimeNs / 1000n);
  const mode = (Number(status.mode) & 0o7777).toString(8);
  if (status.isDirectory()) return { kind: "directory", text: `directory ${mode}`, modifiedUs };
  if (status.isSymbolicLink()) return { kind: "symlink", text: `-> ${readlinkSync(path)}`, modifiedUs };
  if (!status.isFile()) return { kind: "other", text: "other", modifiedUs };
  return { kind: "file", text: `${mode} ${JSON.stringify(readFileSync(path, "latin1"))}`, modifiedUs };
}

/** Paths whose states differ, in order. */
export const changedPaths = (a: TreeState, b: TreeState): readonly string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path)?.text !== b.get(path)?.text).sort();
