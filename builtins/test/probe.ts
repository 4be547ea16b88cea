/** What `test` asks about files: the real answers, or only a note of what would be asked (for the guard). */
import { isStandardInput } from "../../src/builtin/inputs.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileStatus } from "../../src/workspace/file-status.ts";

export interface Probe {
  /** undefined where there is none. */
  status(path: string, follow: boolean): FileStatus | undefined;
  access(path: string, wanted: "read" | "write" | "execute"): boolean;
  readonly userId: number;
  readonly groupId: number;
}

export function fileProbe(files: Files): Probe {
  const orElse = <T>(otherwise: T, ask: () => T): T => {
    try {
      return ask();
    } catch (thrown) {
      if (thrown instanceof FileError) return otherwise;
      throw thrown;
    }
  };
  return {
    status: (path, follow) => {
      // /dev/stdin itself is a symbolic link on Linux.
      if (isStream(path)) return follow ? STREAM : { ...STREAM, kind: "symlink" };
      return path === "" ? undefined : orElse(undefined, () => files.status(path, { follow }));
    },
    access: (path, wanted) => {
      if (isStream(path)) return wanted !== "execute";
      return path !== "" && orElse(false, () => files.access(path, wanted));
    },
    userId: files.userId,
    groupId: files.groupId,
  };
}

/** Collects every path that would be asked about. */
export function recordingProbe(paths: Set<string>): Probe {
  const note = (path: string): void => {
    if (path !== "" && !isStream(path)) paths.add(path);
  };
  return {
    status: (path) => void note(path),
    access: (path) => {
      note(path);
      return false;
    },
    userId: 0,
    groupId: 0,
  };
}

/** bash answers for the standard streams itself, whatever /dev holds. Here each of them is a pipe. */
function isStream(path: string): boolean {
  return isStandardInput(path) || ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"].includes(path);
}

const STREAM: FileStatus = {
  kind: "fifo",
  permissions: 0o600,
  size: 0,
  modifiedNs: 0n,
  accessedNs: 0n,
  changedNs: 0n,
  bornNs: 0n,
  inode: 0n,
  device: 0n,
  specialDevice: 0n,
  links: 1,
  userId: 0,
  groupId: 0,
  blocks: 0,
  ioBytes: 4096,
};
