/** Which devices hold the kernel's pseudo files. */
import { fileSystemOf } from "./descriptor.ts";

/** statfs(2) f_type: procfs, sysfs, debugfs, tracefs, securityfs. */
const TYPES: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673]);

export class KernelFileSystems {
  readonly #known = new Map<bigint, boolean>();

  /**
   * Whether a handle on `device` holds one of the kernel's pseudo files. They are called regular and are none:
   * /proc/PID/environ and /proc/PID/mem are bytes of other processes, a trace pipe never ends.
   */
  has(handle: number, device: bigint): boolean {
    let known = this.#known.get(device);
    if (known === undefined) {
      known = TYPES.has(fileSystemOf(handle));
      this.#known.set(device, known);
    }
    return known;
  }
}
