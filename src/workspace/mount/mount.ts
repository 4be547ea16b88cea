/**
 * A directory that stands under an absolute name of its own beside the root. The same walk holds in it as in the root: `..`
 * above it, and links that lead out of it (to the root or to another mount, too), are refused.
 */
import type { LookAhead } from "../ahead/look-ahead.ts";
import { componentsBelow } from "./prefix.ts";
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
  /** Names at its top that lead to the root on the host: there they are not this mount's. */
  readonly #taken: () => ReadonlySet<string>;
  readonly #hold: () => number;
  readonly #kernelFileSystems = new KernelFileSystems();

  constructor({ prefix, access, hold }: MountSource, lookAhead: LookAhead, taken: () => ReadonlySet<string>) {
    this.#taken = taken;
    this.prefix = prefix;
    this.access = access;
    this.lookAhead = lookAhead;
    this.#hold = hold;
  }

  get handle(): number {
    return this.#hold();
  }

  componentsOf(absolute: string): readonly string[] | undefined {
    const components = componentsBelow(this.prefix, absolute);
    return components === undefined || this.#taken().has(components[0] as string) ? undefined : components;
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
