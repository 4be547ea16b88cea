/** The files that the program prints to, by the name that it gives. What is printed is written in blocks, as C's library does. */
import type { OutputFiles, OutputPolicy } from "../../../src/builtin/output-files.ts";
import type { ContentSink } from "../../../src/builtin/recorder.ts";
import { toText } from "../../../src/io/text.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { FatalError } from "../syntax/program-error.ts";
import { OUTPUTS } from "../syntax/statement-parser.ts";
import type { Runtime } from "./runtime.ts";

/** Files open at once. */
const MOST_OPEN = 1024;

/** Bytes that are gathered for a file. */
const BUFFER_BYTES = 4096;

interface Stream {
  readonly sink: ContentSink;
  /** One unit per byte. */
  printed: string;
}

export class OutputStreams {
  readonly #runtime: Runtime;
  readonly #files: OutputFiles;
  readonly #policy: OutputPolicy;
  readonly #open = new Map<string, Stream | "stdout" | "stderr" | "none">();

  constructor(runtime: Runtime, files: OutputFiles, policy: OutputPolicy) {
    this.#runtime = runtime;
    this.#files = files;
    this.#policy = policy;
  }

  /** A file that is open goes on, whatever the operator is. Throws FatalError, WriteRefused. */
  print(name: string, text: string, operator: ">" | ">>"): void {
    const stream = this.#open.get(name) ?? this.#opened(name, operator);
    if (stream === "stdout") this.#runtime.output.addLatin1(text);
    else if (stream === "stderr") this.#runtime.writeError(text);
    else if (stream !== "none") {
      stream.printed += text;
      if (stream.printed.length >= BUFFER_BYTES) this.#flush(name, stream);
    }
  }

  /** False where no such file is open. Throws FatalError, WriteRefused. */
  close(name: string): boolean {
    const stream = this.#open.get(name);
    if (stream === undefined) return false;
    if (typeof stream === "object") {
      this.#flush(name, stream);
      stream.sink.close();
    }
    return this.#open.delete(name);
  }

  /** Writes what was printed to `name`, or to all files. False where it is not open. Throws FatalError, WriteRefused. */
  flush(name?: string): boolean {
    for (const [each, stream] of this.#open) if (name === undefined || each === name) this.#flush(each, stream);
    return name === undefined || this.#open.has(name);
  }

  closeAll(): void {
    for (const name of [...this.#open.keys()]) this.close(name);
  }

  #opened(name: string, operator: ">" | ">>"): Stream | "stdout" | "stderr" | "none" {
    if (name === "") throw new FatalError(`expression for \`${operator}' redirection has null string value`);
    if (this.#open.size >= MOST_OPEN) throw new FatalError(`more than ${MOST_OPEN} files are open: close() some`);
    const stream = OUTPUTS.get(name) ?? { sink: this.#sink(name, operator), printed: "" };
    this.#open.set(name, stream);
    return stream;
  }

  #sink(name: string, operator: ">" | ">>"): ContentSink {
    const path = toText(Buffer.from(name, "latin1"));
    if (this.#policy !== this.#files && !this.#policy.accepts(path, false))
      throw new FatalError(`cannot redirect to \`${name}': a program that does not stand in the line writes to /tmp alone`);
    try {
      return this.#files.open(path, operator === ">" ? "overwrite" : "append");
    } catch (thrown) {
      if (thrown instanceof FileError) throw new FatalError(`cannot redirect to \`${name}': ${thrown.message}`);
      throw thrown;
    }
  }

  #flush(name: string, stream: Stream | "stdout" | "stderr" | "none"): void {
    if (typeof stream === "string" || stream.printed === "") return;
    const bytes = Buffer.from(stream.printed, "latin1");
    // What could not be written is not tried again.
    stream.printed = "";
    try {
      stream.sink.write(bytes);
    } catch (thrown) {
      this.#open.clear();
      if (thrown instanceof FileError) throw new FatalError(`print to "${name}" failed: ${thrown.message}`);
      throw thrown;
    }
  }
}
