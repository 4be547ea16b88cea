/** Tab stops as expand and unexpand read them: `N`, a list, `/N` and `+N` for those after the last. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

const MAX = (1n << 64n) - 1n;
const DEFAULT = 8;

/** Gathers what the flags say, then answers where the next stop is. */
export class TabStops {
  readonly #name: string;
  readonly #stops: number[] = [];
  #extend = 0;
  #increment = 0;
  /** The distance of stops where they are all alike, else 0. */
  #size = DEFAULT;

  constructor(name: string) {
    this.#name = name;
  }

  add(stop: number): void {
    this.#stops.push(stop);
  }

  /** One value of -t. Throws UsageError with everything that is wrong in it, as GNU tells it. */
  addList(text: string): void {
    const faults: string[] = [];
    let digits = "";
    let kind: "stop" | "extend" | "increment" = "stop";
    const take = (): boolean => {
      if (digits === "") return true;
      const value = Number(digits);
      digits = "";
      if (kind === "stop") {
        this.#stops.push(value);
        return true;
      }
      const isTaken = (kind === "extend" ? this.#extend : this.#increment) !== 0;
      if (isTaken) faults.push(`'${kind === "extend" ? "/" : "+"}' specifier only allowed with the last value`);
      if (kind === "extend") this.#extend = value;
      else this.#increment = value;
      return !isTaken;
    };
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === "," || character === " " || character === "\t") {
        if (!take()) break;
      } else if (character === "/" || character === "+") {
        if (digits !== "") faults.push(`'${character}' specifier not at start of number: ${quoteCurly(text.slice(at))}`);
        kind = character === "/" ? "extend" : "increment";
      } else if (/[0-9]/.test(character)) {
        digits += character;
        if (BigInt(digits) <= MAX) continue;
        const all = /^\d*/.exec(text.slice(at + 1 - digits.length))?.[0] ?? "";
        faults.push(`tab stop is too large ${quoteCurly(all)}`);
        at += all.length - digits.length;
        digits = all.slice(0, 19);
      } else {
        faults.push(`tab size contains invalid character(s): ${quoteCurly(text.slice(at))}`);
        break;
      }
    }
    if (faults.length === 0) take();
    if (faults.length > 0) throw this.#error(faults.join(`\n${this.#name}: `));
  }

  /** To be called once, after all flags. Throws UsageError. */
  settle(): this {
    let last = 0;
    for (const stop of this.#stops) {
      if (stop === 0) throw this.#error("tab size cannot be 0");
      if (stop <= last) throw this.#error("tab sizes must be ascending");
      last = stop;
    }
    if (this.#increment !== 0 && this.#extend !== 0) throw this.#error("'/' specifier is mutually exclusive with '+'");
    if (this.#stops.length === 0) this.#size = this.#extend || this.#increment || DEFAULT;
    else this.#size = this.#stops.length === 1 && this.#extend === 0 && this.#increment === 0 ? last : 0;
    return this;
  }

  /** The stop after `column`, looking from stop number `cursor.index` on; -1 after the last one. */
  after(column: number, cursor: { index: number }): number {
    if (this.#size > 0) return column + this.#size - (column % this.#size);
    for (; cursor.index < this.#stops.length; cursor.index++) {
      const stop = this.#stops[cursor.index] as number;
      if (column < stop) return stop;
    }
    if (this.#extend > 0) return column + this.#extend - (column % this.#extend);
    if (this.#increment === 0) return -1;
    const last = this.#stops.at(-1) ?? 0;
    return column + this.#increment - ((column - last) % this.#increment);
  }

  #error(message: string): UsageError {
    return new UsageError("bad-value", message);
  }
}
