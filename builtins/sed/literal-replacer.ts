/** Runs programs that are nothing but `s/TEXT/TEXT/` over whole blocks of lines: no line is looked at by itself. */
import { countByte } from "../../src/io/count-byte.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import type { LineInput } from "./line-input.ts";
import type { LineSkipper } from "./line-skipper.ts";
import type { Printer } from "./printer.ts";
import type { Command } from "./program.ts";

/** A replacer for `commands`, or undefined where one of them is more than a text put in place of a text on every line. */
export function literalReplacer(commands: readonly Command[], quiet: boolean, separator: number): LineSkipper | undefined {
  if (quiet || commands.length === 0) return undefined;
  const replacements: Replacement[] = [];
  for (const command of commands) {
    const replacement = replacementOf(command, separator);
    if (replacement === undefined) return undefined;
    replacements.push(replacement);
  }
  // What comes later is about the lines of the input, not about those that a replacement makes.
  if (replacements.slice(0, -1).some(({ by }) => by.includes(separator))) return undefined;
  return new LiteralReplacer(replacements, separator);
}

interface Replacement {
  readonly text: Buffer;
  readonly by: Buffer;
  readonly isGlobal: boolean;
}

function replacementOf({ first, action }: Command, separator: number): Replacement | undefined {
  if (first !== undefined || action.kind !== "substitute") return undefined;
  const { pattern, replacement, isGlobal, occurrence, prints, writesTo } = action.substitution;
  const text = pattern?.literal;
  if (text === undefined || text.includes(separator) || occurrence > 1 || prints || writesTo !== undefined) return undefined;
  const parts: Buffer[] = [];
  for (const part of replacement) {
    if (part.kind === "case" || (part.kind === "group" && part.index > 0)) return undefined;
    parts.push(part.kind === "text" ? part.text : text);
  }
  const by = Buffer.concat(parts);
  return by.length > MAX_REPLACEMENT_BYTES ? undefined : { text, by, isGlobal };
}

/** A block that is all matches grows by so many times at most, for each command. */
const MAX_REPLACEMENT_BYTES = 64;
/** Larger blocks, which are long lines, are left to the machine and its bounds. */
const MAX_BLOCK_BYTES = 1 << 20;

class LiteralReplacer implements LineSkipper {
  readonly #replacements: readonly Replacement[];
  readonly #separator: number;

  constructor(replacements: readonly Replacement[], separator: number) {
    this.#replacements = replacements;
    this.#separator = separator;
  }

  skip(input: LineInput, printer: Printer): boolean {
    if (input.isExhausted) return false;
    const { block, blockAt } = input;
    if (block[block.length - 1] !== this.#separator || block.length > MAX_BLOCK_BYTES) return false;
    let text = block.subarray(blockAt);
    const lines = countByte(text, this.#separator);
    for (const replacement of this.#replacements) {
      if (text.length > MAX_BLOCK_BYTES) return false;
      text = this.#replaced(text, replacement);
    }
    printer.raw(text);
    input.skipTo(block.length, lines);
    return false;
  }

  /** The same buffer where there is nothing to replace. */
  #replaced(bytes: Buffer, { text, by, isGlobal }: Replacement): Buffer {
    let found = bytes.indexOf(text);
    if (found < 0) return bytes;
    const output = new BlockBuilder(bytes.length);
    let copied = 0;
    while (found >= 0) {
      const after = found + text.length;
      output.add(bytes, copied, found);
      output.add(by);
      copied = after;
      found = bytes.indexOf(text, isGlobal ? after : bytes.indexOf(this.#separator, after));
    }
    output.add(bytes, copied, bytes.length);
    const { buffer, byteOffset, byteLength } = output.take();
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
