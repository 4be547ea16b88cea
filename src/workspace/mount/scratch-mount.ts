/** The session's scratch as a tree that paths lead into. */
import type { LookAhead } from "../ahead/look-ahead.ts";
import { KernelFileSystems } from "../read/kernel-file-systems.ts";
import { type Mount, pathInMount } from "./mount.ts";
import { componentsBelow } from "./prefix.ts";
import type { Scratch } from "./scratch.ts";

export class ScratchMount implements Mount {
  readonly prefix: string;
  readonly scratch: Scratch;
  readonly lookAhead: LookAhead;
  readonly deniesReading = false;
  readonly hiddenName = undefined;
  /** As they were asked for: nothing of it is recorded, and no rule is about it. */
  readonly names = undefined;
  /** Names at its top that lead to the root on the host: there they are not this mount's. */
  readonly #taken: () => ReadonlySet<string>;
  readonly #kernelFileSystems = new KernelFileSystems();

  constructor(scratch: Scratch, lookAhead: LookAhead, taken: () => ReadonlySet<string>) {
    this.#taken = taken;
    this.prefix = scratch.prefix;
    this.scratch = scratch;
    this.lookAhead = lookAhead;
  }

  get handle(): number {
    return this.scratch.hold();
  }

  componentsOf(absolute: string): readonly string[] | undefined {
    const components = componentsBelow(this.prefix, absolute);
    return components === undefined || this.#taken().has(components[0] as string) ? undefined : components;
  }

  named(canonical: string): string {
    return pathInMount(this.prefix, canonical);
  }

  /** As it is: nothing of it is recorded. */
  spelled(canonical: string): string {
    return canonical;
  }

  /** Nobody else removes it. */
  foundAgain(): boolean {
    return false;
  }

  /** The policy's rules are about the owner's files. */
  checkReadable(): void {}

  isKernelFile(handle: number, device: bigint): boolean {
    return this.#kernelFileSystems.has(handle, device);
  }

  mayHoldKernelFiles(): boolean {
    return true;
  }
}
