/**
 * State of each range of addresses, open or closed. As in GNU sed, a range by number begins at the first line it meets past its
 * start.
 */
import type { Address, Command, RangeEnd } from "./program.ts";

const INACTIVE = 0;
const ACTIVE = 1;
/** Its beginning, a line number, is past. */
const CLOSED = 2;

export class RangeStates {
  readonly #commands: readonly Command[];
  readonly #states: Uint8Array;
  /** The line that ends an active range, where that is known. */
  readonly #ends: Float64Array;

  constructor(commands: readonly Command[]) {
    this.#commands = commands;
    this.#states = new Uint8Array(commands.length);
    this.#ends = new Float64Array(commands.length);
    this.reset();
  }

  /** A new file begins, which is an input of its own. */
  reset(): void {
    for (const [at, { first, second }] of this.#commands.entries()) {
      this.#states[at] = first?.kind === "line" && first.line === 0 && second !== undefined ? ACTIVE : INACTIVE;
    }
  }

  /** True if a range that begins at a line number is past. */
  isClosed(command: number): boolean {
    return this.#states[command] === CLOSED;
  }

  isActive(command: number): boolean {
    return this.#states[command] === ACTIVE;
  }

  /** True if the range of `command` holds the current line. */
  selects(command: number, first: Address, second: RangeEnd, line: number, test: (address: Address) => boolean): boolean {
    switch (this.#states[command]) {
      case ACTIVE:
        return this.#goesOn(command, second, line, test);
      case CLOSED:
        if (first.kind === "line") return false;
        return test(first) && this.#begins(command, first, second, line, test);
      default:
        if (first.kind === "line" && second.kind === "line" && line > first.line && line > second.line) {
          this.#states[command] = CLOSED;
          return false;
        }
        return (first.kind === "line" ? line >= first.line : test(first)) && this.#begins(command, first, second, line, test);
    }
  }

  #begins(command: number, first: Address, second: RangeEnd, line: number, test: (address: Address) => boolean): true {
    let end = Infinity;
    if (second.kind === "line") end = second.line;
    else if (second.kind === "more") end = line + second.lines;
    else if (second.kind === "multiple") end = second.of === 0 ? line : line + second.of - (line % second.of);
    else if (second.kind === "last" && test(second)) end = line;
    this.#ends[command] = end;
    if (end > line) this.#states[command] = ACTIVE;
    else if (first.kind === "line") this.#states[command] = CLOSED;
    return true;
  }

  #goesOn(command: number, second: RangeEnd, line: number, test: (address: Address) => boolean): boolean {
    if (second.kind === "pattern" || second.kind === "last") {
      if (test(second)) this.#states[command] = CLOSED;
      return true;
    }
    const end = this.#ends[command] as number;
    if (line >= end) this.#states[command] = CLOSED;
    // Where its last line was joined to another by N, GNU sed lets a range of +N or ~N hold the next line it meets.
    return second.kind !== "line" || line <= end;
  }
}
