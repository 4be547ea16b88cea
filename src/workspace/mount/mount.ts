/**
 * A directory that stands under an absolute name of its own beside the root. The same walk holds in it as in the root: `..`
 * above it, and links that lead out of it (to the root or to another mount, too), are refused.
 */
import type { LookAhead } from "../ahead/look-ahead.ts";
import { KernelFileSystems } from "../read/kernel-file-systems.ts";
import type { HeldTree } from "../walk/held-tree.ts";

export interface MountSource {
  /** Absolute, without a slash at the end. */
  readonly prefix: string;
  readonly access: "read" | "write";
  /** A handle to its directory, which stays the source's. Called when a path first leads here. Throws FileError. */
  readonly hold: () => number;
}

export class Mount implements HeldTree {
  readonly prefix: string;
  readonly access: MountSource["access"];
  readonly lookAhead: LookAhead;
  readonly denyRead: readonly string[] = [];
  readonly hiddenName = undefined;
  readonly #hold: () => number;
  readonly #kernelFileSystems = new KernelFileSystems();

  constructor({ prefix, access, hold }: MountSource, lookAhead: LookAhead) {
    this.prefix = prefix;
    this.access = access;
    this.lookAhead = lookAhead;
    this.#hold = hold;
  }

  get handle(): number {
    return this.#hold();
  }

  componentsOf(absolute: string): readonly string[] | undefined {
    return componentsBelow(this.prefix, absolute);
  }

  /** The absolute path of `canonical`, which is relative to this directory. */
  absolute(canonical: string): string {
    return canonical === "" ? this.prefix : `${this.prefix}/${canonical}`;
  }

  /** The policy's rules are about the root. */
  checkReadable(): void {}

  isKernelFile(handle: number, device: bigint): boolean {
    return this.#kernelFileSystems.has(handle, device);
  }

  mayHoldKernelFiles(): boolean {
    return true;
  }
}

/** The components of an absolute path below `prefix`, by its text; undefined where it is not at or under it. */
export function componentsBelow(prefix: string, absolute: string): readonly string[] | undefined {
  const plain = absolute.replace(/\/(\.?\/)+/g, "/");
  if (!plain.startsWith(prefix)) return undefined;
  if (plain.length === prefix.length) return [""];
  return plain[prefix.length] === "/" ? plain.slice(prefix.length + 1).split("/") : undefined;
}
