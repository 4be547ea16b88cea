/** Lines → groups of adjacent lines with the same key → what of each group is printed. */
import { endOfLine } from "../../src/io/lines.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { keyStart, sameKey, type KeyRule } from "./key.ts";

export interface Printing {
  /** Lines whose group has no second one (-d, -D turn it off). */
  readonly unique: boolean;
  /** One line of each larger group (-u turns it off). */
  readonly firstRepeated: boolean;
  /** The others of each larger group (-D). */
  readonly laterRepeated: boolean;
  /** -c: the size of the group before each line. */
  readonly counts: boolean;
  /** An empty line around the groups of -D. */
  readonly delimit: "none" | "prepend" | "separate";
  /** --group: all lines, with an empty line around each group. */
  readonly group: "prepend" | "append" | "separate" | "both" | undefined;
}

/** The line that the next one is compared with. */
interface Held {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly keyFrom: number;
  readonly keyTo: number;
}

export class Groups {
  readonly #rule: KeyRule;
  readonly #printing: Printing;
  readonly #lineEnd: number;
  #held: Held | undefined;
  /** Lines of the running group after its first. */
  #repeats = 0;
  #groupPrinted = false;
  /** The keys of --all-repeated=separate: whether a group of several lines has ended. */
  #repeatedGroupEnded = false;

  constructor(rule: KeyRule, printing: Printing, lineEnd: number) {
    this.#rule = rule;
    this.#printing = printing;
    this.#lineEnd = lineEnd;
  }

  /** Takes a block of whole lines; only the last line of the input may lack its end. */
  add(block: Buffer, output: BlockBuilder): void {
    const { group, unique, firstRepeated, laterRepeated, counts } = this.#printing;
    const rule = this.#rule;
    const isPlain = group === undefined && !laterRepeated;
    if (isPlain && unique && firstRepeated && !counts) {
      this.#addFirsts(block, output);
      return;
    }
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start, this.#lineEnd);
      const keyFrom = keyStart(block, start, end, rule);
      const keyTo = Math.min(end, keyFrom + rule.compareBytes);
      const held = this.#held;
      const same = held !== undefined && sameKey(held.bytes, held.keyFrom, held.keyTo, block, keyFrom, keyTo, rule.ignoreCase);
      if (same && isPlain) {
        this.#repeats++;
      } else {
        const line = { bytes: block, start, end, keyFrom, keyTo };
        if (group !== undefined) this.#grouped(line, same, group, output);
        else this.#counted(line, same, output);
      }
      start = end + 1;
    }
    this.#keepHeld();
  }

  /** Prints the first line of each group: what lies between repeated lines, as it is. */
  #addFirsts(block: Buffer, output: BlockBuilder): void {
    const rule = this.#rule;
    let bytes = this.#held?.bytes;
    let [heldStart, heldEnd] = [this.#held?.start ?? 0, this.#held?.end ?? 0];
    let [heldFrom, heldTo] = [this.#held?.keyFrom ?? 0, this.#held?.keyTo ?? 0];
    let unprinted = 0;
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start, this.#lineEnd);
      const keyFrom = keyStart(block, start, end, rule);
      const keyTo = Math.min(end, keyFrom + rule.compareBytes);
      if (bytes !== undefined && sameKey(bytes, heldFrom, heldTo, block, keyFrom, keyTo, rule.ignoreCase)) {
        output.add(block, unprinted, start);
        unprinted = end + 1;
      } else {
        bytes = block;
        [heldStart, heldEnd, heldFrom, heldTo] = [start, end, keyFrom, keyTo];
      }
      start = end + 1;
    }
    if (unprinted < block.length) {
      output.add(block, unprinted, block.length);
      if (block[block.length - 1] !== this.#lineEnd) output.addByte(this.#lineEnd);
    }
    if (bytes !== block) return;
    this.#held = { bytes, start: heldStart, end: heldEnd, keyFrom: heldFrom, keyTo: heldTo };
    this.#keepHeld();
  }

  finish(output: BlockBuilder): void {
    const { group, unique, firstRepeated, counts } = this.#printing;
    if (group !== undefined) {
      if ((group === "append" || group === "both") && this.#groupPrinted) output.addByte(this.#lineEnd);
      return;
    }
    if (!(unique && firstRepeated && !counts) && this.#held !== undefined) this.#write(this.#held, false, output);
  }

  #print(line: Held, output: BlockBuilder): void {
    output.add(line.bytes, line.start, line.end);
    output.addByte(this.#lineEnd);
    this.#held = line;
  }

  #grouped(line: Held, same: boolean, group: NonNullable<Printing["group"]>, output: BlockBuilder): void {
    const opens = group === "prepend" || group === "both";
    if (!same && (opens || this.#groupPrinted)) output.addByte(this.#lineEnd);
    this.#groupPrinted = true;
    this.#print(line, output);
  }

  /** The held line is printed when it is known whether its group goes on. */
  #counted(line: Held, same: boolean, output: BlockBuilder): void {
    const held = this.#held;
    if (held === undefined) {
      this.#held = line;
      return;
    }
    const { delimit, laterRepeated } = this.#printing;
    if (same) {
      this.#repeats++;
      if (this.#repeats === 1 && (delimit === "prepend" || (delimit === "separate" && this.#repeatedGroupEnded))) {
        output.addByte(this.#lineEnd);
      }
    } else if (this.#repeats > 0) {
      this.#repeatedGroupEnded = true;
    }
    if (same && !laterRepeated) return;
    this.#write(held, same, output);
    this.#held = line;
    if (!same) this.#repeats = 0;
  }

  #write(line: Held, goesOn: boolean, output: BlockBuilder): void {
    const { unique, firstRepeated, laterRepeated, counts } = this.#printing;
    if (!(this.#repeats === 0 ? unique : goesOn ? laterRepeated : firstRepeated)) return;
    if (counts) output.addLatin1(`${String(this.#repeats + 1).padStart(7)} `);
    output.add(line.bytes, line.start, line.end);
    output.addByte(this.#lineEnd);
  }

  /** The producer may reuse the block's memory. */
  #keepHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    const { start } = held;
    this.#held = {
      bytes: Buffer.from(held.bytes.subarray(start, held.end)),
      start: 0,
      end: held.end - start,
      keyFrom: held.keyFrom - start,
      keyTo: held.keyTo - start,
    };
  }
}
