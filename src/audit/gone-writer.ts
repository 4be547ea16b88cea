/** Writer that is gone and has left its lock, for an executor: all it sees of another process is whether a number is taken. */
import { FileError } from "../workspace/file-error.ts";
import { holdAny } from "../workspace/walk/descriptor.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import { WritableDirectory } from "../workspace/write/write-directory.ts";
import { goneOwner } from "../workspace/write/write-lock.ts";
import { LOCK_NAME, STORE_PATH } from "./record-paths.ts";

/** Owner of the lock of the records below the directory that the handle `root` holds, where that process is gone. */
export function goneWriter(root: number): LockOwner | undefined {
  const held: WritableDirectory[] = [];
  try {
    let here: WritableDirectory | undefined = new WritableDirectory(holdAny(root, "."), "");
    for (const name of STORE_PATH.split("/")) {
      held.push(here);
      here = here.directory(name);
      if (here === undefined) return undefined;
    }
    held.push(here);
    return goneOwner(here, LOCK_NAME);
  } catch (thrown) {
    if (thrown instanceof FileError) return undefined;
    throw thrown;
  } finally {
    for (const directory of held) directory.close();
  }
}
