/** The order that the flags of tree choose, by a switch over all of them. */
import type { Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import type { flags } from "./flags.ts";

/** The last of the flags that choose an order. */
export function chosenSort(occurrences: readonly Occurrence<typeof flags>[]): string {
  let sort = "name";
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "byVersion":
        sort = "version";
        break;
      case "byTime":
        sort = "mtime";
        break;
      case "byChange":
        sort = "ctime";
        break;
      case "unsorted":
        sort = "none";
        break;
      case "sort":
        sort = occurrence.value ?? "name";
        break;
      // Read by their values: in tree-run.ts, nodes.ts, metadata.ts and printers.ts.
      case "all":
      case "charset":
      case "classify":
      case "date":
      case "device":
      case "directories":
      case "dirsfirst":
      case "du":
      case "filelimit":
      case "filesfirst":
      case "follow":
      case "fullPath":
      case "gitfile":
      case "gitignore":
      case "group":
      case "human":
      case "ignore":
      case "ignoreCase":
      case "inodes":
      case "json":
      case "level":
      case "literal":
      case "matchdirs":
      case "metafirst":
      case "noIndent":
      case "noreport":
      case "oneFileSystem":
      case "pattern":
      case "permissions":
      case "prune":
      case "question":
      case "quote":
      case "reverse":
      case "si":
      case "size":
      case "timefmt":
      case "user":
      case "xml":
      // Without effect.
      case "noColor":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return sort;
}
