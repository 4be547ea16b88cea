/** tee: copies standard input to standard output and, recorded, to files (src/audit). */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import type { WriteMode, WriteTransaction } from "../../src/builtin/recorder.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { quoteName, quoteWord } from "../../src/display/quote.ts";
import { WriteRefused, writeError } from "../../src/builtin/write-refused.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";

const FLAGS = {
  append: { kind: "switch", short: "a", help: "append to the given files, do not overwrite" },
  ignoreInterrupts: {
    kind: "switch",
    short: "i",
    unread: true,
    help: "no effect: no interrupt signals reach a stage",
  },
  diagnose: {
    kind: "switch",
    short: "p",
    long: false,
    overrides: ["outputError"],
    unread: true,
    help: "diagnose errors writing to non pipes: --output-error=warn-nopipe",
  },
  outputError: {
    kind: "value",
    arg: "MODE",
    read: wordReader("--output-error", {
      warn: ["warn"],
      "warn-nopipe": ["warn-nopipe"],
      exit: ["exit"],
      "exit-nopipe": ["exit-nopipe"],
    }),
    otherwise: undefined,
    ifBare: "warn-nopipe",
    help: "on a file that cannot be opened: warn, warn-nopipe (go on), exit, exit-nopipe (stop before reading)",
  },
} as const satisfies FlagTable;

export const tee = defineBuiltin({
  name: "tee",
  summary: "Copy standard input to each file, and also to standard output.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/tee.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "write", appendsWith: "append" },
  flags: FLAGS,
  passesOn: (args) => args.some((argument) => !argument.startsWith("-") && argument !== "/dev/null" && !OWN_OUTPUTS.has(argument)),
  examples: [
    { command: "tee result.txt", stdin: "a\nb\n", stdout: "a\nb\n" },
    { command: "tee -a log.txt", files: { "log.txt": "one\n" }, stdin: "two\n", stdout: "two\n" },
    { command: "tee a.txt b.txt", stdin: "both, or neither\n", stdout: "both, or neither\n" },
  ],
  deviations: [
    {
      from: "GNU tee",
      what: "Directories that are missing are made.",
      why: "A file in a directory of its own is one recorded change, and not two.",
    },
    {
      from: "GNU tee",
      what: "A file changes once, at the end of the input, as a whole; of several files all change or none does, also where one cannot be opened.",
      why: "A write is one recorded change that can be undone; half of one cannot be told from what was meant.",
    },
    {
      from: "GNU tee",
      what: "When the reader of its output has enough (tee f | head -1), tee reads its input to the end and writes the whole file, where GNU tee is killed and leaves as much as it had written.",
      why: "How much that is depends on timing. An endless input meets the size limit, and then nothing is written.",
    },
    {
      from: "GNU tee",
      what: "A symbolic link as the file is refused, with the name to write to instead; a FIFO or a device other than /dev/null is refused.",
      why: "A write changes the file of the name that was given and no other.",
    },
    {
      from: "GNU tee",
      what: "The file is replaced and not written over: other names of it (hard links) keep the old bytes, its directory must be writable, its access control list and extended attributes are not kept.",
      why: "Whoever reads it meanwhile sees the old file or the new one, and never half of one.",
    },
    {
      from: "GNU tee",
      what: "Where a command before it failed and nothing came (grep zzz f | tee f), a file that holds something is left as it is, and the line is refused (CONFLICT). The empty output of a command that ended well (printf '' | tee f) is written.",
      why: "A typing error would cost the file.",
    },
    { from: "GNU tee", what: "A file that is named twice is written once.", why: "The two copies would be two records of one change." },
    {
      from: "GNU tee",
      what: "A file in /tmp is opened when the first bytes come, where GNU tee opens it at once; all else is as with GNU tee there.",
      why: "What is read in the same pipeline (sort /tmp/x | tee /tmp/x) is not cut off before it was read.",
    },
    { from: "GNU tee", what: "More than 1 MiB is refused unless it was confirmed.", why: "A runaway pipeline must not fill the disk." },
  ],

  async *run(invocation) {
    const { flags, stdin } = invocation;
    const { append, outputError, ...others } = flags;
    allFlagsRead(others);
    const mode = append ? "append" : "overwrite";
    const opened = open(invocation, mode);
    const failed = opened === "failed";
    if (failed && (outputError === "exit" || outputError === "exit-nopipe")) {
      await stdin.close();
      return 1;
    }
    const copy = new Copy(invocation, mode, failed ? undefined : opened);
    try {
      yield* copy.blocks();
    } finally {
      await copy.end();
    }
    return failed || copy.failed ? 1 : 0;
  },
});

