/** The files that `getline < FILE` has open, by name. */
import { FileError } from "../../../src/workspace/file-error.ts";
import { openSource, type InputFiles } from "./main-input.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { RecordSource } from "./record-source.ts";
import type { RecordFinder } from "./record-finder.ts";
import type { Runtime } from "./runtime.ts";

/** Files open at once. */
const MAX_OPEN = 200;

export class OpenFiles {
  readonly #runtime: Runtime;
  readonly #from: InputFiles;
  readonly #open = new Map<string, RecordSource>();

  constructor(runtime: Runtime, from: InputFiles) {
    this.#runtime = runtime;
    this.#from = from;
  }

  /** Throws FileError, FatalError. */
  source(name: string): RecordSource {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (name === "") throw new FatalError("expression for `<' redirection has null string value");
    if (this.#open.size >= MAX_OPEN) throw new FatalError(`more than ${MAX_OPEN} files are open: close() some`);
    const source = openSource(this.#from, name, this.#runtime);
    this.#open.set(name, source);
    return source;
  }

  /** Has `count` records ready in each of the names of standard input that the program spells out. */
  async ensure(names: readonly string[], count: number, finder: RecordFinder): Promise<void> {
    for (const name of names) {
      let source: RecordSource;
      try {
        source = this.source(name);
      } catch (thrown) {
        // It is said when it is read.
        if (!(thrown instanceof FileError)) throw thrown;
        continue;
      }
      while (!source.holds(count, finder)) await source.fill();
    }
  }

  /** 0, or -1 where no such file is open. */
  close(name: string): number {
    const source = this.#open.get(name);
    if (source === undefined) return -1;
    source.close();
    this.#open.delete(name);
    return 0;
  }

  closeAll(): void {
    for (const source of this.#open.values()) source.close();
    this.#open.clear();
  }
}
