/** The form of a merge's diff, from the flags. */
import type { Options } from "../commands/options.ts";
import { GitError } from "../git-error.ts";

export type MergeFlag = "-m" | "-c" | "--cc" | "--no-diff-merges" | "--diff-merges" | "--first-parent";

/** Form of a merge's diff. */
export type MergeDiff = "none" | "first-parent" | "separate" | "combined" | "dense";

/**
 * Form of a merge's diff, from the flags. `otherwise`: the form if no flag names one. `obeysFirstParent`: of commands in which
 * --first-parent is about diffs too.
 */
export function mergeDiffOf(options: Options<MergeFlag>, otherwise: MergeDiff, obeysFirstParent = true): MergeDiff {
  let mode: MergeDiff | undefined;
  for (const { name, value } of options.each("-m", "-c", "--cc", "--no-diff-merges", "--diff-merges")) {
    if (name === "-m") mode = "separate";
    else if (name === "-c") mode = "combined";
    else if (name === "--cc") mode = "dense";
    else if (name === "--no-diff-merges") mode = "none";
    else {
      const found = MODES.get(value ?? "");
      if (found === undefined)
        throw new GitError(
          value === "remerge" || value === "r"
            ? "--diff-merges=remerge merges anew, which is not done here"
            : `invalid value for '--diff-merges': '${value ?? ""}'`,
        );
      mode = found;
    }
  }
  const isFirstAlone = obeysFirstParent && options.has("--first-parent") && (mode === undefined || mode === "separate");
  return isFirstAlone ? "first-parent" : (mode ?? otherwise);
}

const MODES: ReadonlyMap<string, MergeDiff> = new Map<string, MergeDiff>([
  ["off", "none"],
  ["none", "none"],
  ["on", "separate"],
  ["m", "separate"],
  ["separate", "separate"],
  ["1", "first-parent"],
  ["first-parent", "first-parent"],
  ["c", "combined"],
  ["combined", "combined"],
  ["cc", "dense"],
  ["dense-combined", "dense"],
]);
