/** The records of the operands: ARGV as it is when its turn comes, assignments among it. */
import { latin1 } from "./latin1.ts";
import { isStandardInput, openInput } from "../../../src/builtin/inputs.ts";
import type { OutputFiles } from "../../../src/builtin/output-files.ts";
import type { ByteInput } from "../../../src/io/input.ts";
import { toText as decoded } from "../../../src/io/text.ts";
import type { Files } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { AwkArray } from "../values/array.ts";
import { withEscapes } from "../syntax/escapes.ts";
import { BUILTIN_FUNCTIONS } from "../library/function-table.ts";
import { isReserved } from "../syntax/lexer.ts";
import { FatalError } from "../syntax/program-error.ts";
import { RecordSource, type Missing } from "./record-source.ts";
import type { Runtime } from "./runtime.ts";
import { Regexp, toNumber } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

export interface InputFiles {
  readonly stdin: ByteInput;
  readonly files: Files;
  readonly limits: { readonly lineBytes: number };
  readonly outputs: OutputFiles | undefined;
  /** Standard input, where it had to be read before anything ran: empty once one has opened it. */
  whole: Buffer | undefined;
}

/** Code of the program that runs as files begin and end. */
export interface FileHooks {
  /** Returns false to pass over the file. */
  readonly begin: (() => boolean) | undefined;
  readonly end: (() => void) | undefined;
}

export class MainInput {
  readonly #runtime: Runtime;
  readonly #from: InputFiles;
  readonly #hooks: FileHooks;
  #source: RecordSource | undefined;
  /** Standard input, read before its turn because the file before it may end within a statement that reads on. */
  #ahead: RecordSource | undefined;
  /** The next element of ARGV. */
  #index = 1;
  #sawFile = false;
  #isDone = false;
  readonly #usesTerminator: boolean;

  constructor(runtime: Runtime, from: InputFiles, hooks: FileHooks, usesTerminator: boolean) {
    this.#runtime = runtime;
    this.#from = from;
    this.#hooks = hooks;
    this.#usesTerminator = usesTerminator;
  }

  /** Standard input, if that is what is read, has to be read on for `next` to say anything. */
  async fill(): Promise<void> {
    await (this.#source?.isStandardInput === true ? this.#source : this.#ahead)?.fill();
  }

  /** True if `count` records can be had without waiting for standard input. */
  holds(count: number): boolean {
    if (this.#isDone) return true;
    const source = this.#source;
    const { finder } = this.#runtime;
    if (source?.isStandardInput === true) return source.holds(count, finder);
    if (!this.#comesToStandardInput()) return true;
    const left = source?.left(count, finder) ?? 0;
    if (left === count) return true;
    this.#ahead ??= openSource(this.#from, "-", this.#runtime);
    // Records may be others by then: all of it is held.
    return this.#ahead.holds(this.#changesRecords() ? Infinity : count - left, finder);
  }

  /** True if standard input may come after the file that is read, or before any. */
  #comesToStandardInput(): boolean {
    const operands = this.#operandsLeft();
    if (operands.some(isStandardInput)) return true;
    return !this.#sawFile && operands.every((operand) => operand === "" || operand.includes("="));
  }

  /** True if an operand that is still to come changes RS or IGNORECASE, and so the bounds of records. */
  #changesRecords(): boolean {
    return this.#operandsLeft().some((operand) => /^(?:awk::)?(?:RS|IGNORECASE)=/.test(operand));
  }

  #operandsLeft(): string[] {
    const runtime = this.#runtime;
    const argv = runtime.globalArray("ARGV");
    const count = toNumber(runtime.getGlobal("ARGC"));
    const operands: string[] = [];
    for (let index = this.#index; index < count; index++) {
      if (argv.has(index)) operands.push(toText(argv.peek(index), runtime));
    }
    return operands;
  }

