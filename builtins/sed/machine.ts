/**
 * Runs a program over the lines. Everything is synchronous: where the input has to be read on, or enough was printed,
 * `run` returns and is called again, and goes on where it was.
 */
import type { BufferSearch } from "../../src/search/buffer-search.ts";
import { AppendQueue, type TextFiles } from "./append-queue.ts";
import { RunError } from "./run-error.ts";
import { substituted, translateBytes, translated } from "./edits.ts";
import type { LineInput } from "./line-input.ts";
import type { Printer } from "./printer.ts";
import type { Address, Command, Letter, Pattern, Program, Substitution, Translation } from "./program.ts";
import { RangeStates } from "./range-states.ts";
import { Space } from "./space.ts";
import { unambiguous } from "./visible-line.ts";

export interface MachineOptions {
  readonly quiet: boolean;
  readonly separator: number;
  readonly posix: boolean;
  /** -u: what is printed goes out before more is read. */
  readonly unbuffered: boolean;
  /** Columns of `l`; 0 is no folding. */
  readonly lineLength: number;
  /** The most bytes a space may hold. */
  readonly spaceBytes: number;
}

/**
 * Reason why `run` returned: it needs the next line, or must know whether the current one is the last; enough is printed, or all
 * is done.
 */
export type Pause = "input" | "look" | "output" | "done";

type Phase = "read" | "execute" | "n" | "N" | "flush" | "next" | "join" | "restart" | "done";

/** Thrown by an address that asks whether the line is the last where that is not known. */
const MUST_LOOK = Symbol("must look");

export class Machine {
  exit = 0;
  readonly #commands: readonly Command[];
  readonly #input: LineInput;
  readonly #printer: Printer;
  readonly #options: MachineOptions;
  readonly quiet: boolean;
  readonly ranges: RangeStates;
  readonly #appends: AppendQueue;
  #pattern: Space;
  #hold: Space;
  #scratch: Space;
  #lastPattern: BufferSearch | undefined;
  #replaced = false;
  #phase: Phase = "read";
  /** Phase that follows "flush". */
  #after: Phase = "read";
  #at = 0;

  constructor(program: Program, input: LineInput, printer: Printer, files: TextFiles, options: MachineOptions) {
    this.#commands = program.commands;
    this.#input = input;
    this.#printer = printer;
    this.#options = options;
    this.quiet = options.quiet || program.quiet;
    this.ranges = new RangeStates(program.commands);
    this.#appends = new AppendQueue(files, printer, options.separator);
    this.#pattern = new Space(options.spaceBytes);
    this.#hold = new Space(options.spaceBytes);
    this.#scratch = new Space(options.spaceBytes);
  }

  /** True if the next step is to read a line for a new cycle. */
  get isBetweenLines(): boolean {
    return this.#phase === "read";
  }

  /** Keeps what the spaces show, before the input is read on. */
  settle(): void {
    this.#pattern.settle();
    this.#hold.settle();
  }

  /** Closes what `r` and `R` have open. */
  close(): void {
    this.#appends.close();
  }

