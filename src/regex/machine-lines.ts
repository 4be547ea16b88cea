/** Lines by `PerlMachine`, behind an automaton of a wider pattern. */
import { PerlMachine } from "./perl-machine.ts";
import { perlProgram } from "./perl-program.ts";
import { ANYTHING, groupsOf, isRegular, widened, type PerlTree } from "./perl-tree.ts";
import { LinearMatcher, type LineMatcher, type LineMatches } from "./posix-matcher.ts";
import { transform } from "./regex-tree.ts";
import type { RequiredText } from "./required-text.ts";
import type { SymbolSet } from "./symbol-set.ts";
import { packedSymbolAt } from "./utf8-step.ts";

export class MachineLines implements LineMatcher {
  readonly required: RequiredText | undefined;
  readonly scan: LineMatcher["scan"];
  readonly #linear: LinearMatcher;
  /** True if the automaton alone decides which lines match, and the machine only where. */
  readonly #isLinear: boolean;
  readonly #machine: PerlMachine;

  /** Throws PatternError where the pattern is too big. */
  constructor(tree: PerlTree, lineEnd: number, words: SymbolSet) {
    const wide = transform(widened(tree), (node) => (node.kind === "back-reference" ? ANYTHING : node));
    this.#linear = new LinearMatcher(wide, lineEnd, () => words);
    const { required } = this.#linear;
    this.#isLinear = isRegular(tree);
    this.required = required === undefined || this.#isLinear ? required : { ...required, suffices: false };
    this.scan = this.#isLinear ? this.#linear.scan : undefined;
    this.#machine = new PerlMachine(perlProgram(tree, groupsOf(tree)), words);
  }

  test(bytes: Buffer, from: number, to: number): boolean {
    return this.#linear.test(bytes, from, to) && (this.#isLinear || this.matchesIn(bytes, from, to).find(from));
  }

  matchesIn(bytes: Buffer, from: number, to: number): LineMatches {
    const symbols: number[] = [];
    const places: number[] = [];
    for (let at = from; at < to; ) {
      const packed = packedSymbolAt(bytes, at, to);
      symbols.push(packed >> 3);
      places.push(at);
      at += packed & 7;
    }
    places.push(to);
    const matches: LineMatches = {
      start: -1,
      end: -1,
      find: (at) => {
        const found = this.#machine.find(symbols, indexOf(places, at));
        if (found === undefined) return false;
        matches.start = places[found.start] as number;
        matches.end = places[found.end] as number;
        return true;
      },
    };
    return matches;
  }
}

/** Index of the first place at or behind `wanted`; places ascend. */
function indexOf(places: readonly number[], wanted: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
