/** A directory of the user's own for sockets, which nobody else may enter, and the sockets in it. */
import { lstatSync, mkdirSync, unlinkSync } from "node:fs";

/** Makes the directory at the host path `path` where it is missing. False where it is, or stays, not the user's alone. */
export function madePrivateDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // There already, by whomever, or not to be made: the check below tells.
  }
  return isPrivateDirectory(path);
}

/** True for a directory that belongs to this user and that no other can enter; false, too, for a link to one. */
export function isPrivateDirectory(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === process.geteuid?.() && (status.mode & 0o077) === 0;
}

/** Removes the socket at the host path `path`; anything else there, or nothing, stays. */
export function removeSocket(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) unlinkSync(path);
}

/** True for the id of the user who runs this process; for any, where the host has none. */
export const isOwnUser = (userId: number): boolean => userId === (process.geteuid?.() ?? userId);
