/**
 * A directory that stands under an absolute name of its own beside the root: the session's scratch (scratch-mount.ts), or one that
 * the owner mounts (directory-mount.ts). The same walk holds in it as in the root: `..` above it, and links that lead out of it (to
 * the root or to another mount, too), are refused.
 */
import type { HeldTree } from "../walk/held-tree.ts";

export interface Mount extends HeldTree {
  /** Absolute, without a slash at the end. */
  readonly prefix: string;
}

/** The path of `canonical`, which is relative to the mount `prefix`. */
export const pathInMount = (prefix: string, canonical: string): string => (canonical === "" ? prefix : `${prefix}/${canonical}`);
