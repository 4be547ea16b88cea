/** Maker of a lock file, as the lock names it, and whether that process still lives as far as this host can see. */
import { hostname } from "node:os";
import { boot, isAlive, processSpace, startOf } from "./process-identity.ts";
import type { WritableDirectory } from "./write-directory.ts";

/** Tells a process from every other. Plain data: the first member of a lock. */
export interface LockOwner {
  readonly pid: number;
  /** PID namespace and boot: where `pid` means something. */
  readonly space: string;
  readonly host: string;
  /** See `startOf`; undefined in locks of versions before it was noted, and where the host does not show it. */
  readonly start?: string | undefined;
}

/** Bytes of a lock that are read for its owner: it stands in front, and takes some hundred. */
const OWNER_BYTES = 4096;
const OWNER = /^\{"owner":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/;

export function ownIdentity(): LockOwner {
  const start = startOf(process.pid);
  return { pid: process.pid, space: processSpace(), host: hostname(), ...(start === "" ? {} : { start }) };
}

/** The owner that the regular file `name` begins with, whatever comes after it; undefined where it does not begin so. */
export function ownerOf(directory: WritableDirectory, name: string): LockOwner | undefined {
  const file = directory.open(name);
  if (file === undefined) return undefined;
  try {
    const text = file.bytes(0, Math.min(file.size, OWNER_BYTES)).toString("utf8");
    const found: unknown = JSON.parse(OWNER.exec(text)?.[1] ?? "null");
    return isOwner(found) ? found : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  } finally {
    file.close();
  }
}

export const isOwner = (value: unknown): value is LockOwner =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "space" in value &&
  typeof value.space === "string" &&
  "host" in value &&
  typeof value.host === "string" &&
  (!("start" in value) || typeof value.start === "string");

/**
 * "unseen": another host's, another PID namespace's, or one of an older version whose number may be another process's by now. Age
 * decides then. `gone` is an owner that somebody who sees more has found to be gone: in the executor no other process's start can be
 * read. One that has noted its start is taken to live there, as long as any process has its number.
 */
export function fateOf(owner: LockOwner, gone: LockOwner | undefined): "alive" | "gone" | "unseen" {
  const space = processSpace();
  if (owner.space !== space) return owner.host === hostname() && bootOf(owner.space) !== bootOf(space) ? "gone" : "unseen";
  // Without the id of a boot, anybody may have named this host.
  if (!isOfThisBoot(owner)) return owner.host === hostname() && !isAlive(owner.pid) ? "gone" : "unseen";
  if (!isAlive(owner.pid)) return "gone";
  const start = startOf(owner.pid);
  if (start === "ended") return "gone";
  if (owner.start === undefined) return "unseen";
  if (start === "") return isSameOwner(owner, gone) ? "gone" : "alive";
  return start === owner.start ? "alive" : "gone";
}

export const isSameOwner = (owner: LockOwner, other: LockOwner | undefined): boolean =>
  owner.pid === other?.pid && owner.start === other.start && owner.space === other.space && owner.host === other.host;

/** Tells whether an owner names this machine's current boot. False if the host shows no id of its boot. */
export function isOfThisBoot({ space }: LockOwner): boolean {
  const own = boot();
  return own !== "" && bootOf(space) === own;
}

const bootOf = (space: string): string => space.slice(space.lastIndexOf(" ") + 1);
