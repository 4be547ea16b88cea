/** A file's type and permissions in ten characters, as in `ls -l` (gnulib's filemodestring). */
import type { FileKind, FileStatus } from "../workspace/file-status.ts";

export function modeText({ kind, permissions }: Pick<FileStatus, "kind" | "permissions">): string {
  return (
    kindLetter(kind).replace("f", "-") +
    triple(permissions >> 6, permissions & 0o4000, "s") +
    triple(permissions >> 3, permissions & 0o2000, "s") +
    triple(permissions, permissions & 0o1000, "t")
  );
}

function triple(bits: number, special: number, letter: string): string {
  const execute = (bits & 1) !== 0;
  const last = special === 0 ? (execute ? "x" : "-") : execute ? letter : letter.toUpperCase();
  return ((bits & 4) === 0 ? "-" : "r") + ((bits & 2) === 0 ? "-" : "w") + last;
}

/** The letter of `-type` and `%y`. */
export function kindLetter(kind: FileKind): string {
  switch (kind) {
    case "file":
      return "f";
    case "directory":
      return "d";
    case "symlink":
      return "l";
    case "fifo":
      return "p";
    case "socket":
      return "s";
    case "character-device":
      return "c";
    case "block-device":
      return "b";
  }
}
