/**
 * Passes over runs of lines on which a program does nothing but print them, a block at a time: up to the next line
 * number it names, or the next line that one of its patterns matches.
 */
import { countByte, indexAfter } from "../../src/io/count-byte.ts";
import { LineSearch } from "../../src/search/line-search.ts";
import type { LineInput } from "./line-input.ts";
import { literalReplacer } from "./literal-replacer.ts";
import type { Printer } from "./printer.ts";
import type { Command, Pattern, Program } from "./program.ts";
import type { RangeStates } from "./range-states.ts";

export interface LineSkipper {
  /** Passes over lines of the block at hand; true where nothing that is still to come can print anything. */
  skip(input: LineInput, printer: Printer): boolean;
}

/** A skipper for `program`, or undefined where it may do something on any line. */
export function skipperFor(program: Program, ranges: RangeStates, quiet: boolean, separator: number): LineSkipper | undefined {
  const replacer = literalReplacer(program.commands, quiet, separator);
  if (replacer !== undefined) return replacer;
  const commands = outermost(program.commands);
  if (commands.length === 0) return undefined;
  if (commands.every(({ command }) => command.first?.kind === "line" && !command.negated)) {
    return new NumberSkipper(commands, ranges, quiet, separator);
  }
  const searches: LineSearch[] = [];
  for (const { command } of commands) {
    if (command.first === undefined && (command.action.kind === "label" || isReplacedJump(command))) continue;
    const matcher = decidingPattern(command)?.lineMatcher(separator);
    if (matcher === undefined) return undefined;
    searches.push(new LineSearch(matcher, separator));
  }
  return searches.length > MAX_SEARCHES ? undefined : new PatternSkipper(searches, quiet, separator);
}

/** With more patterns than this, one pass of each over the block costs more than it saves. */
const MAX_SEARCHES = 4;

interface Placed {
  readonly at: number;
  readonly command: Command;
}

/** The commands that are in no block. */
function outermost(commands: readonly Command[]): readonly Placed[] {
  const found: Placed[] = [];
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at] as Command;
    found.push({ at, command });
    if (command.action.kind === "block") at = command.action.end;
  }
  return found;
}

const isReplacedJump = ({ action }: Command): boolean => action.kind === "jump" && action.when === "replaced";

/** The pattern without which a command does nothing. */
function decidingPattern({ first, second, negated, action }: Command): Pattern {
  if (second !== undefined || negated) return undefined;
  if (first !== undefined) return first.kind === "pattern" ? first.pattern : undefined;
  return action.kind === "substitute" ? action.substitution.pattern : undefined;
}

class NumberSkipper implements LineSkipper {
  readonly #commands: readonly Placed[];
  readonly #ranges: RangeStates;
  readonly #quiet: boolean;
  readonly #separator: number;

  constructor(commands: readonly Placed[], ranges: RangeStates, quiet: boolean, separator: number) {
    this.#commands = commands;
    this.#ranges = ranges;
    this.#quiet = quiet;
    this.#separator = separator;
  }

  skip(input: LineInput, printer: Printer): boolean {
    const next = this.#nextLine(input.lineNumber);
    if (next === Infinity && this.#quiet) return true;
    const lines = next - input.lineNumber - 1;
    if (lines <= 0 || input.isExhausted) return false;
    const rest = input.block.subarray(input.blockAt);
    if (rest[rest.length - 1] !== this.#separator) return false;
    const inBlock = countByte(rest, this.#separator);
    const skipped = Math.min(lines, inBlock);
    const length = skipped === inBlock ? rest.length : indexAfter(rest, this.#separator, skipped);
    if (!this.#quiet) printer.raw(rest.subarray(0, length));
    input.skipTo(input.blockAt + length, skipped);
    return false;
  }

  #nextLine(line: number): number {
    let next = Infinity;
    for (const { at, command } of this.#commands) {
      if (command.first?.kind !== "line") continue;
      const first = command.first.line;
      if (command.second === undefined) {
        if (first > line) next = Math.min(next, first);
      } else if (this.#ranges.isActive(at)) {
        next = line + 1;
      } else if (!this.#ranges.isClosed(at)) {
        next = Math.min(next, Math.max(first, line + 1));
      }
    }
    return next;
  }
}

class PatternSkipper implements LineSkipper {
  readonly #searches: readonly LineSearch[];
  readonly #next: number[];
  readonly #quiet: boolean;
  readonly #separator: number;
  #block: Buffer | undefined;

  constructor(searches: readonly LineSearch[], quiet: boolean, separator: number) {
    this.#searches = searches;
    this.#next = searches.map(() => -1);
    this.#quiet = quiet;
    this.#separator = separator;
  }

  skip(input: LineInput, printer: Printer): boolean {
    if (input.isExhausted) return false;
    const { block, blockAt: from } = input;
    if (block[block.length - 1] !== this.#separator) return false;
    if (this.#block !== block) {
      this.#block = block;
      for (const search of this.#searches) search.load(block, from, block.length);
      this.#next.fill(-1);
    }
    let to = block.length;
    for (const [index, search] of this.#searches.entries()) {
      if ((this.#next[index] as number) < from) this.#next[index] = search.next(from) ? search.lineStart : block.length;
      to = Math.min(to, this.#next[index] as number);
    }
    if (to === from) return false;
    const skipped = block.subarray(from, to);
    if (!this.#quiet) printer.raw(skipped);
    input.skipTo(to, countByte(skipped, this.#separator));
    return false;
  }
}
