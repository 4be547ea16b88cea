/** Fast search for regular expressions that match a run of ASCII characters of one set (`/ +/`, `/[0-9]+/`, `/[,;]/`): byte by byte, without an automaton. */
import type { RegexTree } from "../../../src/regex/regex-tree.ts";

export interface ByteRun {
  /** 1 where the byte is in the set. */
  readonly members: Uint8Array;
  /** As many as there are, and not just one. */
  readonly isLong: boolean;
}

/** The run of bytes that `tree` matches; undefined if it matches anything else. */
export function byteRunOf(tree: RegexTree): ByteRun | undefined {
  const isLong = tree.kind === "repeat" && tree.min === 1 && tree.max === Infinity;
  const one = isLong ? tree.body : tree;
  if (one.kind !== "set" || one.set.length === 0 || (one.set.at(-1) as number) >= 0x80) return undefined;
  const members = new Uint8Array(256);
  for (let at = 0; at < one.set.length; at += 2) members.fill(1, one.set[at], (one.set[at + 1] as number) + 1);
  return { members, isLong };
}

/** The first byte of the run in `bytes` from `at` to `to`, or `to`. */
export function runStart({ members }: ByteRun, bytes: Uint8Array, at: number, to: number): number {
  let here = at;
  while (here < to && members[bytes[here] as number] === 0) here++;
  return here;
}

/** End of the run that begins at `start`. */
export function runEnd({ members, isLong }: ByteRun, bytes: Uint8Array, start: number, to: number): number {
  let here = start + 1;
  if (isLong) while (here < to && members[bytes[here] as number] === 1) here++;
  return here;
}
