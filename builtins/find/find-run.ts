/** One run of find: what its tests and actions share, and the loop over the files. */
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import type { EditTransaction } from "../../src/builtin/recorder.ts";
import { writeError, WriteRefused } from "../../src/builtin/write-refused.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { localTimes, type LocalTime } from "../../src/dates/date-format.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileTree, type TreeStep } from "../../src/walk/file-tree.ts";
import type { TreeFile } from "../../src/walk/tree-file.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FindRequest } from "./command-line.ts";
import { compile, FindFailure, QuitFind, type Compiled } from "./expression.ts";
import { implied } from "./print.ts";

/** Text gathered before it is made into a block, in UTF-16 units; and into the first, which is enough for most `| head`. */
const BLOCK_UNITS = 32 * 1024;
const FIRST_UNITS = 1024;
/** Steps without output after which the caller gets a turn. */
const STEPS_PER_TURN = 4096;
const NOTHING = new Uint8Array(0);

/** A link through what is no directory is complained of, and looked at as itself. */
const fileOf = (step: TreeStep): TreeFile | undefined =>
  step.what === "file" ? step.file : step.what === "error" && step.error.code === "ENOTDIR" ? step.link : undefined;

export class FindRun {
  readonly invocation: Invocation;
  readonly request: FindRequest;
  readonly localTime: (nanoseconds: bigint) => LocalTime;
  exit: ExitStatus = 0;
  /** Actions that still have something to do at the end (`-exec … {} +`). */
  readonly atEnd: (() => AsyncGenerator<Uint8Array, void>)[] = [];
  /** Actions that wait for the walk to leave a directory (`-execdir … {} +`). */
  readonly atLeaving: (() => AsyncGenerator<Uint8Array, void>)[] = [];
  /** A starting point without a name: GNU find then leaves out what it would do at the end. */
  hasEmptyStart = false;
  #pruned = false;
  #edits: EditTransaction | undefined;
  #text = "";
  #blockUnits = FIRST_UNITS;
  /** Blocks and messages in the order they came. */
  #queue: (Uint8Array | string)[] = [];

  constructor(invocation: Invocation, request: FindRequest) {
    this.invocation = invocation;
    this.request = request;
    this.localTime = localTimes(invocation.timeZone);
  }

  /** The removals of -delete. Throws WriteRefused where nothing may be written. */
  edits(): EditTransaction {
    const { recorder, files } = this.invocation;
    if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", "."));
    this.#edits ??= recorder.edit(files.currentDirectory);
    return this.#edits;
  }

  /** True if -delete has taken `path` already. */
  isGone(path: string): boolean {
    return this.#edits?.pending(path) === "nothing";
  }

  /** Prints text, in the encoding of src/io/text.ts. */
  print(text: string): void {
    this.#text += text;
  }

  /** Queues a message, behind the text printed before it, as with error(3). */
  complain(message: string): void {
    this.#gather();
    this.#queue.push(`find: ${message}\n`);
    this.exit = 1;
  }

  fileFailed(path: string, thrown: unknown): void {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code === "ENOENT" && this.request.ignoresRaces) return;
    this.complain(`${quoteCurly(path)}: ${thrown.message}`);
  }

  prune(): void {
    this.#pruned = true;
  }

  /** Sends the output gathered so far, in front of a stage's own output. */
  *flush(): Generator<Uint8Array, void> {
    this.#gather();
    const queue = this.#queue;
    this.#queue = [];
    for (const item of queue) {
      if (typeof item === "string") this.invocation.stderr(item);
      else yield item;
    }
  }

  async *run(starts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array, ExitStatus> {
    let failed = false;
    try {
      yield* this.#search(starts);
    } catch (thrown) {
      failed = true;
      throw thrown;
    } finally {
      // A reader that has left does not keep what was found from being removed.
      if (!failed) this.#remove();
      this.#edits?.abort();
    }
    yield* this.flush();
    return this.exit;
  }

  #remove(): void {
    const edits = this.#edits;
    this.#edits = undefined;
    try {
      edits?.commit();
    } catch (thrown) {
      const { path, message } = writeError(thrown);
      this.complain(`cannot delete ${quoteCurly(path)}: ${message}`);
    }
  }

  async *#search(starts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array, void> {
    const { request } = this;
    try {
      const expression = compile(request.expression, this);
      const whole = request.printsUnasked ? implied(expression, this) : expression;
      try {
        for await (const start of starts) yield* this.#tree(start, whole);
      } catch (thrown) {
        if (!(thrown instanceof QuitFind)) throw thrown;
      }
      yield* this.flush();
      this.#remove();
      if (!this.hasEmptyStart) for (const finish of this.atEnd) yield* finish();
    } catch (thrown) {
      if (!(thrown instanceof FindFailure)) throw thrown;
      this.complain(thrown.message);
    }
    yield* this.flush();
  }

  async *#tree(start: string, expression: Compiled): AsyncGenerator<Uint8Array, void> {
    const { request } = this;
    if (start === "") this.hasEmptyStart = true;
    const tree = new FileTree(this.invocation.files, start, expression.kind === "test" ? { ...request, ahead: {} } : request);
    let quiet = 0;
    let before = "";
    try {
      for (let step = tree.next(); step !== undefined; step = tree.next()) {
        if (step.what !== "file") this.#report(step, start);
        const file = fileOf(step);
        if (this.atLeaving.length > 0) {
          const level = file === undefined ? "" : `${file.depth} ${file.path.slice(0, file.path.lastIndexOf("/") + 1)}`;
          if (file !== undefined && level !== before) for (const leave of this.atLeaving) yield* leave();
          before = level;
        }
        if (file !== undefined && file.depth >= request.minDepth) {
          this.#pruned = false;
          if (expression.kind === "test") this.#evaluate(expression.test, file);
          else yield* expression.run(file);
          if (this.#pruned) tree.skip();
        }
        if (this.#text.length >= this.#blockUnits || this.#queue.length > 0) {
          quiet = 0;
          yield* this.flush();
        } else if (++quiet === STEPS_PER_TURN) {
          quiet = 0;
          yield NOTHING;
        }
      }
      for (const leave of this.atLeaving) yield* leave();
    } finally {
      tree.close();
    }
  }

  /** A test that cannot be made of this file says so and is not met. */
  #evaluate(expression: (file: TreeFile) => boolean, file: TreeFile): void {
    try {
      expression(file);
    } catch (thrown) {
      if (thrown instanceof QuitFind) throw thrown;
      this.fileFailed(file.path, thrown);
    }
  }

  #report(step: Exclude<TreeStep, { what: "file" }>, start: string): void {
    if (step.what === "error" && step.path === start) return this.complain(`${quoteCurly(start)}: ${step.error.message}`);
    if (step.what === "error") return this.fileFailed(step.path, step.error);
    const [path, ancestor] = [quoteCurly(step.path), quoteCurly(step.ancestor)];
    this.complain(`File system loop detected; ${path} is part of the same file system loop as ${ancestor}.`);
  }

  #gather(): void {
    if (this.#text === "") return;
    this.#queue.push(toBytes(this.#text));
    this.#text = "";
    this.#blockUnits = BLOCK_UNITS;
  }
}
