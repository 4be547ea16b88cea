/**
 * Limits of each caller's calls: so many at once, and so many a minute, by a bucket that fills evenly (a caller that was quiet may
 * make a minute's calls together). A call is a request that runs a line or reads what one printed (counted-requests.ts).
 */
import { isCounted } from "./counted-requests.ts";

export interface CallerLimitOptions {
  /** undefined: no such limit. */
  readonly callsAtOnce?: number | undefined;
  readonly callsPerMinute?: number | undefined;
  /** Milliseconds of a clock that does not go back. Default: performance.now(). */
  readonly nowMs?: () => number;
}

/** A call's place, to be given back when its request has ended. */
export interface CallPlace {
  readonly kind: "place";
  /** Harmless when repeated. */
  leave(): void;
}

export interface TooManyCalls {
  readonly kind: "too many";
  /** At least 1. */
  readonly retryAfterSeconds: number;
  /** A sentence for the caller. */
  readonly message: string;
}

/** Callers that are remembered; beyond them, one that has no call running is forgotten, and begins with a full bucket. */
const MOST_CALLERS = 10_000;
/** A call in flight ends at nobody knows what time. */
const RETRY_AT_ONCE_SECONDS = 1;
const MINUTE_MS = 60_000;
/** Sums of fractions of a call may lack that much of a whole one. */
const ROUNDING = 1e-6;

interface CallerState {
  running: number;
  /** Calls that it may still make, at `atMs`. */
  left: number;
  atMs: number;
}

export class CallerLimits {
  readonly #callsAtOnce: number;
  readonly #callsPerMinute: number;
  readonly #nowMs: () => number;
  readonly #callers = new Map<string, CallerState>();

  constructor({ callsAtOnce = Infinity, callsPerMinute = Infinity, nowMs = () => performance.now() }: CallerLimitOptions) {
    this.#callsAtOnce = callsAtOnce;
    this.#callsPerMinute = callsPerMinute;
    this.#nowMs = nowMs;
  }

  /** `message` is the body of a request of the caller of this key (callerKey): a place for it, or why it has none. */
  enter(caller: string, message: unknown): CallPlace | TooManyCalls {
    if (!isCounted(message)) return NO_CALL;
    const state = this.#stateOf(caller);
    if (state.running >= this.#callsAtOnce) {
      const calls = this.#callsAtOnce === 1 ? "one call" : `${this.#callsAtOnce} calls`;
      return tooMany(`this caller may run ${calls} at once`, RETRY_AT_ONCE_SECONDS);
    }
    if (state.left < 1 - ROUNDING) {
      const seconds = ((1 - state.left) * MINUTE_MS) / this.#callsPerMinute / 1000;
      return tooMany(`this caller may make ${this.#callsPerMinute} calls a minute`, Math.max(1, Math.ceil(seconds)));
    }
    state.left--;
    state.running++;
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) state.running--;
      isHeld = false;
    };
    return { kind: "place", leave };
  }

  /** Callers that are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  #stateOf(caller: string): CallerState {
    const nowMs = this.#nowMs();
    const known = this.#callers.get(caller);
    if (known !== undefined) {
      known.left = this.#leftAt(known, nowMs);
      known.atMs = nowMs;
      return known;
    }
    if (this.#callers.size >= MOST_CALLERS) this.#forget(nowMs);
    const state = { running: 0, left: this.#callsPerMinute, atMs: nowMs };
    this.#callers.set(caller, state);
    return state;
  }

  #leftAt({ left, atMs }: CallerState, nowMs: number): number {
    if (this.#callsPerMinute === Infinity) return Infinity;
    return Math.min(this.#callsPerMinute, left + ((nowMs - atMs) * this.#callsPerMinute) / MINUTE_MS);
  }

  /** Forgets those about whom there is nothing to remember; where that is nobody, one that has no call running. */
  #forget(nowMs: number): void {
    const idle = [...this.#callers].filter(([, { running }]) => running === 0);
    const full = idle.filter(([, state]) => this.#leftAt(state, nowMs) >= this.#callsPerMinute);
    for (const [name] of full.length > 0 ? full : idle.slice(0, 1)) this.#callers.delete(name);
  }
}

const NO_CALL: CallPlace = { kind: "place", leave: () => undefined };

/** A refusal that names `limit`, a clause. */
export function tooMany(limit: string, retryAfterSeconds: number): TooManyCalls {
  return { kind: "too many", retryAfterSeconds, message: `${limit}; none of this one was done. Try again in ${retryAfterSeconds} s` };
}

/** The answer to a call that has no place (RFC 6585, 4): 429 with Retry-After, and an error of JSON-RPC. `id` is the request's. */
export function tooManyAnswer({ message, retryAfterSeconds }: TooManyCalls, id: string | number | null): Response {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message } }, { status: 429, headers });
}
