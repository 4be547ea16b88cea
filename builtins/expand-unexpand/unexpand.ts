/** unexpand: blanks as tabs, where they reach a tab stop. */
import { defineBuiltin, type FlagTable, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { throughMachine, type ByteMachine } from "./joined-operands.ts";
import { TabStops } from "./tab-stops.ts";

const FLAGS = {
  all: { kind: "switch", short: "a", help: "convert all blanks, not only those that begin a line" },
  firstOnly: { kind: "switch", help: "convert only the blanks that begin a line, also with -a or -t" },
  tabs: {
    kind: "value",
    short: "t",
    arg: "LIST",
    read: (text: string) => text,
    otherwise: "",
    repeats: true,
    help: "tab stops, as for expand -t; turns on -a",
  },
  digits: { kind: "switch", short: "0123456789,", long: false, help: "the old form: -4 or -4,8, without turning on -a" },
} as const satisfies FlagTable;

export const unexpand = defineBuiltin({
  name: "unexpand",
  summary: "Print files with tabs for the blanks that reach a tab stop.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/unexpand.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "unexpand -t 4 --first-only", stdin: "        a    b\n", stdout: "\t\ta    b\n" },
    { command: "unexpand -a", stdin: "1234    a\n", stdout: "1234\ta\n" },
  ],
  deviations: [
    {
      from: "GNU unexpand",
      what: "a tab stop may be as far as 2^64",
      why: "GNU unexpand takes memory for as many blanks as reach the farthest stop, and fails where it has none",
    },
  ],
  check(invocation) {
    stopsOf(invocation);
  },
  async *run(invocation) {
    const { flags } = invocation;
    const wholeLine = (flags.all || flags.tabs.length > 0) && !flags.firstOnly;
    return yield* throughMachine(invocation, new Unexpander(stopsOf(invocation), wholeLine));
  },
});

/** Throws UsageError. */
function stopsOf({ name, occurrences }: StaticInvocation<typeof FLAGS>): TabStops {
  return gathered(name, occurrences).settle();
}

/** Throws UsageError for what is wrong in one flag alone. */
function gathered(name: string, occurrences: readonly Occurrence<typeof FLAGS>[]): TabStops {
  const stops = new TabStops(name);
  let digits = "";
  const take = (): void => {
    if (digits !== "") stops.add(Number(digits));
    digits = "";
  };
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "tabs":
        stops.addList(occurrence.value);
        break;
      case "digits":
        if (occurrence.spelling === "-,") take();
        else digits += occurrence.spelling.slice(1);
        if (digits.length > 19 && BigInt(digits) >= 1n << 64n) throw new UsageError("bad-value", "tab stop value is too large");
        break;
      // Read by their values (`run`).
      case "all":
      case "firstOnly":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  take();
  return stops;
}

/** The steps of GNU unexpand, whose names for what is pending are kept. */
class Unexpander implements ByteMachine {
  readonly #stops: TabStops;
  readonly #wholeLine: boolean;
  readonly #cursor = { index: 0 };
  #column = 0;
  #nextStop = 0;
  #converts = true;
  /** Blanks that may yet become a tab: how many, and what the first of them is. */
  #pending = 0;
  #firstPending = SPACE;
  #oneBlankBeforeStop = false;
  #previousBlank = true;

  constructor(stops: TabStops, wholeLine: boolean) {
    this.#stops = stops;
    this.#wholeLine = wholeLine;
  }

  *block(bytes: Uint8Array, output: BlockBuilder): Generator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at++) {
      let byte = bytes[at] as number;
      if (this.#converts) {
        const step = this.#step(byte, output);
        if (step < 0) continue;
        byte = step;
      }
      if (output.full) yield output.take();
      output.addByte(byte);
      if (byte === NEWLINE) this.#startLine();
    }
  }

  end(output: BlockBuilder): void {
    this.#flush(output);
  }

  #startLine(): void {
    this.#column = 0;
    this.#nextStop = 0;
    this.#cursor.index = 0;
    this.#converts = true;
    this.#previousBlank = true;
    this.#oneBlankBeforeStop = false;
  }

  /** The byte to write, after what was pending; -1 where it becomes pending itself. */
  #step(byte: number, output: BlockBuilder): number {
    const isBlank = byte === SPACE || byte === TAB;
    let written = byte;
    if (isBlank) {
      this.#nextStop = this.#stops.after(this.#column, this.#cursor);
      if (this.#nextStop < 0) this.#converts = false;
      if (this.#converts) {
        if (byte === TAB) {
          this.#column = this.#nextStop;
          if (this.#pending > 0) this.#firstPending = TAB;
        } else {
          this.#column++;
          const reaches = this.#column === this.#nextStop;
          if (!(this.#previousBlank && reaches)) {
            if (reaches) this.#oneBlankBeforeStop = true;
            if (this.#pending++ === 0) this.#firstPending = byte;
            this.#previousBlank = true;
            return -1;
          }
          written = TAB;
          this.#firstPending = TAB;
        }
        // A single blank just before the stop is a tab of its own.
        this.#pending = this.#oneBlankBeforeStop ? 1 : 0;
      }
    } else if (byte === BACKSPACE) {
      this.#column = Math.max(0, this.#column - 1);
      this.#nextStop = this.#column;
      this.#cursor.index = Math.max(0, this.#cursor.index - 1);
    } else {
      this.#column++;
    }
    this.#flush(output);
    this.#previousBlank = isBlank;
    this.#converts &&= this.#wholeLine || isBlank;
    return written;
  }

  #flush(output: BlockBuilder): void {
    if (this.#pending === 0) return;
    if (this.#pending > 1 && this.#oneBlankBeforeStop) this.#firstPending = TAB;
    output.addByte(this.#firstPending);
    for (let left = this.#pending - 1; left > 0; left--) output.addByte(SPACE);
    this.#pending = 0;
    this.#oneBlankBeforeStop = false;
  }
}

const [BACKSPACE, TAB, NEWLINE, SPACE] = [0x08, 0x09, 0x0a, 0x20];
