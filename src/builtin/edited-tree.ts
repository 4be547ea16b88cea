/** The tree as a stage's own edits will leave it: what rm, cp, mv and their like look at and change. */
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { Files } from "../workspace/contract.ts";
import type { Invocation } from "./definition.ts";
import type { EditTransaction } from "./recorder.ts";
import { isWriteRefusal, WriteRefused } from "./write-refused.ts";

export type EntryKind = FileStatus["kind"];

/**
 * Edits of one stage, made together by `end`. Errors of single files are told by the tool's own words; what the policy forbids
 * ends the line (WriteRefused).
 */
export class EditedTree {
  readonly edits: EditTransaction;
  readonly files: Files;
  /** True once a file could not be changed. */
  failed = false;
  readonly #warn: (message: string) => void;
  readonly #done: string[] = [];

  /** `first`: a name for the message where nothing may be written. */
  constructor({ recorder, files, warn }: Pick<Invocation, "recorder" | "files" | "warn">, first: string) {
    if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", first));
    this.edits = recorder.edit(files.currentDirectory);
    this.files = files;
    this.#warn = warn;
  }

  /** Kind of what `path` names, undefined where there is nothing. `follow`: of what a symbolic link leads to. Throws FileError. */
  kind(path: string, { follow = false }: { readonly follow?: boolean } = {}): EntryKind | undefined {
    const pending = this.#pending(path);
    if (pending === "nothing") return undefined;
    if (pending !== undefined && !(follow && pending === "symlink")) return pending;
    try {
      return this.files.status(path, { follow }).kind;
    } catch (thrown) {
      if (thrown instanceof FileError && thrown.code === "ENOENT") return undefined;
      throw thrown;
    }
  }

  /** True if an earlier change of this stage is about `path`. */
  isPending(path: string): boolean {
    return this.#pending(path) !== undefined;
  }

  /** Runs `action`; for an error of a file it prints `say(error)`, unless that is undefined. False then. */
  attempt(action: () => void, say: (error: FileError) => string | undefined): boolean {
    try {
      action();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      if (isWriteRefusal(thrown)) throw new WriteRefused(thrown);
      const message = say(thrown);
      if (message === undefined) return false;
      this.fail(message);
      return false;
    }
  }

  /** Prints a message that is no error. */
  warn(message: string): void {
    this.#warn(message);
  }

  fail(message: string): void {
    this.#warn(message);
    this.failed = true;
  }

  /** A line of output, printed once the changes are made. */
  tell(line: string): void {
    this.#done.push(line);
  }

  /** Makes the changes, and yields the lines told. */
  *end(): Generator<Uint8Array, void> {
    try {
      if (
        !this.attempt(
          () => this.edits.commit(),
          ({ path, message }) => `${path}: ${message}`,
        )
      )
        return;
    } finally {
      this.edits.abort();
    }
    if (this.#done.length > 0) yield toBytes(this.#done.map((line) => `${line}\n`).join(""));
  }

  #pending(path: string): EntryKind | "nothing" | undefined {
    try {
      return this.edits.pending(path);
    } catch (thrown) {
      // No change is asked for yet, so nothing is wrong yet: the look at the file, or the change, says what is.
      if (thrown instanceof FileError && !isWriteRefusal(thrown)) return undefined;
      if (thrown instanceof FileError) throw new WriteRefused(thrown);
      throw thrown;
    }
  }
}
