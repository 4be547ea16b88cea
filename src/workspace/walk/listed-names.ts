/**
 * The name by which a directory lists what a name leads to, on file systems that answer to others too: in another case, without dots at
 * the end, a short name of 8.3 (`CREDEN~1.JSO`), or in ways that nobody has told us of. No table of theirs is known here: the entry is
 * found by its device and inode among those that are listed, and what none of them is has no name.
 *
 * File systems of EXACT find an entry by its own name alone, but for the case and composition that a directory may be set to fold, which
 * spellings.ts asks for. There nothing is listed. All others, and all of macOS, are taken to answer to anything.
 */
import { isLinux, isWindows } from "../../io/platform.ts";
import type { FileStatus } from "../file-status.ts";
import { fileErrorFrom } from "../system-error.ts";
import { fileSystemOf, linkStatus, listHeld, statusOfHandle } from "./descriptor.ts";
import { entriesInKernelOrder } from "./directory-reader.ts";
import { folded } from "./name-folding.ts";

/** statfs(2) f_type: ext2 to 4, xfs, btrfs, tmpfs, ramfs, overlayfs, zfs, f2fs, bcachefs, squashfs, erofs, procfs, sysfs. */
const EXACT: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1],
  ...[0xf2f52010, 0xca451a4e, 0x73717368, 0xe0f5e1e2, 0x9fa0, 0x62656572],
]);
/** Time for which a device is known by its file system, and a listing holds good, in milliseconds. Numbers of devices are used again. */
const KNOWN_MS = 500;
/** Age of a directory's last change from which on a listing is kept, in nanoseconds: above the tick of FAT's clock. */
const SETTLED_NS = 2_100_000_000n;
const MOST_LISTINGS = 100;
/** Most names that are kept of all directories together. */
const MOST_NAMES = 200_000;

interface Listing {
  readonly untilMs: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  readonly names: ReadonlySet<string>;
}

export class ListedNames {
  readonly #top: number;
  #topDevice: bigint | "inexact" | undefined;
  readonly #devices = new Map<bigint, { readonly untilMs: number; readonly isExact: boolean }>();
  readonly #listings = new Map<string, Listing>();
  #kept = 0;

  /** `top`: the handle of the tree's directory. */
  private constructor(top: number) {
    this.#top = top;
  }

  /** Those of the tree that `top` holds. undefined on Windows, where a handle knows its own name (named-handle.ts). */
  static below(top: number): ListedNames | undefined {
    return isWindows ? undefined : new ListedNames(top);
  }

  /** True if the top's file system is exact, and `device`, if given, is its: a way to there is as it was typed, at no cost. */
  isAsTyped(device?: bigint): boolean {
    this.#topDevice ??= this.#deviceOfTop();
    return this.#topDevice !== "inexact" && (device === undefined || device === this.#topDevice);
  }

  #deviceOfTop(): bigint | "inexact" {
    if (!isLinux) return "inexact";
    const { device } = statusOfHandle(this.#top);
    return this.#isExact(this.#top, device) ? device : "inexact";
  }

  /** Tells whether the directory that `handle` holds may store a new name of the form of `mayBeStoredOtherwise` as another. */
  mayStoreOtherwise(handle: number): boolean {
    return !this.#isExact(handle, statusOfHandle(handle).device);
  }

  /** The listed name of what `name` leads to in `directory`; undefined where it is none's alone. Throws what node:fs throws, as ENOENT. */
  nameIn(directory: number, name: string): string | undefined {
    const status = statusOfHandle(directory);
    if (this.#isExact(directory, status.device)) return name;
    const kept = this.#keptOf(status);
    if (kept?.has(name) === true) return name;
    const there = linkStatus(directory, name);
    const names = this.#list(directory, status);
    if (names.has(name)) return name;
    const isIt = (each: string): boolean => isSameEntry(directory, each, there);
    const [likely, others] = [[] as string[], [] as string[]];
    const wanted = folded(name);
    for (const each of names) (folded(each) === wanted ? likely : others).push(each);
    const alike = likely.find(isIt);
    // A difference of composition alone is none: rules pass over it, and records have one of the two.
    if (alike !== undefined) return alike.normalize("NFC") === name.normalize("NFC") ? name : alike;
    const found = others.filter(isIt);
    return found.length === 1 ? found[0] : undefined;
  }

  #isExact(handle: number, device: bigint): boolean {
    if (!isLinux) return false;
    const nowMs = performance.now();
    let known = this.#devices.get(device);
    if (known === undefined || known.untilMs < nowMs) {
      known = { untilMs: nowMs + KNOWN_MS, isExact: isOnExact(handle) };
      if (this.#devices.size >= MOST_LISTINGS) this.#devices.clear();
      this.#devices.set(device, known);
    }
    return known.isExact;
  }

  #keptOf({ device, inode, modifiedNs, changedNs }: FileStatus): ReadonlySet<string> | undefined {
    const kept = this.#listings.get(`${device}:${inode}`);
    const isGood =
      kept !== undefined && kept.untilMs >= performance.now() && kept.modifiedNs === modifiedNs && kept.changedNs === changedNs;
    return isGood ? kept.names : undefined;
  }

  #list(directory: number, { device, inode, modifiedNs, changedNs }: FileStatus): ReadonlySet<string> {
    const untilMs = performance.now() + KNOWN_MS;
    const names = new Set(listHeld(directory, entriesInKernelOrder).map((entry) => entry.name));
    if (BigInt(Date.now()) * 1_000_000n - (modifiedNs > changedNs ? modifiedNs : changedNs) > SETTLED_NS) {
      if (this.#listings.size >= MOST_LISTINGS || this.#kept + names.size > MOST_NAMES) {
        this.#listings.clear();
        this.#kept = 0;
      }
      this.#kept += names.size;
      this.#listings.set(`${device}:${inode}`, { untilMs, modifiedNs, changedNs, names });
    }
    return names;
  }
}

/** What is said of a name that leads to something which its directory lists by none. */
export const UNLISTED_WORDS = "Permission denied: its directory finds it by this name and does not list it; use the name that ls shows";

/**
 * True for names that FAT, NTFS, CIFS and their like store as another, or give to another entry: with a dot or blank at the end, or of the
 * form of a short name.
 */
export const mayBeStoredOtherwise = (name: string): boolean =>
  /[. ]$/.test(name) || (/^[^.~]{1,7}~[0-9a-z]{1,6}(?:\.[^.]{0,3})?$/i.test(name) && name.replace(/\..*/, "").length <= 8);

export const STORED_OTHERWISE_WORDS =
  "Invalid argument: names of files that end in a dot or a blank, or look like a short name (NAME~1), are not made on this file system";

/** Also where that cannot be found out. */
function isOnExact(handle: number): boolean {
  try {
    return EXACT.has(fileSystemOf(handle));
  } catch (thrown) {
    fileErrorFrom(thrown, "");
    return false;
  }
}

function isSameEntry(directory: number, name: string, there: FileStatus): boolean {
  try {
    const { device, inode, kind } = linkStatus(directory, name);
    return device === there.device && inode === there.inode && kind === there.kind;
  } catch (thrown) {
    // It went away, or may not be looked at.
    fileErrorFrom(thrown, name);
    return false;
  }
}
