/** Paths in a diff as they are shown: without what they are relative to, a directory or, as in git, any beginning. */
import type { DiffSettings } from "./diff-options.ts";

export const shownPath = (path: string, { relativeTo }: DiffSettings): string =>
  relativeTo !== undefined && path.startsWith(relativeTo) ? path.slice(relativeTo.length).replace(/^\//, "") : path;
