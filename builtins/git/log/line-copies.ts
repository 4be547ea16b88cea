/**
 * git blame -M and -C: lines that no parent has in their place are looked for elsewhere in the parents' files. Of what is found of a
 * run of lines the part with the most letters and digits is taken, if there are enough of them, and the rest is looked for again.
 */
import { lineText, type LineText } from "../../../src/compare/line-text.ts";
import { lineChanges, type ChangeOptions } from "../diff/line-changes.ts";
import { textsWithoutTail } from "../diff/diff-stat.ts";
import type { LineRun, Origin, Origins } from "./blame-origins.ts";

/** A file in which lines are looked for. */
export interface CopySource {
  /** Undefined for a file that may not be read. */
  readonly read: () => Buffer | undefined;
  /** Its origin, held. */
  readonly take: () => Origin;
}

/** A run that was found in another origin. */
export interface MovedRun {
  readonly origin: Origin;
  readonly run: LineRun;
}

/** Lines `from` to `to` of a run, counted from its first, and where they are in the source. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly sourceLine: number;
  readonly score: number;
}

export class LineCopies {
  readonly #text: LineText;
  readonly #changes: ChangeOptions;
  readonly #origins: Origins;
  /** Letters and digits before each line. */
  readonly #letters: Uint32Array;
  /** What was found; its origins are held. */
  readonly moved: MovedRun[] = [];
  /** Runs with too few letters and digits to be looked for. */
  small: readonly LineRun[] = [];

  constructor(text: LineText, changes: ChangeOptions, origins: Origins) {
    this.#text = text;
    this.#changes = changes;
    this.#origins = origins;
    this.#letters = lettersBefore(text);
  }

  /** The runs with more letters and digits than `least`; the others are put in `small` at `at`. */
  large(runs: readonly LineRun[], least: number, at = 0): readonly LineRun[] {
    const isSmall = (run: LineRun): boolean => this.#score(run.line, run.count) <= least;
    this.small = [...this.small.slice(0, at), ...runs.filter(isSmall), ...this.small.slice(at)];
    return runs.filter((run) => !isSmall(run));
  }

  /** Looks for `runs` in `sources`. Returns what is left of them. Yields after each source. */
  *seek(runs: readonly LineRun[], sources: readonly CopySource[], least: number): Generator<void, readonly LineRun[]> {
    const left: LineRun[] = [];
    let at = 0;
    for (let open = runs; open.length > 0; ) {
      const best: ((Part & { readonly origin: Origin }) | undefined)[] = open.map(() => undefined);
      const taken: Origin[] = [];
      for (const { read, take } of sources) {
        const bytes = read();
        if (bytes === undefined) continue;
        const origin = take();
        taken.push(origin);
        const text = lineText(bytes);
        open.forEach((run, index) => {
          const part = this.#bestPart(run, text);
          if (part !== undefined && part.score >= (best[index]?.score ?? 0)) best[index] = { ...part, origin };
        });
        yield;
      }
      const rest: LineRun[] = [];
      open.forEach((run, index) => {
        const found = best[index];
        if (found === undefined || found.score <= least) {
          left.push(run);
          return;
        }
        const { line, count, originLine } = run;
        const { from, to, sourceLine } = found;
        const origin = this.#origins.hold(found.origin);
        this.moved.push({ origin, run: { line: line + from, count: to - from, originLine: sourceLine } });
        if (from > 0) rest.push({ line, count: from, originLine });
        if (to < count) rest.push({ line: line + to, count: count - to, originLine: originLine + to });
      });
      for (const origin of taken) this.#origins.release(origin);
      const before = this.small.length;
      open = this.large(rest, least, at);
      at += this.small.length - before;
    }
    return left;
  }

  /** The lines of `run` that stand together in `source` too and have the highest score: of equal ones the last. */
  #bestPart(run: LineRun, source: LineText): Part | undefined {
    const { bytes, starts } = this.#text;
    const wanted = bytes.subarray(starts[run.line], starts[run.line + run.count]);
    const [old, now] = withoutTail(source, wanted);
    let best: Part | undefined;
    let from = 0;
    let sourceLine = 0;
    const consider = (to: number): void => {
      if (from >= to) return;
      const score = this.#score(run.line + from, to - from);
      if (best === undefined || score >= best.score) best = { from, to, sourceLine, score };
    };
    for (const { oldFrom, removed, newFrom, added } of lineChanges(old, now, this.#changes)) {
      consider(newFrom);
      from = newFrom + added;
      sourceLine = oldFrom + removed;
    }
    consider(run.count);
    return best;
  }

  /** One more than the letters and digits of some lines. */
  #score(line: number, count: number): number {
    return 1 + (this.#letters[line + count] as number) - (this.#letters[line] as number);
  }
}

/** Most files end in other bytes than the run does: then nothing is read again. */
function withoutTail(source: LineText, wanted: Buffer): readonly [LineText, LineText] {
  const { bytes } = source;
  const canDrop = wanted.length >= 1024 && bytes.length >= 1024 && bytes.subarray(-1024).equals(wanted.subarray(-1024));
  return canDrop ? textsWithoutTail(bytes, wanted) : [source, lineText(wanted)];
}

function lettersBefore({ bytes, starts, lineCount }: LineText): Uint32Array {
  const counts = new Uint32Array(lineCount + 1);
  let count = 0;
  for (let line = 0; line < lineCount; line++) {
    const end = starts[line + 1] as number;
    for (let at = starts[line] as number; at < end; at++) {
      const byte = bytes[at] as number;
      const letter = byte | 32;
      if ((byte >= 48 && byte <= 57) || (letter >= 97 && letter <= 122)) count++;
    }
    counts[line + 1] = count;
  }
  return counts;
}
