/** Lines in place of refused ones: those that do all that the refused line would have done, and those that lack something. */

import type { OpenLoss } from "../shell/rewrite.ts";

export interface Suggestion {
  readonly line: string;
  /** What it lacks, as a clause; undefined: nothing, it prints, ends with and leaves what the refused line would have. */
  readonly lost: string | undefined;
  /** What it may lack, by the files that there are. */
  readonly open?: readonly OpenLoss[];
}

/** A line that is the refused one in other words. */
export const same = (line: string): Suggestion => ({ line, lost: undefined });

/** A line that is near the refused one. */
export const near = (line: string, lost: string): Suggestion => ({ line, lost });
