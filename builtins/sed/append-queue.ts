/** What `a`, `r` and `R` hold back until the end of the cycle. */
import type { Files, OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { asBuffer, NEWLINE } from "../../src/io/lines.ts";
import type { Printer } from "./printer.ts";

/** Where `r` and `R` find their text. A file that cannot be read is as an empty one. */
export interface TextFiles {
  readonly files: Pick<Files, "open">;
  /** The whole standard input, where the script reads it as a file; handed out once. */
  standardInput: Buffer | undefined;
}

type Entry =
  | { readonly kind: "text"; readonly text: Uint8Array }
  | { readonly kind: "file"; readonly path: string };

export class AppendQueue {
  readonly #files: TextFiles;
  readonly #printer: Printer;
  readonly #entries: Entry[] = [];
  readonly #lines = new Map<string, FileLines>();
  /** The file that is being printed. */
  #blocks: Generator<Uint8Array, void> | undefined;

  constructor(files: TextFiles, printer: Printer) {
    this.#files = files;
    this.#printer = printer;
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
      lines = new FileLines(blocksOf(this.#files, path));
      this.#lines.set(path, lines);
    }
    const line = lines.next();
    if (line !== undefined) this.#entries.push({ kind: "text", text: line });
  }

  /** Prints what is held; false where it paused because enough is printed. */
  flush(): boolean {
    const printer = this.#printer;
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

/** Lines of a file with their newlines, one at a time. */
class FileLines {
  readonly #blocks: Generator<Uint8Array, void>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(blocks: Generator<Uint8Array, void>) {
    this.#blocks = blocks;
  }

  next(): Buffer | undefined {
    for (let searched = 0; ; ) {
      const end = this.#rest.indexOf(NEWLINE, searched);
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
}

function* blocksOf(from: TextFiles, path: string): Generator<Uint8Array, void> {
  if (path === "/dev/stdin") {
    const bytes = from.standardInput;
    from.standardInput = undefined;
    if (bytes !== undefined && bytes.length > 0) yield asBuffer(bytes);
    return;
  }
  let file: OpenFile;
  try {
    file = from.files.open(path);
    yield* file.blocks();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
}
