/** The input files as one run of lines, one line ahead: whether a line is the last is known before it is worked on. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput, openInput, type InputSource } from "../../src/builtin/inputs.ts";
import { asBuffer, endOfLine, lineBlocks } from "../../src/io/lines.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { CannotEdit, type EditedFiles } from "./edited-files.ts";

export interface LineInputOptions {
  readonly operands: readonly string[];
  readonly separator: number;
  /** -s: each file is an input of its own. */
  readonly separate: boolean;
  /** -u: takes no more than whole lines, and gives back what was not used. */
  readonly unbuffered: boolean;
  /** --follow-symlinks: a file goes by the name of what its links lead to, and must be there. */
  readonly followSymlinks: boolean;
  /** -i: the files that are edited; standard input is none of them. */
  readonly edits?: EditedFiles | undefined;
  /** Called before the first line of a file becomes the current one. */
  readonly beginsFile?: (() => void) | undefined;
}

type Context = Pick<Invocation, "stdin" | "files" | "warn" | "limits" | "outputs">;

export class LineInput {
  /** The current line: `bytes` from `start` to `end`, without its separator. Stays until `fill`. */
  bytes: Buffer = NOTHING;
  start = 0;
  end = 0;
  /** True if the current line has its separator. */
  isTerminated = true;
  /** Counted from 1; with -s, in its file. */
  lineNumber = 0;
  /** The operand the current line is from. */
  fileName = "-";
  /** Exit status so far: 2 where a file could not be opened. */
  exit = 0;
  readonly #context: Context;
  readonly #options: LineInputOptions;
  #nextOperand = 0;
  #source: InputSource | undefined;
  #blocks: AsyncGenerator<Buffer, void> | undefined;
  #block: Buffer = NOTHING;
  #at = 0;
  #ended = false;
  /** Number of the file of the block, and of the current line. */
  #blockFile = 0;
  #lineFile = 0;

