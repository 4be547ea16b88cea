/** Destinations of a stage's standard output and standard error, and the input it reads, after its redirections. */
import type { ContentSink } from "../builtin/recorder.ts";
import type { ByteInput } from "../io/input.ts";
import { keptOpen } from "../io/kept-open.ts";
import { LimitReached } from "../io/limit-reached.ts";
import type { Redirect } from "../shell/tree.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Descriptors } from "./descriptors.ts";
import { StageRefused } from "./late-refusal.ts";
import type { StageOutputs } from "./stage-outputs.ts";
import type { ErrorSink } from "./stage.ts";

type Destination = "output" | "errors" | "nowhere" | ContentSink | OuterOutput;

/** An output of a command around this one, or of the shell, behind a descriptor that it opened (`exec 3>&1`). */
export interface OuterOutput {
  readonly kind: "outer";
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
}

/** Descriptor from 3 on as commands inside see it. */
export type OpenedOutput = "nowhere" | ContentSink | OuterOutput;

/**
 * Given out where something was written to an outer output: the command that opened that gives it out before it goes on. It has no
 * bytes, and no reader sees it.
 */
export const FLUSH: Uint8Array = new Uint8Array(0);

/**
 * Bytes for one output, that of the call, of a stage or of a substitution, which did not come as blocks of the commands that write to it:
 * errors (`2>&1`), and what other outputs' commands write behind a descriptor. They come before the next block.
 */
export class Waiting {
  #blocks: Uint8Array[] = [];
  #bytes = 0;

  /** Throws LimitReached "held" where the commands give out nothing for too long. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_WAITING_BYTES) throw new LimitReached("held", MOST_WAITING_BYTES, "bytes behind a descriptor");
    this.#blocks.push(bytes);
  }

  /** Those that were added since the last call. */
  take(): readonly Uint8Array[] {
    if (this.#blocks.length === 0) return NONE;
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#bytes = 0;
    return blocks;
  }
}

const NONE: readonly Uint8Array[] = [];
const MOST_WAITING_BYTES = 32 << 20;

type InputRedirect = Extract<Redirect, { kind: "input" | "here" | "no-input" }>;

/** Opens the file or the text that a redirection names, where `stdin` is the input so far. */
export type OpenInput = (redirect: InputRedirect, stdin: ByteInput) => Promise<OpenedInput>;

/** The name of the file that a redirection writes. */
export type OutputPath = (redirect: Extract<Redirect, { kind: "output" }>) => Promise<string>;

/** `isShared`: of a command around this one, which goes on reading it. */
export interface OpenedInput {
  readonly input: ByteInput;
  readonly isShared: boolean;
}

/** A redirection that cannot be made: its command does not run. */
export class RedirectionError extends Error {
  override readonly name = "RedirectionError";
}

export class Routes {
  /** Input in the place of the stage's own; undefined where that is not redirected. */
  stdin: ByteInput | undefined;
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
  /** By descriptor. */
  readonly #outputs: (Destination | undefined)[] = ["nowhere", "output", "errors"];
  #needsFlush = false;
  readonly #files: StageOutputs;
  readonly #errors: ErrorSink;
  readonly #waiting: Waiting;

  /** `waiting` is that of the output around. */
  constructor(errors: ErrorSink, files: StageOutputs, waiting: Waiting) {
    this.#files = files;
    this.#errors = errors;
    this.#waiting = waiting;
    this.stderr = (bytes) => this.#writeErrors(bytes, this.#outputs[2]);
  }

  /** Standard error as it is now, whatever the redirections behind do with it. */
  get stderrSoFar(): ErrorSink["stderr"] {
    const destination = this.#outputs[2];
    return (bytes) => this.#writeErrors(bytes, destination);
  }

  #writeErrors(bytes: Uint8Array, destination: Destination | undefined): void | Promise<void> {
    if (destination === "errors") return this.#errors.stderr(bytes);
    if (destination === "output") this.#waiting.add(bytes);
    if (typeof destination !== "object") return undefined;
    if ("kind" in destination) {
      this.#needsFlush = true;
      return destination.write(bytes);
    }
    unlessFull(destination, bytes);
    return undefined;
  }

  get stdout(): Destination {
    return this.#outputs[1] as Destination;
  }

  /** Makes the redirections in turn; `outer` is the input around them. Throws RedirectionError, FileError: those before it stand. */
  async apply(
    redirects: readonly Redirect[],
    outer: ByteInput,
    descriptors: Descriptors,
    openInput: OpenInput,
    outputPath: OutputPath,
  ): Promise<void> {
    for (const redirect of redirects) {
      switch (redirect.kind) {
        case "duplicate":
          this.#opened(redirect.from, this.#output(redirect.to, descriptors), descriptors);
          break;
        case "discard":
          this.#opened(redirect.from, "nowhere", descriptors);
          break;
        case "close":
          this.#outputs[redirect.from] = undefined;
          descriptors.shut(redirect.from);
          break;
        case "output": {
          const file = this.#files.open(await outputPath(redirect), redirect.append ? "append" : "overwrite");
          this.#opened(redirect.from, file, descriptors);
          if (redirect.both) this.#outputs[2] = file;
          break;
        }
        case "duplicate-input": {
          const input = redirect.to === 0 ? (this.stdin ?? outer) : descriptors.input(redirect.to);
          if (input === undefined) throw this.#unusable(redirect.to, this.#outputs[redirect.to] ?? descriptors.output(redirect.to));
          if (redirect.from === 0) this.stdin = keptOpen(input);
          else descriptors.duplicate(redirect.from, input);
          break;
        }
        default: {
          const { input, isShared } = await openInput(redirect, this.stdin ?? outer);
          if (redirect.from === 0) this.stdin = isShared ? keptOpen(input) : input;
          if (isShared) descriptors.duplicate(redirect.from, input);
          else descriptors.open(redirect.from, input);
        }
      }
    }
  }

  #opened(from: number, to: Destination, descriptors: Descriptors): void {
    this.#outputs[from] = to;
    if (from > 2) descriptors.openOutput(from, this.#fromInside(to));
  }

  #output(number: number, descriptors: Descriptors): Destination {
    const found = this.#outputs[number] ?? descriptors.output(number);
    if (found === undefined) throw this.#unusable(number, descriptors.input(number));
    return found;
  }

  /** The error of descriptor `number`, which is closed or `open` the other way, where bash has the command itself fail. */
  #unusable(number: number, open: unknown): RedirectionError | StageRefused {
    if (open === undefined) return new RedirectionError(`${number}: Bad file descriptor`);
    const detail = `Descriptor ${number} is open here, and for the other direction: what reads a file is not written, and the reverse. Open another descriptor.`;
    return new StageRefused({ code: "GUARD_VIOLATION", reason: "REDIRECT", detail, suggestion: undefined, position: undefined });
  }

  /** The destination for commands inside, whose own outputs are others. */
  #fromInside(to: Destination): OpenedOutput {
    if (to === "errors") return { kind: "outer", write: (bytes) => this.#errors.stderr(bytes) };
    if (to !== "output") return to;
    // A copy: producers use their memory again.
    return { kind: "outer", write: (bytes) => this.#waiting.add(Buffer.from(bytes)) };
  }

  /** True if errors were written to an outer output since the last call. */
  takeNeedsFlush(): boolean {
    const needsFlush = this.#needsFlush;
    this.#needsFlush = false;
    return needsFlush;
  }
}

/** Errors that cannot be written are lost, as with any tool. */
function unlessFull(file: ContentSink, bytes: Uint8Array): void {
  try {
    file.write(bytes);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
}