  /** Makes the next record `record.found` of the source it returns. */
  next(): RecordSource | Missing {
    for (;;) {
      if (this.#isDone) return "end";
      if (this.#source === undefined && !this.#open()) {
        this.#isDone = true;
        return "end";
      }
      const source = this.#source as RecordSource;
      let missing: Missing | undefined;
      try {
        missing = source.next(this.#runtime.finder);
      } catch (thrown) {
        if (!(thrown instanceof FileError)) throw thrown;
        throw new FatalError(`error reading input file \`${this.#fileName()}': ${thrown.message}`);
      }
      if (missing === "wait") return "wait";
      if (missing === undefined) {
        this.#runtime.nr++;
        this.#runtime.fnr++;
        this.#runtime.shownNr = undefined;
        this.#runtime.shownFnr = undefined;
        if (this.#usesTerminator) this.#setTerminator(source);
        return source;
      }
      this.#closeFile();
    }
  }

  #setTerminator(source: RecordSource): void {
    const { found, window } = source;
    // Of CR LF, which end a record of --csv, RT is the second.
    const from = this.#runtime.options.csv ? Math.max(found.to, found.next - 1) : found.to;
    // Where nothing ends the last record, RT has no value.
    this.#runtime.setGlobal("RT", latin1(window.bytes, from, found.next) || undefined);
  }

  /** nextfile */
  skipFile(): void {
    if (this.#source !== undefined) this.#closeFile();
  }

  close(): void {
    this.#source?.close();
    this.#ahead?.close();
    this.#source = undefined;
    this.#isDone = true;
  }

  #closeFile(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#hooks.end?.();
  }

  #fileName(): string {
    return toText(this.#runtime.getGlobal("FILENAME"), this.#runtime);
  }

  /** Opens the next file; false where there is none. */
  #open(): boolean {
    const runtime = this.#runtime;
    for (;;) {
      const count = toNumber(runtime.getGlobal("ARGC"));
      const argv = runtime.globalArray("ARGV");
      if (this.#index >= count) {
        if (this.#sawFile) return false;
        this.#sawFile = true;
        runtime.setGlobal("FILENAME", "-");
        if (this.#start("-")) return true;
        continue;
      }
      const index = this.#index++;
      if (!argv.has(index)) continue;
      const operand = toText(argv.peek(index), runtime);
      if (operand === "") continue;
      if (runtime.options.assignsOperands) {
        // What looks like an assignment is none of the program's lines, nor is what is said of it or of what follows.
        if (operand.includes("=")) runtime.place = undefined;
        if (assignOperand(runtime, operand)) continue;
      }
      this.#sawFile = true;
      runtime.fnr = 0;
      runtime.setGlobal("ARGIND", index);
      runtime.setGlobal("FILENAME", runtime.input(operand));
      if (this.#start(operand)) return true;
    }
  }

  #start(operand: string): boolean {
    const runtime = this.#runtime;
    let error: FileError | undefined;
    try {
      this.#source = (isStandardInput(operand) ? this.#ahead : undefined) ?? openSource(this.#from, operand, runtime);
      if (this.#source === this.#ahead) this.#ahead = undefined;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      error = thrown;
    }
    const { begin } = this.#hooks;
    if (begin === undefined) {
      if (error === undefined) return true;
      if (error.code === "EISDIR") {
        runtime.warn(`command line argument \`${operand}' is a directory: skipped`);
        return false;
      }
      throw new FatalError(`cannot open file \`${operand}' for reading: ${error.message}`);
    }
    runtime.setError(error);
    const goesOn = begin();
    if (error === undefined) {
      if (goesOn) return true;
      this.#closeFile();
      return false;
    }
    if (!goesOn) return false;
    if (error.code === "EISDIR") {
      runtime.warn(`command line argument \`${operand}' is a directory: skipped`);
      return false;
    }
    throw new FatalError(`cannot open file \`${operand}' for reading: ${error.message}`);
  }
}

/** Opens a file or standard input as records. Throws FileError. */
export function openSource(from: InputFiles, operand: string, runtime: Runtime): RecordSource {
  const name = decoded(Buffer.from(operand, "latin1"));
  if (!isStandardInput(name)) from.outputs?.checkRead(name);
  const input = openInput(from, name);
  const keep = (bytes: Buffer): void => runtime.record.keep(bytes);
  if (input.file === undefined && from.whole !== undefined) {
    const { whole } = from;
    // What one has read is gone for the next.
    from.whole = Buffer.alloc(0);
    return RecordSource.of(whole, keep);
  }
  return new RecordSource(input.file ?? input, from.limits.lineBytes, keep);
}

/** `NAME=VALUE` as an operand or after -v: assigns it and says that it was one. Throws FatalError. */
export function assignOperand(runtime: Runtime, operand: string): boolean {
  const found = /^([A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)?)=/.exec(operand);
  if (found === null) return false;
  const name = (found[1] as string).replace(/^awk::/, "");
  if (isReserved(name) || BUILTIN_FUNCTIONS.has(name)) throw new FatalError(`cannot use gawk builtin \`${name}' as variable name`, "");
  if (runtime.functionNames.has(name)) throw new FatalError(`cannot use function \`${name}' as variable name`, "");
  const text = operand.slice(found[0].length);
  const [, regex] = /^@\/(.*)\/$/s.exec(text) ?? [];
  const value = regex === undefined ? runtime.input(withEscapes(text, (message) => runtime.warnOfEscape(message, ""))) : new Regexp(regex);
  if (runtime.getGlobal(name) instanceof AwkArray || name === "SYMTAB" || name === "FUNCTAB") {
    throw new FatalError(`attempt to use array \`${name}' in a scalar context`);
  }
  runtime.setGlobal(name, value);
  return true;
}
