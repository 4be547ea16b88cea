/** A directory opened and listed before the walk comes to it, into memory that is already allocated (look-ahead-results.ts). */
import { lstatSync, type BigIntStats } from "node:fs";
import { holdDirectory, inDirectory, listHeld, release } from "../walk/descriptor.ts";
import { entriesByName, entriesInKernelOrder } from "../walk/directory-reader.ts";
import type { DirectoryEntry } from "../file-status.ts";
import { NO_STATUSES } from "./look-ahead-memory.ts";
import { LISTING_BYTES, statusBytes, writeListing, writeStatuses, type ReadListing } from "./look-ahead-results.ts";

/** A directory that the thread was asked to list. */
export interface ExpectedDirectory {
  /** Handle of the directory that it is in. */
  readonly handle: number;
  readonly name: string;
  readonly byName: boolean;
  /** STATUSES or NO_STATUSES. */
  readonly statuses: number;
  readonly task: number;
  /** undefined before it was listed, or somebody asked for it. */
  listing: ReadListing | "none" | undefined;
}

/**
 * Lists `name` in `parent` into `into` from `at` on, where there is room for `room` bytes. Returns how many are used, 0
 * where it does not fit; else the directory stays open, and its descriptor is in the result. Where they do not fit,
 * statuses are left out. Throws what node:fs throws.
 */
export function listAhead(
  { handle: parent, name, byName, statuses }: Pick<ExpectedDirectory, "handle" | "name" | "byName" | "statuses">,
  into: Buffer,
  at: number,
  room: number,
): number {
  const handle = holdDirectory(parent, name);
  let bytes = 0;
  try {
    const entries = listHeld(handle, byName ? entriesByName : entriesInKernelOrder);
    const names = entries.map((entry) => entry.name).join("\0");
    const neededBytes = LISTING_BYTES + entries.length + names.length * 3;
    if (neededBytes > room || !names.isWellFormed()) return 0;
    const kept = neededBytes + entries.length * statusBytes(statuses) <= room ? statuses : NO_STATUSES;
    if (kept !== NO_STATUSES) writeStatuses(into, at + LISTING_BYTES, entries, (entry) => statusIn(handle, entry));
    bytes = writeListing(into, at, handle, entries, names, kept);
    return bytes;
  } finally {
    if (bytes === 0) release(handle);
  }
}

function statusIn(handle: number, { name, kind }: DirectoryEntry): BigIntStats | undefined {
  if (kind !== "file") return undefined;
  try {
    return lstatSync(inDirectory(handle, name), { bigint: true });
  } catch {
    return undefined;
  }
}
