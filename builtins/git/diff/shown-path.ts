/** Paths in a diff as they are shown: without the directory that they are relative to. */
import type { DiffSettings } from "./diff-options.ts";

export const shownPath = (path: string, { relativeTo }: DiffSettings): string =>
  relativeTo !== undefined && path.startsWith(relativeTo) ? path.slice(relativeTo.length) : path;