  /** `oneCycle`: returns after the line that is read next, too. */
  run(oneCycle = false): Pause | undefined {
    const { output } = this.#printer;
    for (;;) {
      switch (this.#phase) {
        case "read":
          if (output.full) return "output";
          if (!this.#input.isReady) return "input";
          if (this.#input.isExhausted) {
            this.#phase = "done";
            break;
          }
          this.#readLine();
          this.#at = 0;
          this.#phase = "execute";
          break;
        case "execute": {
          try {
            const pause = this.#execute();
            if (pause !== undefined) return pause;
          } catch (thrown) {
            if (thrown !== MUST_LOOK) throw thrown;
            return "look";
          }
          break;
        }
        case "flush":
          if ((!this.#appends.isEmpty || this.#after === "done") && !this.#appends.flush()) return "output";
          this.#phase = this.#after;
          if (this.#phase === "read" && oneCycle) return undefined;
          break;
        case "n":
          if (!this.#input.knowsLast) return "look";
          this.#endCycle(this.#input.isLast ? "read" : "next");
          break;
        case "N":
          if (!this.#input.knowsLast) return "look";
          if (!this.#input.isLast) this.#flushThen("join");
          else if (this.#options.posix) this.#flushThen("read");
          else this.#endCycle();
          break;
        case "next":
          this.#readLine();
          this.#phase = "execute";
          break;
        case "join": {
          const { bytes, start, end, isTerminated } = this.#advance();
          this.#pattern.addByte(this.#options.separator);
          this.#pattern.add(bytes, start, end);
          this.#pattern.isTerminated = isTerminated;
          this.#phase = "execute";
          break;
        }
        case "restart":
          this.#at = 0;
          this.#phase = "execute";
          if (output.full) return "output";
          break;
        case "done":
          return "done";
      }
    }
  }

  #advance(): LineInput {
    const input = this.#input;
    if (input.entersNewFile) {
      this.ranges.reset();
      this.#appends.rewind();
      this.#hold.clear();
    }
    input.advance();
    this.#replaced = false;
    return input;
  }

  #readLine(): void {
    const { bytes, start, end, isTerminated } = this.#advance();
    this.#pattern.view(bytes, start, end);
    this.#pattern.isTerminated = isTerminated;
  }

  /** Prints the appended text and files, then goes on with `after`. */
  #flushThen(after: Phase): undefined {
    this.#phase = "flush";
    this.#after = after;
    return undefined;
  }

  #endCycle(after: Phase = "read"): undefined {
    if (!this.quiet) this.#printer.space(this.#pattern);
    return this.#flushThen(after);
  }

  /** Commands from `#at` on, until the phase changes. */
  #execute(): Pause | undefined {
    const commands = this.#commands;
    const printer = this.#printer;
    for (;;) {
      const command = commands[this.#at];
      if (command === undefined) return this.#endCycle();
      const { action } = command;
      if (this.#selects(command) === command.negated) {
        this.#at = action.kind === "block" ? action.end : this.#at + 1;
        continue;
      }
      this.#at++;
      switch (action.kind) {
        case "block":
        case "block-end":
        case "label":
          break;
        case "jump":
          if (action.when !== "always") {
            const jumps = this.#replaced === (action.when === "replaced");
            this.#replaced = false;
            if (!jumps) break;
          }
          this.#at = action.target;
          if (printer.output.full) return "output";
          break;
        case "append":
          this.#appends.text(action.text);
          break;
        case "insert":
          this.#printText(action.text);
          break;
        case "change":
          if (command.second === undefined || command.negated || !this.ranges.isActive(this.#at - 1)) this.#printText(action.text);
          return this.#flushThen("read");
        case "letter":
          if (this.#letter(action.letter)) return undefined;
          break;
        case "list": {
          const width = action.width ?? this.#options.lineLength;
          const shown = unambiguous(this.#pattern.bytes.subarray(this.#pattern.start, this.#pattern.end), width, this.#options.separator);
          const line = Buffer.from(shown, "latin1");
          printer.line(line, 0, line.length - 1, true);
          break;
        }
        case "quit":
          this.exit = action.status;
          if (action.prints) return this.#endCycle("done"); // which pays an owed separator, as GNU sed does
          this.#phase = "done";
          return undefined;
        case "read":
          if (action.byLine) this.#appends.lineOf(action.path);
          else this.#appends.file(action.path);
          break;
        case "write":
          if (action.firstLineOnly) printer.firstLine(this.#pattern, action.to);
          else printer.space(this.#pattern, action.to);
          break;
        case "translate":
          this.#translate(action.translation);
          break;
        case "substitute":
          this.#substitute(action.substitution);
          break;
      }
    }
  }

  /** A command without arguments; true where the phase has changed. */
  #letter(letter: Letter): boolean {
    const pattern = this.#pattern;
    const { separator } = this.#options;
    switch (letter) {
      case "=":
        this.#printLine(String(this.#input.lineNumber));
        return false;
      case "F":
        this.#printLine(this.#input.fileName);
        return false;
      case "d":
        this.#flushThen("read");
        return true;
      case "D": {
        const found = pattern.bytes.subarray(0, pattern.end).indexOf(separator, pattern.start);
        if (found >= 0) pattern.start = found + 1;
        // What is appended waits for the next line to be read.
        if (found < 0) this.#flushThen("read");
        else this.#phase = "restart";
        return true;
      }
      case "g":
        pattern.copyOf(this.#hold);
        return false;
      case "G":
        append(pattern, this.#hold, separator);
        return false;
      case "h":
        this.#hold.copyOf(pattern);
        return false;
      case "H":
        append(this.#hold, pattern, separator);
        return false;
      case "n":
        this.#phase = "n";
        return true;
      case "N":
        this.#phase = "N";
        return true;
      case "p":
        this.#printer.space(pattern);
        return false;
      case "P":
        this.#printer.firstLine(pattern);
        return false;
      case "x":
        pattern.settle();
        this.#pattern = this.#hold;
        this.#hold = pattern;
        return false;
      case "z":
        pattern.clear();
        return false;
    }
  }

  #printLine(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.#printer.line(bytes, 0, bytes.length, true);
  }

  /** `i` and `c`: what ends the text is the separator. */
  #printText(text: Buffer): void {
    if (text.length > 0) this.#printer.line(text, 0, text.length - 1, true);
  }

  #selects(command: Command): boolean {
    const { first, second } = command;
    if (first === undefined) return true;
    if (second === undefined) return this.#isAt(first);
    return this.ranges.selects(this.#at, first, second, this.#input.lineNumber, this.#test);
  }

  readonly #test = (address: Address): boolean => this.#isAt(address);

  #isAt(address: Address): boolean {
    switch (address.kind) {
      case "line":
        return this.#input.lineNumber === address.line;
      case "step": {
        const past = this.#input.lineNumber - address.line;
        return past >= 0 && past % address.step === 0;
      }
      case "last":
        // The address is looked at again once that is known: nothing was done for it yet.
        if (!this.#input.knowsLast) throw MUST_LOOK;
        return this.#input.isLast;
      case "pattern": {
        const search = this.#searchOf(address.pattern);
        search.load(this.#pattern.bytes, this.#pattern.start, this.#pattern.end);
        return search.test();
      }
    }
  }

  #searchOf(pattern: Pattern): BufferSearch {
    const search = pattern ?? this.#lastPattern;
    if (search === undefined) throw new RunError("no previous regular expression");
    this.#lastPattern = search;
    return search;
  }

  #substitute(substitution: Substitution): void {
    const pattern = this.#pattern;
    const result = this.#scratch;
    if (!substituted(pattern, this.#searchOf(substitution.pattern), substitution, result)) return;
    this.#scratch = pattern;
    this.#pattern = result;
    this.#replaced = true;
    if (substitution.prints) this.#printer.space(result);
    if (substitution.writesTo !== undefined) this.#printer.space(result, substitution.writesTo);
  }

  #translate(translation: Translation): void {
    const pattern = this.#pattern;
    if (translation.bytes !== undefined) {
      translateBytes(pattern, translation.bytes);
      return;
    }
    const result = this.#scratch;
    translated(pattern, translation.characters, result);
    this.#scratch = pattern;
    this.#pattern = result;
  }
}

function append(to: Space, from: Space, separator: number): void {
  to.addByte(separator);
  to.add(from.bytes, from.start, from.end);
  to.isTerminated = from.isTerminated;
}
