/**
 * -B: a file that was changed beyond recognition is taken apart into one that goes and one that comes, so that each may be half of a
 * rename. What is left of both is put together again; it counts as rewritten where enough of the old content is gone.
 */
import { GitError } from "../git-error.ts";
import { isRegular, isSubmodule } from "../objects/objects.ts";
import { NO_ID, type FilePair, type Side } from "./file-pairs.ts";
import { countChanges, HALF, MOST_SCORE } from "./renames.ts";

export interface BreakSettings {
  /** Changes, of the larger file, with which a pair is taken apart. */
  readonly breakScore: number;
  /** Removals, of the old file, with which one that is together again counts as rewritten. */
  readonly rewriteScore: number;
}

const USUAL_REWRITE = 36_000;

/** Smaller files are left whole, in bytes. */
const LEAST_BYTES = 400;

/** The value of -B: `n/m`, each a share as rename scores are written. Throws GitError. */
export function readBreak(text: string): BreakSettings {
  const [, first, second = ""] = /^([0-9.]*%?)(?:\/([0-9.]*%?))?$/.exec(text) ?? [];
  if (first === undefined || /\..*\./.test(first) || /\..*\./.test(second))
    throw new GitError("break-rewrites expects <n>/<m> form", { prefix: "error: ", exit: 129 });
  return { breakScore: shareOf(first) || HALF, rewriteScore: shareOf(second) || USUAL_REWRITE };
}

/** "9", "90", ".9" and "90%" are all nine tenths. More than five digits say no more. */
function shareOf(text: string): number {
  const [, whole = "", fraction = "", percent] = /^([0-9]*)(?:\.([0-9]*))?(%?)$/.exec(text) ?? [];
  const digits = (text.includes(".") ? fraction : whole).slice(0, 5);
  const number = text.includes(".") ? Number(whole + digits) : Number(digits);
  const scale = percent === "%" ? (text.includes(".") ? 100 * 10 ** digits.length : 100) : 10 ** digits.length;
  return number >= scale ? MOST_SCORE : Math.trunc((MOST_SCORE * number) / scale);
}

/** The pairs with those taken apart that are changed enough. `content` is undefined for what may not be read. */
export function brokenPairs(pairs: readonly FilePair[], settings: BreakSettings, content: (side: Side) => Buffer | undefined): FilePair[] {
  return pairs.flatMap((pair) => {
    const { old, now, status } = pair;
    if ((status !== "M" && status !== "T") || old.path !== now.path || isSubmodule(old.mode) || isSubmodule(now.mode)) return [pair];
    const removed = removedShare(old, now, settings, content);
    if (removed === undefined) return [pair];
    const score = removed < settings.rewriteScore ? 0 : removed;
    const nothing = { path: old.path, mode: 0, id: NO_ID };
    return [
      { status: "D", old, now: nothing, score, isBroken: true },
      { status: "A", old: nothing, now, score, isBroken: true },
    ];
  });
}

/** The share of the old content that is gone; undefined where the pair stays whole. */
function removedShare(
  old: Side,
  now: Side,
  { breakScore }: BreakSettings,
  content: (side: Side) => Buffer | undefined,
): number | undefined {
  if (isRegular(old.mode) !== isRegular(now.mode)) return MOST_SCORE;
  const [a, b] = [content(old), content(now)];
  if (a === undefined || b === undefined) return undefined;
  const most = Math.max(a.length, b.length);
  if (most < LEAST_BYTES || a.length === 0) return undefined;
  const counted = countChanges(a, b);
  const copied = Math.min(a.length, counted.copied);
  const added = b.length < counted.added + copied ? Math.max(0, b.length - copied) : counted.added;
  const removed = a.length - copied;
  const share = Math.trunc((removed * MOST_SCORE) / a.length);
  if (share > breakScore) return share;
  if (Math.trunc(((removed + added) * MOST_SCORE) / most) < breakScore) return undefined;
  // Much that went while little came is no rewrite.
  if (a.length * breakScore < removed * MOST_SCORE && added * 20 < removed && added * 20 < copied) return undefined;
  return share;
}