/** Devices that are the stage's own outputs. */
const OWN_OUTPUTS: ReadonlyMap<string, "output" | "errors"> = new Map([
  ["/dev/stdout", "output"],
  ["/dev/fd/1", "output"],
  ["/dev/stderr", "errors"],
  ["/dev/fd/2", "errors"],
]);

/** What GNU tee prints for an error of the file `operand`. A refusal, or a fault, is thrown on. */
function complaint(thrown: unknown, operand?: string): string {
  const { path, message } = writeError(thrown);
  return `${quoteName(operand ?? path)}: ${message}`;
}

/** Checks every file, so that each that cannot be written is named, as GNU tee does; then begins the write. */
function open({ operands, recorder, files, warn }: Invocation, mode: WriteMode): WriteTransaction | undefined | "failed" {
  const writable = operands.filter((operand) => operand !== "/dev/null" && !OWN_OUTPUTS.has(operand));
  const first = writable[0];
  if (first === undefined) return undefined;
  if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", first));
  let failed = false;
  for (const operand of writable) {
    try {
      recorder.begin([operand], mode, files.currentDirectory).abort();
    } catch (thrown) {
      warn(complaint(thrown, operand));
      failed = true;
    }
  }
  if (failed) return "failed";
  try {
    return recorder.begin(writable, mode, files.currentDirectory);
  } catch (thrown) {
    // Somebody has changed a directory since it was looked at.
    warn(complaint(thrown));
    return "failed";
  }
}

/** Throws WriteRefused where a file would be emptied because the stage that was to give its bytes failed. */
function refuseLoss({ operands, failedProducer, files }: Invocation): void {
  const failed = failedProducer?.();
  if (failed === undefined) return;
  const { command, exit, message } = failed;
  const lost = operands.find((operand) => operand !== "/dev/null" && !OWN_OUTPUTS.has(operand) && sizeOf(files, operand) > 0);
  if (lost === undefined) return;
  const said = message === "" ? "" : `: ${message.replaceAll(/\s*\n\s*/g, "; ")}`;
  const why = `It would be emptied, because ${quoteWord(command)} printed nothing and failed (exit ${exit})${said}. To empty it: printf '' | tee ${quoteWord(lost)}`;
  throw new WriteRefused(new FileError("CONFLICT", lost, why));
}

/** 0 where there is no file, or none that can be looked at. */
function sizeOf(files: Files, path: string): number {
  try {
    return files.status(path).size;
  } catch (thrown) {
    if (thrown instanceof FileError) return 0;
    throw thrown;
  }
}

/** Input on its way to the output and to the transaction. */
class Copy {
  failed = false;
  readonly #invocation: Invocation;
  readonly #mode: WriteMode;
  #hasInput = false;
  /** undefined where nothing is to be written, or not any more. */
  #transaction: WriteTransaction | undefined;
  /** "reading" when `end` is called: whoever reads our output has closed it. */
  #state: "reading" | "read" | "broken" = "reading";

  constructor(invocation: Invocation, mode: WriteMode, transaction: WriteTransaction | undefined) {
    this.#invocation = invocation;
    this.#mode = mode;
    this.#transaction = transaction;
  }

  async *blocks(): AsyncGenerator<Uint8Array, void> {
    const { stdin } = this.#invocation;
    try {
      for (let block = await stdin.read(); block !== undefined; block = await stdin.read()) {
        this.#write(block);
        yield block;
        for (const operand of this.#invocation.operands) {
          const own = OWN_OUTPUTS.get(operand);
          if (own === "output") yield block;
          else if (own === "errors") this.#invocation.stderr(Buffer.from(block));
        }
      }
      this.#state = "read";
    } catch (thrown) {
      this.#state = "broken";
      throw thrown;
    }
  }

  /** Writes the files if the input came to its end, or can be brought to it; else drops everything. */
  async end(): Promise<void> {
    const { stdin } = this.#invocation;
    try {
      if (this.#state === "broken") return;
      while (this.#state === "reading" && this.#transaction !== undefined) {
        const block = await stdin.read();
        if (block === undefined) this.#state = "read";
        else this.#write(block);
      }
      if (this.#transaction !== undefined && this.#mode === "overwrite" && !this.#hasInput) refuseLoss(this.#invocation);
      this.#attempt(() => this.#transaction?.commit());
    } finally {
      this.#transaction?.abort();
      await stdin.close();
    }
  }

  #write(block: Uint8Array): void {
    this.#hasInput ||= block.length > 0;
    this.#attempt(() => this.#transaction?.write(block));
  }

  /** After an error of a file, as with GNU tee, only the output goes on. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (thrown) {
      this.#transaction?.abort();
      this.#transaction = undefined;
      this.failed = true;
      this.#invocation.warn(complaint(thrown));
    }
  }
}
