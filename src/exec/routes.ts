/** Destinations of a stage's standard output and standard error, and the input it reads, after its redirections. */
import type { ContentSink } from "../builtin/recorder.ts";
import type { ByteInput } from "../io/input.ts";
import { keptOpen } from "../io/kept-open.ts";
import type { Redirect } from "../shell/tree.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Descriptors } from "./descriptors.ts";
import { StageRefused } from "./late-refusal.ts";
import type { StageOutputs } from "./stage-outputs.ts";
import type { ErrorSink } from "./stage.ts";

type Destination = "output" | "errors" | "nowhere" | ContentSink;

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
  #merged: Uint8Array[] = [];
  readonly #files: StageOutputs;

  constructor(errors: ErrorSink, files: StageOutputs) {
    this.#files = files;
    this.stderr = (bytes) => {
      const destination = this.#outputs[2];
      if (destination === "errors") return errors.stderr(bytes);
      if (destination === "output") this.#merged.push(bytes);
      if (typeof destination === "object") unlessFull(destination, bytes);
      return undefined;
    };
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
          if (input === undefined) throw new RedirectionError(`${redirect.to}: Bad file descriptor`);
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
    if (from > 2) descriptors.noteOutput(from);
  }

  #output(number: number, descriptors: Descriptors): Destination {
    const found = this.#outputs[number];
    if (found !== undefined) return found;
    if (!descriptors.hasOutput(number)) throw new RedirectionError(`${number}: Bad file descriptor`);
    // A script does not see what the line around it opens until it runs.
    throw new StageRefused({
      code: "GUARD_VIOLATION",
      reason: "REDIRECT",
      detail: `Descriptor ${number} is open around this command, and only the command that opens it can write to it here.`,
      suggestion: undefined,
      position: undefined,
    });
  }

  /** Standard error that was merged into standard output since the last call; it comes before the next block. */
  takeMerged(): readonly Uint8Array[] {
    if (this.#merged.length === 0) return [];
    const merged = this.#merged;
    this.#merged = [];
    return merged;
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
