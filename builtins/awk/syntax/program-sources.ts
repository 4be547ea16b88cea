/** Sources of the program text: the operand, -e, -f, -i and @include. */
import { latin1 } from "../run/latin1.ts";
import type { Occurrence } from "../../../src/builtin/definition.ts";
import { noFlagLeft } from "../../../src/builtin/flag-values.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { isStandardInput } from "../../../src/builtin/inputs.ts";
import type { ByteInput } from "../../../src/io/input.ts";
import type { Files } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import type { FLAGS } from "../awk.ts";
import { CannotInclude, ProgramError } from "./program-error.ts";
import type { Place, Source } from "./source.ts";

interface ProgramArguments {
  readonly occurrences: readonly Occurrence<typeof FLAGS>[];
  readonly operands: readonly string[];
  readonly stdin: ByteInput;
}

/** Program text of one file, in bytes. */
const MAX_SOURCE_BYTES = 16 << 20;

/** Files that come with gawk, by their names without `.awk`: it finds them wherever it runs. */
const OWN_LIBRARY: ReadonlySet<string> = new Set([
  ..."assert bits2str cliff_rand ctime ftrans getopt gettime group have_mpfr inplace intdiv0 isnumeric join libintl noassign".split(" "),
  ..."ns_passwd ord passwd processarray quicksort readable readfile rewind round shellquote strtonum tocsv walkarray zerofile".split(" "),
]);

export class ProgramSources {
  readonly texts: string[] = [];
  readonly #files: Files;
  /** By path: whether a file is read as a program (-f), not included. */
  readonly #isProgram = new Map<string, boolean>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** All that the command line names, in order. Throws ProgramError. */
  async all({ occurrences, operands, stdin }: ProgramArguments): Promise<Source[]> {
    const sources: Source[] = [];
    let hasProgram = false;
    for (const occurrence of occurrences) {
      switch (occurrence.key) {
        case "source":
          if (occurrence.value === "") break;
          hasProgram = true;
          sources.push(this.#argument(latin1(toBytes(occurrence.value)), false));
          break;
        case "file":
        case "exec": {
          hasProgram = true;
          const { value } = occurrence;
          const source = isStandardInput(value) ? await this.#readInput(value, stdin) : this.#read(value);
          if (source !== undefined) sources.push(source);
          break;
        }
        case "include": {
          const source = this.#read(occurrence.value, "command line");
          if (source !== undefined) sources.push(source);
          break;
        }
        // Read in their order too: run/runtime-setup.ts sets variables, awk.ts asks for the last of -O -s.
        case "fieldSeparator":
        case "assign":
        case "optimize":
        case "noOptimize":
        // Read by their values there.
        case "bytes":
        case "csv":
        case "lint":
        case "lintOld":
        case "nonDecimalData":
        case "sandbox":
        // Without effect.
        case "intervals":
        case "localNumbers":
          break;
        default:
          noFlagLeft(occurrence);
      }
    }
    if (!hasProgram) sources.push(this.#argument(latin1(toBytes(operands[0] ?? "")), true));
    return sources;
  }

  /** The file that `@include` at a place names (one unit per byte); undefined: it was included before. Throws CannotInclude. */
  include(name: string, from: Place): Source | undefined {
    return this.#read(toText(Buffer.from(name, "latin1")), from);
  }

  #argument(text: string, isOperand: boolean): Source {
    this.texts.push(text);
    return { label: "cmd. line", text, isOperand, isFile: false };
  }

  #file(label: string, text: string, includedFrom?: Source["includedFrom"]): Source {
    this.texts.push(text);
    return { label, text, isOperand: false, isFile: true, includedFrom };
  }

  async #readInput(name: string, stdin: ByteInput): Promise<Source> {
    const parts: Buffer[] = [];
    let length = 0;
    for (let block = await stdin.read(); block !== undefined && length < MAX_SOURCE_BYTES; block = await stdin.read()) {
      parts.push(Buffer.from(block));
      length += block.length;
    }
    return this.#file(name, latin1(Buffer.concat(parts)));
  }

  #read(name: string, includedFrom?: Source["includedFrom"]): Source | undefined {
    const cannotInclude = (message: string, isFatal: boolean): never => {
      if (typeof includedFrom === "object") throw new CannotInclude(message, isFatal);
      throw new ProgramError([`fatal: ${message}`], 2);
    };
    if (name === "/dev/null") return this.#file(name, "");
    let failure: FileError | undefined;
    for (const candidate of [name, `${name}.awk`]) {
      try {
        // A process substitution is the file of its own name.
        const path = this.#files.descriptor(candidate) === undefined ? this.#files.realPath(candidate) : candidate;
        const isProgram = includedFrom === undefined;
        const before = this.#isProgram.get(path);
        if (before === false && !isProgram) return undefined;
        if (before === !isProgram) cannotInclude(`cannot include \`${latin1(toBytes(name))}' and use it as a program file`, true);
        const file = this.#files.open(candidate);
        this.#isProgram.set(path, isProgram);
        try {
          const blocks: Buffer[] = [];
          let length = 0;
          for (const block of file.blocks()) {
            blocks.push(Buffer.from(block));
            length += block.length;
            if (length >= MAX_SOURCE_BYTES) break;
          }
          return this.#file(latin1(toBytes(candidate)), latin1(Buffer.concat(blocks).subarray(0, MAX_SOURCE_BYTES)), includedFrom);
        } finally {
          file.close();
        }
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        if (thrown.code === "EISDIR") {
          const shown = latin1(toBytes(candidate));
          throw new ProgramError([`${shown}:1: error: cannot read source file \`${shown}': Is a directory`]);
        }
        failure ??= thrown;
      }
    }
    if (OWN_LIBRARY.has(name.replace(/\.awk$/, "")))
      throw new ProgramError([`fatal: \`${name}' is of gawk's own library, which is not here; define its functions in the program`], 2);
    cannotInclude(`cannot open source file \`${latin1(toBytes(name))}' for reading: ${failure?.message ?? ""}`, false);
  }
}
