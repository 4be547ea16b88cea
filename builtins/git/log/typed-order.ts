/** Order in which revisions and flags about them were typed, where it says more than what was typed. */
import type { CommandRun } from "../commands/command.ts";
import { GitError } from "../git-error.ts";
import { fromWord } from "../objects/byte-text.ts";
import { rangeEnds } from "../refs/revision.ts";
import type { WalkFlag } from "./walk-flags.ts";

/** References stand before the revisions, or behind them: the first `named` of `include` are the revisions. Throws GitError. */
export function inTypedOrder({ options }: CommandRun<WalkFlag>, include: readonly string[], named: number): readonly string[] {
  if (named === 0) return include;
  const places = (isWanted: (word: string) => boolean): number[] => options.sequence.flatMap((word, at) => (isWanted(word) ? [at] : []));
  const flags = places((word) => /^--(all|branches|tags|remotes|glob)$/.test(word));
  const operands = places((word) => options.operands.includes(word));
  if (Math.max(...operands) < Math.min(...flags)) return include;
  if (Math.max(...flags) < Math.min(...operands)) return [...include.slice(named), ...include.slice(0, named)];
  throw new GitError("--no-walk=unsorted is not done here with references between revisions");
}

/** True if a revision behind the last --no-walk leaves something out: then git walks all the same. */
export function leavesOutBehindNoWalk(run: CommandRun<WalkFlag>): boolean {
  const { sequence } = run.options;
  const negated = negatedOperands(run);
  return sequence.slice(sequence.lastIndexOf("--no-walk") + 1).some((word) => {
    const typed = fromWord(word);
    return negated.has(typed) || typed.startsWith("^") || rangeEnds(typed) !== undefined || /\^(?:!|-[0-9]*)$/.test(typed);
  });
}

/** Revisions that stand after a --not. */
export function negatedOperands({ options }: CommandRun<WalkFlag>): ReadonlySet<string> {
  if (!options.has("--not")) return new Set();
  const negated = new Set<string>();
  let isNot = false;
  for (const word of options.sequence) {
    if (word === "--not") isNot = !isNot;
    else if (isNot) negated.add(fromWord(word));
  }
  return negated;
}
