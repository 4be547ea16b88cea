/**
 * Custom commands across the channel between the supervisor and an executor: the executor asks for each block of output, the program's
 * process for each block of input, so neither side runs ahead of the other.
 */
import type { ExitStatus } from "../builtin/definition.ts";
import { FileError, type FileErrorCode } from "../workspace/file-error.ts";
import type { CommandHost, HostCall } from "./command-host.ts";

/** Messages of an executor about one of its calls. */
export type CommandRequest = { readonly id: number } & (
  | { readonly kind: "start"; readonly call: Pick<HostCall, "name" | "args" | "currentDirectory" | "heldBytes"> }
  /** Asks for output. */
  | { readonly kind: "pull" }
  /** Nobody wants more. */
  | { readonly kind: "end" }
  /** Answers `ask`; undefined is the end. */
  | { readonly kind: "input"; readonly block: Uint8Array | undefined }
  /** Answers `read`. */
  | { readonly kind: "file"; readonly file: number; readonly content: Uint8Array | FileFault }
);

/** Messages of the program's process about one call. */
export type CommandAnswer = { readonly id: number } & (
  | { readonly kind: "output"; readonly block: Uint8Array }
  | { readonly kind: "exit"; readonly exit: ExitStatus }
  | { readonly kind: "stderr"; readonly block: Uint8Array }
  /** Asks for input. */
  | { readonly kind: "ask" }
  /** Asks for a file. */
  | { readonly kind: "read"; readonly file: number; readonly path: string }
);

/** A FileError as plain data. */
interface FileFault {
  readonly code: FileErrorCode;
  readonly path: string;
  readonly message: string;
}

/** The executor's side. */
export class CommandClient {
  readonly #send: (request: CommandRequest) => void;
  readonly #calls = new Map<number, { readonly call: HostCall; answered: (answer: Uint8Array | ExitStatus) => void }>();
  #last = 0;

  constructor(send: (request: CommandRequest) => void) {
    this.#send = send;
  }

  readonly host: CommandHost = (call) => this.#run(call);

  async *#run(call: HostCall): AsyncGenerator<Uint8Array, ExitStatus> {
    const id = ++this.#last;
    const { name, args, currentDirectory, heldBytes } = call;
    const entry = { call, answered: (_: Uint8Array | ExitStatus): void => {} };
    this.#calls.set(id, entry);
    const end = (): void => {
      if (this.#calls.delete(id)) this.#send({ id, kind: "end" });
    };
    call.signal.addEventListener("abort", end);
    this.#send({ id, kind: "start", call: { name, args, currentDirectory, heldBytes } });
    for (;;) {
      const answer = await new Promise<Uint8Array | ExitStatus>((resolve) => {
        entry.answered = resolve;
        this.#send({ id, kind: "pull" });
      });
      if (typeof answer === "number") return answer;
      yield answer;
    }
  }

  take(answer: CommandAnswer): void {
    const { id } = answer;
    const entry = this.#calls.get(id);
    if (entry === undefined) return;
    const { call, answered } = entry;
    switch (answer.kind) {
      case "output":
        answered(answer.block);
        break;
      case "exit":
        answered(answer.exit);
        break;
      case "stderr":
        call.stderr(answer.block);
        break;
      case "ask":
        // A stage that gives the input and is stopped ends this one, too.
        call.stdin().then(
          (block) => this.#send({ id, kind: "input", block }),
          () => undefined,
        );
        break;
      case "read": {
        const { file, path } = answer;
        void call.readFile(path).then(
          (content) => this.#send({ id, kind: "file", file, content }),
          (thrown: unknown) => this.#send({ id, kind: "file", file, content: faultOf(thrown, path) }),
        );
        break;
      }
    }
  }
}

function faultOf(thrown: unknown, path: string): FileFault {
  if (thrown instanceof FileError) return { code: thrown.code, path: thrown.path, message: thrown.message };
  return { code: "EIO", path, message: "Input/output error" };
}

/** The side of the program's process, for the calls of one line. */
export class CommandServer {
  readonly #host: CommandHost;
  readonly #send: (answer: CommandAnswer) => void;
  readonly #calls = new Map<number, ServedCall>();

  constructor(host: CommandHost, send: (answer: CommandAnswer) => void) {
    this.#host = host;
    this.#send = send;
  }

  take(request: CommandRequest): void {
    const { id } = request;
    if (request.kind === "start") {
      this.#calls.set(id, new ServedCall(this.#host, request.call, (answer) => this.#send({ id, ...answer })));
      return;
    }
    const call = this.#calls.get(id);
    switch (request.kind) {
      case "pull":
        void call?.pull();
        break;
      case "input":
        call?.giveInput(request.block);
        break;
      case "file":
        call?.giveFile(request.file, request.content);
        break;
      case "end":
        call?.end();
        this.#calls.delete(id);
        break;
    }
  }

  /** Ends all calls: the line has ended. */
  close(): void {
    for (const call of this.#calls.values()) call.end();
    this.#calls.clear();
  }
}

/** A CommandAnswer without its call. */
type Answer = CommandAnswer extends infer A ? (A extends CommandAnswer ? Omit<A, "id"> : never) : never;

class ServedCall {
  readonly #answer: (answer: Answer) => void;
  readonly #ended = new AbortController();
  readonly #output: AsyncGenerator<Uint8Array, ExitStatus>;
  readonly #inputs: ((block: Uint8Array | undefined) => void)[] = [];
  readonly #files = new Map<number, { give: (content: Uint8Array) => void; fail: (error: FileError) => void }>();
  #lastFile = 0;

  constructor(
    host: CommandHost,
    call: Pick<HostCall, "name" | "args" | "currentDirectory" | "heldBytes">,
    answer: (answer: Answer) => void,
  ) {
    this.#answer = answer;
    this.#output = host({
      ...call,
      stdin: () => this.#input(),
      readFile: (path) => this.#file(path),
      stderr: (block) => answer({ kind: "stderr", block }),
      signal: this.#ended.signal,
    });
  }

  async pull(): Promise<void> {
    const step = await this.#output.next();
    if (this.#ended.signal.aborted) return;
    this.#answer(step.done === true ? { kind: "exit", exit: step.value } : { kind: "output", block: step.value });
  }

  giveInput(block: Uint8Array | undefined): void {
    this.#inputs.shift()?.(block);
  }

  giveFile(file: number, content: Uint8Array | FileFault): void {
    const asked = this.#files.get(file);
    this.#files.delete(file);
    if (content instanceof Uint8Array) asked?.give(content);
    else asked?.fail(new FileError(content.code, content.path, content.message));
  }

  end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    // A command that waits for its input gets its end, so that it can finish.
    for (const give of this.#inputs.splice(0)) give(undefined);
    for (const { fail } of this.#files.values()) fail(new FileError("EIO", ""));
    this.#files.clear();
    this.#output.return(1).catch(() => undefined);
  }

  #input(): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      if (this.#ended.signal.aborted) return resolve(undefined);
      this.#inputs.push(resolve);
      this.#answer({ kind: "ask" });
    });
  }

  #file(path: string): Promise<Uint8Array> {
    const file = ++this.#lastFile;
    return new Promise((give, fail) => {
      if (this.#ended.signal.aborted) return fail(new FileError("EIO", path));
      this.#files.set(file, { give, fail });
      this.#answer({ kind: "read", file, path });
    });
  }
}
