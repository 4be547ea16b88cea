/** expand: tabs as spaces. */
import { defineBuiltin, type FlagTable, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { throughMachine, type ByteMachine } from "./joined-operands.ts";
import { TabStops } from "./tab-stops.ts";

const FLAGS = {
  initial: { kind: "switch", short: "i", help: "leave tabs after the first character that is no blank" },
  tabs: {
    kind: "value",
    short: "t",
    arg: "LIST",
    read: (text: string) => text,
    otherwise: "",
    repeats: true,
    help: "tab stops: one number for all (default 8), or a list, whose last may be /N (multiples of N after it) or +N (every N after it)",
  },
  digits: {
    kind: "value",
    short: "0123456789",
    long: false,
    arg: "LIST",
    ifBare: "",
    read: (text: string) => text,
    otherwise: "",
    help: "the old form of -t: -3 or -3,5",
  },
} as const satisfies FlagTable;

export const expand = defineBuiltin({
  name: "expand",
  summary: "Print files with spaces for tabs.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/expand.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "expand -t 4", stdin: "a\tb\n", stdout: "a   b\n" },
    { command: "expand -t 2,6", stdin: "\ta\tb\n", stdout: "  a   b\n" },
  ],
  check(invocation) {
    stopsOf(invocation);
  },
  async *run(invocation) {
    return yield* throughMachine(invocation, new Expander(stopsOf(invocation), !invocation.flags.initial));
  },
});

/** Throws UsageError. */
function stopsOf({ name, occurrences }: StaticInvocation<typeof FLAGS>): TabStops {
  return gathered(name, occurrences).settle();
}

/** Throws UsageError for what is wrong in one flag alone. */
function gathered(name: string, occurrences: readonly Occurrence<typeof FLAGS>[]): TabStops {
  const stops = new TabStops(name);
  for (const occurrence of occurrences) {
    switch (occurrence.key) {
      case "tabs":
        stops.addList(occurrence.value);
        break;
      case "digits":
        stops.addList(occurrence.spelling.slice(1) + occurrence.value);
        break;
      // Read by its value (`run`).
      case "initial":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  return stops;
}

class Expander implements ByteMachine {
  readonly #stops: TabStops;
  readonly #wholeLine: boolean;
  readonly #cursor = { index: 0 };
  #column = 0;
  #converts = true;

  constructor(stops: TabStops, wholeLine: boolean) {
    this.#stops = stops;
    this.#wholeLine = wholeLine;
  }

  *block(bytes: Uint8Array, output: BlockBuilder): Generator<Uint8Array, void> {
    /** Bytes from here on are not written yet, and go out as they are. */
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === NEWLINE) {
        this.#column = 0;
        this.#cursor.index = 0;
        this.#converts = true;
      } else if (!this.#converts) {
      } else if (byte === TAB) {
        output.add(bytes, from, at);
        from = at + 1;
        const next = this.#stops.after(this.#column, this.#cursor);
        let spaces = next < 0 ? 1 : next - this.#column;
        this.#column += spaces;
        for (; spaces > SPACES.length; spaces -= SPACES.length) {
          output.add(SPACES);
          if (output.full) yield output.take();
        }
        output.add(SPACES, 0, spaces);
      } else if (byte === BACKSPACE) {
        this.#column = Math.max(0, this.#column - 1);
        this.#cursor.index = Math.max(0, this.#cursor.index - 1);
        this.#converts = this.#wholeLine;
      } else {
        this.#column++;
        if (!this.#wholeLine && byte !== SPACE) this.#converts = false;
      }
    }
    output.add(bytes, from);
  }

  end(): void {}
}

const [BACKSPACE, TAB, NEWLINE, SPACE] = [0x08, 0x09, 0x0a, 0x20];
const SPACES = Buffer.alloc(4096, 0x20);
