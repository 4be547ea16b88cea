/**
 * The commands that a program has open: those it prints to, and those it reads. Each runs as far as it is read or has been printed
 * to; the output of a command that is printed to comes out when the command is closed, or has had more than a pipe holds.
 */
import type { Invocation } from "../../../src/builtin/definition.ts";
import { toText } from "../../../src/io/text.ts";
import { FatalError } from "../syntax/program-error.ts";
import { AwkArray } from "../values/array.ts";
import { toText as toTextOf } from "../values/text-conversion.ts";
import { Unassigned } from "../values/values.ts";
import { CommandInput } from "./command-input.ts";
import { RecordSource } from "./record-source.ts";
import type { Runtime } from "./runtime.ts";

/** Commands open at once. */
const MOST_OPEN = 100;

/** Capacity of a pipe on Linux, in bytes. */
const PIPE_BYTES = 65_536;

/** Bytes of standard output that C's library gathers where it is no terminal. */
const BUFFER_BYTES = 4096;

/** Settings of a command in PROCINFO. */
const SETTINGS = ["READ_TIMEOUT", "RETRY", "NONFATAL"];

/** Exit status of a command whose output nobody reads any more. */
const BROKEN_PIPE = 141;

/** Something that the program waits for; what it yields is output. */
export type Work = () => AsyncGenerator<Uint8Array, void>;

type Output = AsyncGenerator<Uint8Array, number>;
type Step = IteratorResult<Uint8Array, number>;
type Surroundings = Pick<Invocation, "runScript" | "limits" | "stderr">;

/** A command that the program prints to. */
interface Printed {
  readonly input: CommandInput;
  readonly output: Output;
  /** The step of `output` that has been asked for. */
  next: Promise<Step> | undefined;
  exit: number | undefined;
}

/** A command that the program reads. */
interface Read {
  readonly source: RecordSource;
  readonly output: Output;
  exit: number | undefined;
}

export class Commands {
  readonly #runtime: Runtime;
  readonly #from: Surroundings;
  /** By text, the latest last. */
  readonly #printed = new Map<string, Printed>();
  readonly #read = new Map<string, Read>();
  readonly #environment: string;

  constructor(runtime: Runtime, from: Surroundings) {
    this.#runtime = runtime;
    this.#from = from;
    this.#environment = this.#environmentNow();
  }

