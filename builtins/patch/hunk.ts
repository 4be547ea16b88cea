/** A hunk of any kind of diff, as the lines that it seeks and the lines that it leaves. */

/** Lines of one side. `marks` has a letter for each: space for context, `-`, `+`, and `!` for a changed line of a context diff. */
export interface HunkSide {
  /** Line number, from 1, at which the lines begin; for a side without lines, that of the line behind them. */
  readonly first: number;
  readonly marks: string;
  readonly lines: readonly Buffer[];
}

export interface Hunk {
  readonly old: HunkSide;
  readonly new: HunkSide;
  /** Lines of context before the first change, and behind the last. */
  readonly prefixContext: number;
  readonly suffixContext: number;
}

/** The hunk that undoes `hunk`. */
export function reversed(hunk: Hunk): Hunk {
  return { ...hunk, old: turned(hunk.new, "+", "-"), new: turned(hunk.old, "-", "+") };
}

const turned = (side: HunkSide, from: string, to: string): HunkSide => ({ ...side, marks: side.marks.replaceAll(from, to) });