  constructor(context: Context, options: LineInputOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** True if it is known what comes next; if not, call `fill`. */
  get isReady(): boolean {
    return this.#at < this.#block.length || this.#ended;
  }

  /** True if it is known whether the current line is the last; if not, call `fill`, which must then only look. */
  get knowsLast(): boolean {
    return this.isReady || (this.#options.separate && this.#blocks === undefined);
  }

  /** True if no line follows the current one. Valid only after `isReady`. */
  get isExhausted(): boolean {
    return this.#at >= this.#block.length;
  }

  /** True if `$` selects the current line. Valid only after `knowsLast`. */
  get isLast(): boolean {
    return this.isExhausted || (this.#options.separate && this.#blockFile !== this.#lineFile);
  }

  /** True if the next line begins another file, which is an input of its own. */
  get entersNewFile(): boolean {
    return this.#options.separate && !this.isExhausted && this.#blockFile !== this.#lineFile;
  }

  /** Rest of the block, for work on many lines at once; `skipTo` says how far it went. */
  get block(): Buffer {
    return this.#block;
  }

  get blockAt(): number {
    return this.#at;
  }

  skipTo(at: number, lines: number): void {
    this.#beginBlockFile();
    this.#at = at;
    this.lineNumber += lines;
  }

  /** Makes the next line the current one. Only where there is one. */
  advance(): void {
    this.#beginBlockFile();
    const end = endOfLine(this.#block, this.#at, this.#options.separator);
    this.bytes = this.#block;
    this.start = this.#at;
    this.end = end;
    this.isTerminated = end < this.#block.length;
    this.#at = end + 1;
    this.lineNumber++;
  }

  /**
   * Reads on until it is known what comes next; with `onlyLooks`, whether the current line is the last, for which GNU sed
   * passes over directories. What `bytes` held may change. Throws InputEnd where sed reads no more.
   */
  async fill(onlyLooks = false): Promise<void> {
    while (onlyLooks ? !this.knowsLast : !this.isReady) {
      if (this.#blocks === undefined && !this.#openNext(onlyLooks)) {
        this.#ended = true;
        return;
      }
      try {
        const next = await (this.#blocks as AsyncGenerator<Buffer, void>).next();
        if (next.done !== true) {
          this.#block = next.value;
          this.#at = 0;
          return;
        }
      } catch (thrown) {
        this.#complain(thrown, this.#source?.operand ?? "-", onlyLooks);
      }
      this.#blocks = undefined;
      this.#source?.close();
    }
  }

  /** Ends the reading. */
  async close(): Promise<void> {
    if (this.#source !== undefined && this.#source.file === undefined && this.#options.unbuffered && this.#at < this.#block.length) {
      this.#source.unread(Buffer.from(this.#block.subarray(this.#at)));
    }
    await this.#blocks?.return();
    this.#blocks = undefined;
    this.#source?.close();
  }

  /** Opens the files that were not reached, so that a missing one is told of. */
  openRest(): void {
    this.#source?.close();
    while (this.#openNext()) this.#source?.close();
    this.#blocks = undefined;
    this.#ended = true;
    this.#block = NOTHING;
  }

  #beginBlockFile(): void {
    if (this.#lineFile === this.#blockFile) return;
    this.#lineFile = this.#blockFile;
    this.fileName = this.#source?.operand ?? "-";
    this.#options.beginsFile?.();
    if (this.#options.separate) this.lineNumber = 0;
  }

  /** Opens the next file that can be opened; false where there is none. */
  #openNext(onlyLooks = false): boolean {
    while (this.#nextOperand < this.#options.operands.length) {
      const operand = this.#named(this.#options.operands[this.#nextOperand++] as string);
      this.#blockFile++;
      try {
        if (!isStandardInput(operand)) this.#context.outputs?.checkRead(operand);
        const source = openInput(this.#context, this.#options.edits?.add(operand) ?? operand);
        this.#source = source;
        const wholeLines = this.#options.unbuffered && source.file === undefined ? takenByLines(source, this.#options.separator) : source;
        this.#blocks = lineBlocks(wholeLines, this.#context.limits.lineBytes, this.#options.separator);
        return true;
      } catch (thrown) {
        this.#complain(thrown, operand, onlyLooks);
      }
    }
    return false;
  }

  /** Name of a file. Throws InputEnd. */
  #named(operand: string): string {
    if (!this.#options.followSymlinks || operand === "-") return operand;
    const { files, warn } = this.#context;
    let name = operand;
    try {
      for (let links = 0; files.status(name, { follow: false }).kind === "symlink"; links++) {
        if (links === MOST_LINKS) throw new FileError("ELOOP", name);
        const target = files.readLink(name);
        name = target.startsWith("/") ? target : name.slice(0, name.lastIndexOf("/") + 1) + target;
      }
      return name;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      warn(`couldn't readlink ${name}: ${thrown.message}`);
      throw new InputEnd();
    }
  }

  #complain(thrown: unknown, operand: string, onlyLooks: boolean): void {
    if (thrown instanceof CannotEdit) {
      this.#context.warn(`couldn't edit ${operand}: ${thrown.message}`);
      throw new InputEnd();
    }
    if (!(thrown instanceof FileError)) throw thrown;
    if (onlyLooks && thrown.code === "EISDIR") return;
    const cannotRead = thrown.code === "EISDIR" || thrown.code === "EIO";
    this.#context.warn(`${cannotRead ? `read error on ${operand}` : `can't read ${operand}`}: ${thrown.message}`);
    if (cannotRead) throw new InputEnd();
    this.exit = 2;
  }
}

/** Linux: what a path may go through. */
const MOST_LINKS = 40;

/** A file that sed cannot go on after; it is told of. Exit status 4. */
export class InputEnd extends Error {
  override readonly name = "InputEnd";
}

const NOTHING = Buffer.alloc(0);

/** Blocks of whole lines; what follows the last separator goes back to the source before anybody could miss it. */
async function* takenByLines(source: InputSource, separator: number): AsyncGenerator<Uint8Array, void> {
  for (let bytes = await source.read(); bytes !== undefined; bytes = await source.read()) {
    const last = asBuffer(bytes).lastIndexOf(separator);
    if (last >= 0 && last + 1 < bytes.length) {
      source.unread(bytes.subarray(last + 1));
      yield bytes.subarray(0, last + 1);
    } else {
      yield bytes;
    }
  }
}
