/** One thing to be listed. */
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import type { Settings } from "./settings.ts";

export interface Entry {
  readonly name: string;
  /** undefined where neither the directory nor a status told. */
  readonly kind: FileKind | undefined;
  /** undefined where it was not asked for or could not be had. */
  readonly status: FileStatus | undefined;
  /** An operand whose contents are to be listed. */
  readonly isListed: boolean;
  /** The text of a symbolic link, where it is shown. */
  readonly link: string | undefined;
  /** What the link leads to, where that was asked for. */
  readonly target: FileStatus | undefined;
}

/** Whether the status is needed for more than the kind that the directory itself tells. */
export function needsStatus(settings: Settings): boolean {
  return (
    settings.sort === "time" || settings.sort === "size" || settings.format === "long" || settings.showsContext || settings.showsBlocks
  );
}

export function isDirectory(entry: Entry): boolean {
  return entry.kind === "directory";
}

/** The one of the four times that is shown and sorted by, in nanoseconds. */
export function timeOf(status: FileStatus, settings: Settings): bigint {
  switch (settings.time) {
    case "modified":
      return status.modifiedNs;
    case "accessed":
      return status.accessedNs;
    case "changed":
      return status.changedNs;
    case "born":
      return status.bornNs;
  }
}