  /** Prints to a command, which is started where it is not open. */
  async *print(text: string, printed: string): AsyncGenerator<Uint8Array, void> {
    this.#checkText(text);
    let command = this.#printed.get(text);
    if (command === undefined) {
      yield* this.flushOwn();
      const input = new CommandInput();
      this.#checkCount();
      command = { input, output: this.#start(text, input), next: undefined, exit: undefined };
      this.#printed.set(text, command);
    }
    if (command.exit !== undefined && command.input.full) throw new FatalError(`print to "${text}" failed: Broken pipe`);
    command.input.print(printed);
    if (command.input.full) yield* this.#advance(command);
  }

  /** As `print`, where nothing has to be waited for; false: nothing was printed. */
  printAtOnce(text: string, printed: string): boolean {
    const command = this.#printed.get(text);
    if (command === undefined || command.input.full) return false;
    command.input.print(printed);
    return true;
  }

  /** system() */
  async *system(text: string, set: (status: number) => void): AsyncGenerator<Uint8Array, void> {
    yield* this.flushOwn();
    set(text === "" ? 0 : yield* this.#start(text));
    yield* this.#advanceAll();
  }

  /** Opens a command for `source`. */
  async *open(text: string): AsyncGenerator<Uint8Array, void> {
    this.#checkText(text);
    if (this.#read.has(text)) return;
    yield* this.flushOwn();
    this.#checkCount();
    const output = this.#start(text);
    const from = {
      operand: text,
      file: undefined,
      read: async () => {
        const step = await output.next();
        if (step.done !== true) return step.value;
        command.exit = step.value;
        return undefined;
      },
      unread: () => {},
      close: () => {},
      [Symbol.asyncIterator]: () => output,
    };
    const source = new RecordSource(from, this.#from.limits.lineBytes, (bytes) => this.#runtime.record.keep(bytes));
    const command: Read = { source, output, exit: undefined };
    this.#read.set(text, command);
  }

  /** The records of the output of a command that is open. */
  source(text: string): RecordSource | undefined {
    return this.#read.get(text)?.source;
  }

  has(text: string): boolean {
    return this.#printed.has(text) || this.#read.has(text);
  }

  /** close() of a command that is open. */
  async *close(text: string, set: (status: number) => void): AsyncGenerator<Uint8Array, void> {
    const read = this.#read.get(text);
    const printed = this.#printed.get(text);
    if (read !== undefined) {
      this.#read.delete(text);
      set(await exitOfUnread(read));
    } else if (printed !== undefined) {
      yield* this.flushOwn();
      yield* this.#finish(text, printed);
      set(printed.exit ?? 0);
    }
  }

  async *#finish(text: string, command: Printed): AsyncGenerator<Uint8Array, void> {
    command.input.end();
    yield* this.#advance(command);
    this.#printed.delete(text);
  }

  /** fflush(): sets 0, or -1 where nothing of that name is open. */
  async *flush(text: string | undefined, set: (result: number) => void): AsyncGenerator<Uint8Array, void> {
    const isFile = this.#runtime.streams?.flush(text === "" ? undefined : text) === true;
    const isOwn = isFile || text === undefined || text === "" || text === "/dev/stdout" || text === "/dev/stderr";
    const command = text === undefined ? undefined : this.#printed.get(text);
    if (isOwn) yield* this.flushOwn();
    if (text === undefined || text === "") yield* this.#advanceAll();
    else if (command !== undefined) yield* this.#advance(command);
    set(isOwn || command !== undefined ? 0 : -1);
  }

  /** The end of the program: the latest command is closed first. */
  async *closeAll(): AsyncGenerator<Uint8Array, void> {
    for (const [text, command] of [...this.#printed].reverse()) yield* this.#finish(text, command);
    await this.abandon();
  }

  /** Ends what is still open. */
  async abandon(): Promise<void> {
    const printed = [...this.#printed.values()];
    const read = [...this.#read.values()];
    this.#printed.clear();
    this.#read.clear();
    for (const { input } of printed) input.abandon();
    for (const { next, output } of printed) {
      await next?.catch(() => undefined);
      await output.return(0).catch(() => undefined);
    }
    for (const { output } of read) await output.return(0).catch(() => undefined);
  }

  /** The program's own output, as far as it is written by then: C's library writes it in blocks. */
  *written(): Generator<Uint8Array, void> {
    const { output } = this.#runtime;
    yield* this.#pending();
    if (output.empty) return;
    const block = output.take();
    const kept = ((block.length - 1) % BUFFER_BYTES) + 1;
    output.add(block, block.length - kept);
    if (kept < block.length) yield block.subarray(0, block.length - kept);
  }

  *flushOwn(): Generator<Uint8Array, void> {
    yield* this.#pending();
    const { output } = this.#runtime;
    if (!output.empty) yield output.take();
  }

  *#pending(): Generator<Uint8Array, void> {
    for (const piece of this.#runtime.pending.splice(0)) {
      if ("stdout" in piece) yield piece.stdout;
      else this.#from.stderr(Buffer.from(piece.stderr, "latin1"));
    }
  }

  /** Lets the command run until it waits for more, or to its end. */
  async *#advance(command: Printed): AsyncGenerator<Uint8Array, void> {
    command.input.deliver();
    while (command.exit === undefined) {
      command.next ??= command.output.next();
      // It may fail while nobody waits for it.
      command.next.catch(() => undefined);
      const step = await Promise.race([command.next, command.input.idle()]);
      if (step === "idle") return;
      command.next = undefined;
      if (step.done === true) command.exit = step.value;
      else {
        yield* this.written();
        yield step.value;
      }
    }
  }

  async *#advanceAll(): AsyncGenerator<Uint8Array, void> {
    for (const command of [...this.#printed.values()]) yield* this.#advance(command);
  }

  #start(text: string, stdin?: CommandInput): Output {
    if (this.#environmentNow() !== this.#environment) {
      throw new FatalError("ENVIRON was changed: a command has the environment of the line, not what a program makes of it");
    }
    this.#runtime.streams?.flush();
    const script = toText(Buffer.from(text, "latin1"));
    const output = this.#from.runScript(script, { name: "sh", args: [], options: [], ...(stdin === undefined ? {} : { stdin }) });
    if (output === undefined) throw new FatalError(`"${text}" is not run: its text is not typed in the line`);
    return output;
  }

  #environmentNow(): string {
    const runtime = this.#runtime;
    const entries = [...runtime.globalArray("ENVIRON").entries()].filter(
      ([, value]) => value !== undefined && !(value instanceof Unassigned),
    );
    return JSON.stringify(entries.map(([name, value]) => [name, value instanceof AwkArray || toTextOf(value, runtime)]));
  }

  #checkText(text: string): void {
    if (text === "") throw new FatalError("expression for `|' redirection has null string value");
    const settings = this.#runtime.globalArray("PROCINFO");
    for (const name of SETTINGS) {
      if (!settings.has(text + this.#runtime.subscriptSeparator + name)) continue;
      throw new FatalError(`PROCINFO["${text}", "${name}"] has no effect here`);
    }
  }

  #checkCount(): void {
    if (this.#printed.size + this.#read.size >= MOST_OPEN) throw new FatalError(`more than ${MOST_OPEN} commands are open: close() some`);
  }
}

/** A command whose output was not read to its end goes on until a pipe is full. */
async function exitOfUnread(command: Read): Promise<number> {
  for (let bytes = 0; command.exit === undefined && bytes <= PIPE_BYTES; ) {
    const step = await command.output.next();
    if (step.done === true) command.exit = step.value;
    else bytes += step.value.length;
  }
  if (command.exit === undefined) await command.output.return(0);
  return command.exit ?? BROKEN_PIPE;
}
