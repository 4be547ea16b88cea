/**
 * Conditions of `test` and `[[ ]]`: comparisons of numbers, and questions about files. A probe answers the questions from
 * the file system, or only notes the paths they name (for the guard).
 */
import { isStandardInput } from "./inputs.ts";
import type { Files } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import { statusOfNone, type FileStatus } from "../workspace/file-status.ts";

export interface Probe {
  /** The status of the file; undefined where no file is. */
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
  return (path !== "-" && isStandardInput(path)) || ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"].includes(path);
}

const STREAM = statusOfNone("fifo", 0o600);

/** True if `-LETTER word` holds, for every letter that is about a file or a descriptor. */
export function fileHolds(letter: string, word: string, probe: Probe): boolean {
  switch (letter) {
    case "t": // No descriptor of a stage is a terminal.
    case "R": // No variable is a reference.
      return false;
    case "r":
      return probe.access(word, "read");
    case "w":
      return probe.access(word, "write");
    case "x":
      return probe.access(word, "execute");
    case "h":
    case "L":
      return probe.status(word, false)?.kind === "symlink";
    default: {
      const status = probe.status(word, true);
      return status !== undefined && fileIs(letter, status, probe);
    }
  }
}

function fileIs(letter: string, status: FileStatus, probe: Probe): boolean {
  switch (letter) {
    case "f":
      return status.kind === "file";
    case "d":
      return status.kind === "directory";
    case "s":
      return status.size > 0;
    case "p":
      return status.kind === "fifo";
    case "S":
      return status.kind === "socket";
    case "b":
      return status.kind === "block-device";
    case "c":
      return status.kind === "character-device";
    case "g":
      return (status.permissions & 0o2000) !== 0;
    case "u":
      return (status.permissions & 0o4000) !== 0;
    case "k":
      return (status.permissions & 0o1000) !== 0;
    case "O":
      return status.userId === probe.userId;
    case "G":
      return status.groupId === probe.groupId;
    case "N":
      return status.modifiedNs > status.accessedNs;
    default: // -a, -e
      return true;
  }
}

export function compareFiles(operator: "-nt" | "-ot" | "-ef", left: FileStatus | undefined, right: FileStatus | undefined): boolean {
  if (operator === "-ef") return left !== undefined && right !== undefined && left.inode === right.inode && left.device === right.device;
  const [newer, older] = operator === "-nt" ? [left, right] : [right, left];
  if (newer === undefined) return false;
  return older === undefined || newer.modifiedNs > older.modifiedNs;
}

/** True if `left -OPERATOR right` holds, for -eq, -ne, -lt, -le, -gt and -ge. */
export function compareNumbers(operator: string, left: bigint, right: bigint): boolean {
  switch (operator) {
    case "-eq":
      return left === right;
    case "-ne":
      return left !== right;
    case "-lt":
      return left < right;
    case "-le":
      return left <= right;
    case "-gt":
      return left > right;
    default: // -ge
      return left >= right;
  }
}
