/** The file of -o: it gets the sorted lines, recorded, once all of them are there. */
import type { Invocation } from "../../src/builtin/definition.ts";
import type { WriteTransaction } from "../../src/builtin/recorder.ts";
import { checkDirectoryOf, recorderFor } from "../../src/builtin/replace-files.ts";
import { writeError } from "../../src/builtin/write-refused.ts";
import { quoteName } from "../../src/display/quote.ts";
import { SortTrouble } from "./files.ts";

export class OutputFile {
  readonly #invocation: Pick<Invocation, "files" | "recorder">;
  /** Undefined: standard output. */
  readonly #path: string | undefined;
  #transaction: WriteTransaction | undefined;

  constructor(invocation: Pick<Invocation, "files" | "recorder">, path: string | undefined) {
    this.#invocation = invocation;
    this.#path = path === "/dev/stdout" || path === "/dev/fd/1" ? undefined : path;
  }

  /** Throws SortTrouble for a file that cannot be written, WriteRefused. */
  begin(): void {
    const path = this.#path;
    if (path === undefined) return;
    const { files } = this.#invocation;
    this.#attempt(path, "open failed", () => {
      checkDirectoryOf(files, path);
      this.#transaction = recorderFor(this.#invocation, path).begin([path], "overwrite", files.currentDirectory);
    });
  }

  /** Takes a block of output; false where it goes to standard output. */
  takes(block: Uint8Array): boolean {
    const path = this.#path;
    if (path === undefined) return false;
    this.#attempt(path, "write failed", () => this.#transaction?.write(block));
    return true;
  }

  commit(): void {
    const path = this.#path;
    if (path !== undefined) this.#attempt(path, "write failed", () => this.#transaction?.commit());
  }

  abort(): void {
    this.#transaction?.abort();
  }

  #attempt(path: string, step: string, action: () => void): void {
    try {
      action();
    } catch (thrown) {
      throw new SortTrouble(`${step}: ${quoteName(path)}: ${writeError(thrown).message}`);
    }
  }
}
