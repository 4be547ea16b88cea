/** Output of `a`, `r` and `R`, held back until the end of the cycle. */
import type { Files, OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { RunError } from "./run-error.ts";
import type { Printer } from "./printer.ts";

/** Source of the text for `r` and `R`. A file that cannot be read is as an empty one, but for one outside the root. */
export interface TextFiles {
  readonly files: Pick<Files, "open">;
  /** The whole standard input, where the script reads it as a file; handed out once. */
  standardInput: Buffer | undefined;
  /** Called before a file is opened. */
  readonly opens: (path: string) => void;
}

type Entry = { readonly kind: "text"; readonly text: Uint8Array } | { readonly kind: "file"; readonly path: string };

export class AppendQueue {
  readonly #files: TextFiles;
  readonly #printer: Printer;
  readonly #separator: number;
  readonly #entries: Entry[] = [];
  readonly #lines = new Map<string, FileLines>();
  /** The file that is being printed. */
  #blocks: Generator<Uint8Array, void> | undefined;

  constructor(files: TextFiles, printer: Printer, separator: number) {
    this.#files = files;
    this.#printer = printer;
    this.#separator = separator;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#blocks === undefined;
  }

  text(text: Uint8Array): void {
    this.#entries.push({ kind: "text", text });
  }

  file(path: string): void {
    this.#entries.push({ kind: "file", path });
  }

  /** The next line of `path`, if it has one left. */
  lineOf(path: string): void {
    let lines = this.#lines.get(path);
    if (lines === undefined) {
      lines = new FileLines(blocksOf(this.#files, path), this.#separator);
      this.#lines.set(path, lines);
    }
    const line = lines.next();
    if (line !== undefined) this.#entries.push({ kind: "text", text: line });
  }

  /** `R` reads its files from their beginning again; standard input has none. */
  rewind(): void {
    for (const [path, lines] of this.#lines) {
      if (path === STANDARD_INPUT) continue;
      lines.close();
      this.#lines.delete(path);
    }
  }

  close(): void {
    for (const lines of this.#lines.values()) lines.close();
    this.#blocks?.return();
  }

  /** Prints what is held, and before it a separator that is owed; false where it paused because enough is printed. */
  flush(): boolean {
    const printer = this.#printer;
    printer.settle();
    for (;;) {
      if (this.#blocks !== undefined) {
        if (printer.output.full) return false;
        const next = this.#blocks.next();
        if (next.done === true) this.#blocks = undefined;
        else printer.raw(next.value);
        continue;
      }
      const entry = this.#entries.shift();
      if (entry === undefined) return true;
      if (entry.kind === "text") printer.raw(entry.text);
      else this.#blocks = blocksOf(this.#files, entry.path);
    }
  }
}

/** Lines of a file with their separators, one at a time. */
class FileLines {
  readonly #blocks: Generator<Uint8Array, void>;
  readonly #separator: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(blocks: Generator<Uint8Array, void>, separator: number) {
    this.#blocks = blocks;
    this.#separator = separator;
  }

  next(): Buffer | undefined {
    for (let searched = 0; ; ) {
      const end = this.#rest.indexOf(this.#separator, searched);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end + 1);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      searched = this.#rest.length;
      const next = this.#blocks.next();
      if (next.done === true) break;
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
    const line = this.#rest;
    this.#rest = Buffer.alloc(0);
    return line.length === 0 ? undefined : line;
  }

  close(): void {
    this.#blocks.return();
  }
}

const STANDARD_INPUT = "/dev/stdin";

function* blocksOf(from: TextFiles, path: string): Generator<Uint8Array, void> {
  if (path === STANDARD_INPUT) {
    const bytes = from.standardInput;
    from.standardInput = undefined;
    if (bytes !== undefined && bytes.length > 0) yield asBuffer(bytes);
    return;
  }
  let file: OpenFile | undefined;
  from.opens(path);
  try {
    file = from.files.open(path);
    yield* file.blocks();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    // GNU sed passes over what it cannot read. What is not here is said all the same: the host has it, and nothing would not be true.
    if (thrown.code === "PATH_ESCAPE" || thrown.code === "SYMLINK_ESCAPE")
      throw new RunError(`couldn't open file ${path}: ${thrown.message}`);
  } finally {
    file?.close();
  }
}
