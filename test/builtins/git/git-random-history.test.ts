/** Limited histories (--full-history, --ancestry-path, --boundary and the like, with paths) against the real git, in histories made by chance. */
import { testBesideReal, type LineSet } from "./beside-real.ts";
import { historyLines, makeRandomHistory } from "./random-history.ts";

const LINES_OF_EACH = 40;

/** Lines in which `npm run git-histories` found a difference, by seed. */
const FOUND: Readonly<Record<number, readonly string[]>> = {
  12: ["git log --format='%s: %p' --first-parent --parents main -- b d", "git rev-list --first-parent --parents side5 side4 -- b d"],
  14: ["git log --format='%s: %p' --full-history --parents main ^side12 ^side1 -- d"],
  20: ["git log --oneline --dense --parents c32...side4 -- ':!a'"],
  30: ["git log --format='%s: %p' --first-parent --children main -- b d"],
  43: ["git rev-list --parents --left-only side5...side20 -- a", "git rev-list --count --left-only --all"],
  44: [
    "git log --format='%s: %p' --first-parent --full-history --parents --boundary --since=1700000300 --all -- nope",
    "git rev-list --simplify-by-decoration -n 5 --cherry-mark side29...side8 -- a",
  ],
  49: ["git log --format='%s: %p' --first-parent --parents --all -- a"],
  53: ["git log --oneline --ancestry-path --cherry-pick side28...side20 -- nope", "git log --format=%m%s side28...side20"],
  55: ["git log --raw --oneline --full-diff --simplify-merges --boundary --graph main ^side1 ^side17 -- b d"],
  68: ["git log -p --cc --oneline --full-history --graph --topo-order side14 side1 -- a"],
  82: ["git rev-list --full-history --graph --cherry-mark main"],
  131: ["git log -p --cc --oneline --graph c0..main"],
  153: ["git log --format='%s: %p' --first-parent --boundary --date-order main -- a"],
  156: ["git log -p --cc --oneline --first-parent --boundary --date-order main -- d"],
  1049: ["git log --name-status --oneline -m --first-parent --boundary main ^side6 ^side4 -- b d"],
  1063: ["git log --format='%s: %p' --first-parent --boundary side7 side9 -- d"],
};

const sets = [1, 2, 3, 4, 5, 6].map((seed): LineSet => [`seed ${seed}`, () => makeRandomHistory(seed), linesAnswered(seed)]);
const found = Object.entries(FOUND).map(([seed, lines]): LineSet => [`seed ${seed}`, () => makeRandomHistory(Number(seed)), lines]);

/** --count beside --graph is refused. */
function linesAnswered(seed: number): readonly string[] {
  return historyLines(seed, LINES_OF_EACH).filter((line) => !(line.includes("--count") && line.includes("--graph")));
}

testBesideReal("git, in histories made by chance", [...found, ...sets]);
