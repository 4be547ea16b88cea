/** Groups items into commands: -I, -L and -n exclude one another, and the last one given counts; -s bounds them all. */
import type { Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import type { flags } from "./flags.ts";

export interface Grouping {
  /** -I: one command for each item, with the item in place of this text. */
  readonly replace: string | undefined;
  /** -n */
  readonly most: number | undefined;
  /** -L */
  readonly lines: number | undefined;
  /** -s: bytes of a command line at most. */
  readonly bytes: number;
  /** What GNU xargs tells of while it comes to the flags. */
  readonly warnings: readonly string[];
}

/** Bytes of a command line at most, unless -s says otherwise. */
const USUAL_COMMAND_BYTES = 131_072;
/** The most that -s may say: what Linux takes, less what GNU xargs keeps free. */
const MOST_COMMAND_BYTES = 2_095_104;

export function groupingOf(occurrences: readonly Occurrence<typeof flags>[]): Grouping {
  let replace: string | undefined;
  let most: number | undefined;
  let lines: number | undefined;
  let bytes = USUAL_COMMAND_BYTES;
  const warnings: string[] = [];
  const exclude = (given: string | number | undefined, name: string, by: string): void => {
    if (given === undefined) return;
    warnings.push(`warning: options ${name} and ${by} are mutually exclusive, ignoring previous ${name} value`);
  };
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "replace":
      case "replaceDefault":
        exclude(most, "--max-args", "--replace/-I/-i");
        exclude(lines, "--max-lines", "--replace/-I/-i");
        replace = occurrence.value;
        most = lines = undefined;
        break;
      case "maxArgs":
        // One item at a time is what -I does anyway.
        if (replace !== undefined && occurrence.value === 1) break;
        exclude(lines, "--max-lines", "--max-args/-n");
        exclude(replace, "--replace", "--max-args/-n");
        most = occurrence.value;
        replace = lines = undefined;
        break;
      case "maxLines":
      case "maxLinesDefault": {
        const by = occurrence.spelling === "-L" ? "-L" : "--max-lines/-l";
        exclude(most, "--max-args", by);
        exclude(replace, "--replace", by);
        lines = occurrence.value;
        replace = most = undefined;
        break;
      }
      case "maxChars": {
        const wanted = occurrence.value ?? USUAL_COMMAND_BYTES;
        bytes = Math.min(Math.max(wanted, 1), MOST_COMMAND_BYTES);
        if (wanted !== bytes) warnings.push(`value ${wanted} for -s option should be ${wanted < bytes ? ">=" : "<="} ${bytes}`);
        break;
      }
      // Read by their values (`XargsRun`), the end by the last of its two flags.
      case "null":
      case "argFile":
      case "delimiter":
      case "end":
      case "endOptional":
      case "noRunIfEmpty":
      case "verbose":
      case "exit":
      // Commands run one after the other.
      case "maxProcs":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return { replace, most, lines, bytes, warnings };
}
