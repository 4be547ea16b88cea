/**
 * Recognizes the kernel's pseudo file systems (procfs, sysfs and others): the device of a handle, and mounts below a
 * directory.
 */
import { readFileSync } from "node:fs";
import { toText } from "../../io/text.ts";
import { fileSystemOf } from "../walk/descriptor.ts";

/** statfs(2) f_type: procfs, sysfs, debugfs, tracefs, securityfs. */
const TYPES: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673]);

export class KernelFileSystems {
  readonly #known = new Map<bigint, boolean>();

  /**
   * Tells whether a handle on `device` holds one of the kernel's pseudo files. They are reported as regular files and are
   * not: /proc/PID/environ and /proc/PID/mem are bytes of other processes, a trace pipe never ends.
   */
  has(handle: number, device: bigint): boolean {
    let known = this.#known.get(device);
    if (known === undefined) {
      known = isKernelFileSystem(handle);
      this.#known.set(device, known);
    }
    return known;
  }
}

/** Tells whether the file that `handle` holds is on one of the kernel's file systems. */
export const isKernelFileSystem = (handle: number): boolean => TYPES.has(fileSystemOf(handle));

/** Tells whether anything is mounted below the host directory `path`; true if that cannot be found out (proc(5), mountinfo). */
export function hasMountsBelow(path: string): boolean {
  try {
    const below = path === "/" ? path : `${path}/`;
    return toText(readFileSync(MOUNTS))
      .split("\n")
      .some((line) => {
        const place = line.split(" ", 5)[4]?.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
        return place !== undefined && place !== "/" && place.startsWith(below);
      });
  } catch {
    return true;
  }
}

export const MOUNTS = "/proc/self/mountinfo";
