/**
 * Turns of requests for resources, prompts and completions, of each caller for itself. The answer with an output of 8 MiB takes the server's
 * only thread for some fifty milliseconds at once: one caller has but one of those under way, and none for as long after it.
 */
import { type CallPlace, tooMany, type TooManyCalls } from "./caller-limits.ts";

export interface ReadTurnsOptions {
  /** Of one caller. */
  readonly atOnce: number;
  /** Of one caller, besides those. */
  readonly waiting: number;
  /** A place stays empty for as long as it was taken, but no longer than that; milliseconds. */
  readonly mostRestMs: number;
}

interface CallerTurns {
  /** Places that are taken, or rest. */
  taken: number;
  /** Each takes the place that the one before it has left. */
  readonly waiting: (() => void)[];
}

/** A read ends soon. */
const RETRY_SECONDS = 1;

export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  /** Those that have a read under way, or a place that rests. */
  readonly #callers = new Map<string, CallerTurns>();

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /** Resolves with a place for a read of the caller of this key (callerKey) when its turn comes, or at once where too many wait. */
  async enter(caller: string): Promise<CallPlace | TooManyCalls> {
    const { atOnce, waiting } = this.#options;
    const turns = this.#callers.get(caller) ?? { taken: 0, waiting: [] };
    this.#callers.set(caller, turns);
    if (turns.taken < atOnce) {
      turns.taken++;
    } else {
      if (turns.waiting.length >= waiting) {
        return tooMany(`this caller may have ${atOnce + waiting} reads of this kind under way`, RETRY_SECONDS);
      }
      await new Promise<void>((resolve) => turns.waiting.push(resolve));
    }
    const sinceMs = performance.now();
    let isHeld = true;
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      const restMs = Math.min(performance.now() - sinceMs, this.#options.mostRestMs);
      if (restMs === 0) this.#handOn(caller, turns);
      else setTimeout(() => this.#handOn(caller, turns), restMs).unref();
    };
    return { kind: "place", leave };
  }

  /** Callers that have a read under way, or a place that rests. */
  get size(): number {
    return this.#callers.size;
  }

  #handOn(caller: string, turns: CallerTurns): void {
    const next = turns.waiting.shift();
    if (next !== undefined) return next();
    turns.taken--;
    if (turns.taken === 0) this.#callers.delete(caller);
  }
}
