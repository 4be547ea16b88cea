/** Line by line accounts of the changes of one transaction, for its receipts: of as many as an answer shows. */
import type { ChangeSummary } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { changeSummary, MOST_COMPARED_BYTES } from "./change-summary.ts";
import type { DesiredEntry } from "./desired-entry.ts";
import { digestOf, leafBytes, type FoundEntry } from "./entry-state.ts";

const MOST_COMPARISONS = 20;

export class Comparisons {
  #left = MOST_COMPARISONS;

  /**
   * Account of the change of the file `name`, which is still as it was; undefined for what is no file, for one whose bytes are also
   * those of another name, and where they are too many. Throws FileError CONFLICT where they are not those of `old`.
   */
  compare(
    directory: WritableDirectory,
    name: string,
    { typed, desired, old }: { readonly typed: string; readonly desired: DesiredEntry; readonly old: FoundEntry | undefined },
  ): ChangeSummary | undefined {
    const content = desired.kind === "file" ? desired.content : undefined;
    if (content === undefined && desired.kind !== "nothing") return undefined;
    if (old !== undefined && (old.kind !== "file" || old.status.links > 1)) return undefined;
    if ((old?.digest?.bytes ?? 0) + (content?.digest.bytes ?? 0) > MOST_COMPARED_BYTES) return undefined;
    if (this.#left-- <= 0) return undefined;
    const before = old && Buffer.concat([...leafBytes(directory, name, "file")]);
    if (before !== undefined && digestOf(before).sha256 !== old?.digest?.sha256) throw new FileError("CONFLICT", typed);
    return changeSummary(before, content && Buffer.concat([...content.blocks()]));
  }
}
