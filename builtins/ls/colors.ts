/** The colors GNU ls has built in, which it uses where LS_COLORS says nothing. */
import { colourSequence } from "../../src/display/colour.ts";
import type { Entry } from "./entry.ts";

/** Codes that end a color, and come once before the first. */
export const RESET = "0";
/** After a name that wraps over the end of the line, so that its color does not run on. */
export const CLEAR_TO_LINE_END = "\u001b[K";

/** The sequence, with `mark`, that begins the color of `entry`'s name, or undefined. */
export function colorOf({ kind, status }: Pick<Entry, "kind" | "status">, mark: string): string | undefined {
  const code = codeOf(kind, status?.permissions);
  return code === undefined ? undefined : colourSequence(mark, code);
}

function codeOf(kind: Entry["kind"], permissions: number | undefined): string | undefined {
  switch (kind) {
    case "directory":
      if (permissions === undefined) return "01;34";
      if ((permissions & 0o1002) === 0o1002) return "30;42";
      if ((permissions & 0o002) !== 0) return "34;42";
      return (permissions & 0o1000) !== 0 ? "37;44" : "01;34";
    case "symlink":
      return "01;36";
    case "fifo":
      return "33";
    case "socket":
      return "01;35";
    case "block-device":
    case "character-device":
      return "01;33";
    case "file":
      if (permissions === undefined) return undefined;
      if ((permissions & 0o4000) !== 0) return "37;41";
      if ((permissions & 0o2000) !== 0) return "30;43";
      return (permissions & 0o111) !== 0 ? "01;32" : undefined;
    case undefined:
      return undefined;
  }
}
