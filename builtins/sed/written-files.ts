/** Files of `w`: opened before the script runs, those of one name once. */
import type { OutputFiles } from "../../src/builtin/output-files.ts";
import type { ContentSink } from "../../src/builtin/recorder.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { Program } from "./program.ts";
import { scriptText, ScriptError } from "./script-reader.ts";

/** Bytes gathered for a file. */
const BUFFER_BYTES = 4096;

interface WrittenFile {
  readonly path: string;
  readonly sink: ContentSink;
  readonly gathered: BlockBuilder;
  /** True if its last line had no separator: one that follows pays for it. */
  owes: boolean;
}

export class WrittenFiles {
  readonly #separator: number;
  readonly #files = new Map<string, WrittenFile>();

  /** Throws ScriptError in sed's words for a file that cannot be opened, WriteRefused for one that must not be written. */
  constructor({ refusals }: Program, outputs: OutputFiles | undefined, separator: number) {
    this.#separator = separator;
    for (const { kind, what } of refusals) {
      if (kind === "write" && outputs !== undefined && !this.#files.has(what)) this.#files.set(what, opened(scriptText(what), outputs));
    }
  }

  /** Writes a line of `bytes` to the file of that name; to none where it has no name here (/dev/null). */
  line(name: string, bytes: Uint8Array, from: number, to: number, isTerminated: boolean): void {
    const file = this.#files.get(name);
    if (file === undefined) return;
    const { gathered } = file;
    if (file.owes) gathered.addByte(this.#separator);
    gathered.add(bytes, from, to);
    if (isTerminated) gathered.addByte(this.#separator);
    file.owes = !isTerminated;
    if (gathered.full) this.#write(file);
  }

  /** Writes what was gathered. */
  flush(): void {
    for (const file of this.#files.values()) this.#write(file);
  }

  close(): void {
    this.flush();
    for (const { sink } of this.#files.values()) sink.close();
    this.#files.clear();
  }

  #write({ path, sink, gathered }: WrittenFile): void {
    if (gathered.empty) return;
    const bytes = gathered.take();
    try {
      sink.write(bytes);
    } catch (thrown) {
      // The rest is not tried.
      this.#files.clear();
      if (thrown instanceof FileError) throw new ScriptError(`couldn't write to ${path}: ${thrown.message}`, 4);
      throw thrown;
    }
  }
}

function opened(path: string, outputs: OutputFiles): WrittenFile {
  try {
    return { path, sink: outputs.open(path, "overwrite"), gathered: new BlockBuilder(BUFFER_BYTES), owes: false };
  } catch (thrown) {
    if (thrown instanceof FileError) throw new ScriptError(`couldn't open file ${path}: ${thrown.message}`, 4);
    throw thrown;
  }
}
