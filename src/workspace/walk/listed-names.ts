/**
 * Listed name of the entry that another name leads to. FAT, NTFS, CIFS and their like answer to more names than a directory lists: in any case,
 * without dots at the end, to a short name of 8.3 (`CREDEN~1.JSO`), by tables of their own. None of these rules is repeated here: the entry
 * is found by its device and inode among those that are listed, and where none or several of them are it, the name has no listed one.
 *
 * File systems of EXACT find an entry by its own name alone, but for the case and composition that a directory may be set to fold, which
 * spellings.ts asks for: there nothing is listed. All others, and all of macOS, are taken to answer to anything.
 */
import { isLinux, isWindows } from "../../io/platform.ts";
import type { FileStatus } from "../file-status.ts";
import { fileErrorFrom } from "../system-error.ts";
import { fileSystemOf, linkStatus, listHeld, statusOfHandle } from "./descriptor.ts";
import { entriesInKernelOrder } from "./directory-reader.ts";
import { folded } from "./name-folding.ts";

/** f_type of statfs(2). */
const EXACT: ReadonlySet<number> = new Set(
  Object.values({
    ...{ ext: 0xef53, xfs: 0x58465342, btrfs: 0x9123683e, zfs: 0x2fc12fc1, f2fs: 0xf2f52010, bcachefs: 0xca451a4e },
    ...{ squashfs: 0x73717368, erofs: 0xe0f5e1e2, tmpfs: 0x01021994, ramfs: 0x858458f6, overlayfs: 0x794c7630 },
    ...{ procfs: 0x9fa0, sysfs: 0x62656572 },
  }),
);
/** Time for which the file system of a device is known, and for which a listing holds good, in milliseconds. Numbers of devices are used again. */
const KNOWN_MS = 500;
/** Most devices that are known, and most listings that are kept. */
const MOST_KNOWN = 100;
/** Most names in all listings that are kept. */
const MOST_NAMES = 200_000;
/** Age of a directory's last change from which on its listing is kept, in nanoseconds: above the tick of FAT's clock, 2 s. */
const SETTLED_NS = 2_100_000_000n;

/** The names in a directory, good until `untilMs` (as of performance.now()) while its times are these. */
interface Listing {
  readonly untilMs: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  readonly names: ReadonlySet<string>;
}

/** The listed names of one tree. */
export class ListedNames {
  readonly #top: number;
  /** Device of the top's file system, once it was asked for, if that is exact. */
  #topDevice: bigint | "inexact" | undefined;
  readonly #devices = new Map<bigint, { readonly untilMs: number; readonly isExact: boolean }>();
  /** By device and inode of the directory. */
  readonly #listings = new Map<string, Listing>();
  /** Names in all of #listings. */
  #namesKept = 0;

  /** `top`: the handle of the tree's directory. */
  private constructor(top: number) {
    this.#top = top;
  }

  /** Those of the tree whose directory `top` holds; undefined on Windows, where a handle knows its own name (named-handle.ts). */
  static of(top: number): ListedNames | undefined {
    return isWindows ? undefined : new ListedNames(top);
  }

  /**
   * True if the top's file system is exact, and `device` (default: the top's own) is its: what is there is listed by the names that led to it.
   * Throws what node:fs throws.
   */
  isAsTyped(device?: bigint): boolean {
    this.#topDevice ??= this.#deviceOfTop();
    return this.#topDevice !== "inexact" && (device === undefined || device === this.#topDevice);
  }

  #deviceOfTop(): bigint | "inexact" {
    if (!isLinux) return "inexact";
    const { device } = statusOfHandle(this.#top);
    return this.#isExact(this.#top, device) ? device : "inexact";
  }

  /** Tells whether the directory that `handle` holds may store a name for which `mayBeStoredOtherwise` is true as another. */
  mayStoreOtherwise(handle: number): boolean {
    return !this.#isExact(handle, statusOfHandle(handle).device);
  }

  /**
   * The listed name of what `name` leads to in the directory that `directory` holds; undefined where no entry, or more than one, is it. Throws
   * what node:fs throws: ENOENT where it leads to nothing.
   */
  nameIn(directory: number, name: string): string | undefined {
    const status = statusOfHandle(directory);
    if (this.#isExact(directory, status.device)) return name;
    if (this.#keptOf(status)?.has(name) === true) return name;
    const there = linkStatus(directory, name);
    const names = this.#list(directory, status);
    if (names.has(name)) return name;
    const isIt = (each: string): boolean => isSameEntry(directory, each, there);
    const wanted = folded(name);
    const alike = [...names].find((each) => folded(each) === wanted && isIt(each));
    // A difference of composition alone is none: rules pass over it, and records have one of the two.
    if (alike !== undefined) return alike.normalize("NFC") === name.normalize("NFC") ? name : alike;
    const found = [...names].filter(isIt);
    return found.length === 1 ? found[0] : undefined;
  }

  #isExact(handle: number, device: bigint): boolean {
    if (!isLinux) return false;
    const nowMs = performance.now();
    let known = this.#devices.get(device);
    if (known === undefined || known.untilMs < nowMs) {
      known = { untilMs: nowMs + KNOWN_MS, isExact: isOnExact(handle) };
      if (this.#devices.size >= MOST_KNOWN) this.#devices.clear();
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
    const changed = modifiedNs > changedNs ? modifiedNs : changedNs;
    if (BigInt(Date.now()) * 1_000_000n - changed > SETTLED_NS) this.#keep(`${device}:${inode}`, { untilMs, modifiedNs, changedNs, names });
    return names;
  }

  #keep(place: string, listing: Listing): void {
    this.#namesKept -= this.#listings.get(place)?.names.size ?? 0;
    this.#listings.delete(place);
    if (this.#listings.size >= MOST_KNOWN || this.#namesKept + listing.names.size > MOST_NAMES) {
      this.#listings.clear();
      this.#namesKept = 0;
    }
    this.#namesKept += listing.names.size;
    this.#listings.set(place, listing);
  }
}

/** Message of EACCES for a name without a listed one. */
export const UNLISTED_WORDS = "Permission denied: its directory finds it by this name and does not list it; use the name that ls shows";

/**
 * True for names that FAT, NTFS, CIFS and their like store as another, or give to another entry: with a dot or blank at the end, or of the
 * form of a short name.
 */
export const mayBeStoredOtherwise = (name: string): boolean =>
  /[. ]$/.test(name) || (/^[^.~]{1,7}~[0-9a-z]{1,6}(?:\.[^.]{0,3})?$/i.test(name) && name.replace(/\..*/, "").length <= 8);

/** Message of EINVAL for a new name of that form. */
export const STORED_OTHERWISE_WORDS =
  "Invalid argument: names of files that end in a dot or a blank, or look like a short name (NAME~1), are not made on this file system";

/** False also where the file system cannot be asked for. */
function isOnExact(handle: number): boolean {
  try {
    return EXACT.has(fileSystemOf(handle));
  } catch (thrown) {
    // Rethrows what is no error of the system.
    fileErrorFrom(thrown, "");
    return false;
  }
}

function isSameEntry(directory: number, name: string, there: FileStatus): boolean {
  try {
    const { device, inode, kind } = linkStatus(directory, name);
    return device === there.device && inode === there.inode && kind === there.kind;
  } catch (thrown) {
    // It went away, or may not be looked at. Anything else is rethrown.
    fileErrorFrom(thrown, name);
    return false;
  }
}
