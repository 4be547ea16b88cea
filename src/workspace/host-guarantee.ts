/** Guarantees that are weaker here than on Linux, for whoever decides whether to rely on them. docs/security.md has them all. */
import { isLinux, isWindows } from "../io/platform.ts";

/** One sentence without its full stop; undefined on Linux. */
export const WEAKER_HERE: string | undefined = isLinux
  ? undefined
  : `on ${isWindows ? "Windows" : "this system"} files are reached by name and looked at before and after, not held: another process ` +
    "that swaps directories there and back between two looks may be missed (docs/security.md)";
