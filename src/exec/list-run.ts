/**
 * Lists, pipelines and groups: which stage runs when, whose output is whose input, and what an exit status decides.
 */
import type { Catalogue, ExitStatus } from "../builtin/definition.ts";
import type { Recorder } from "../builtin/recorder.ts";
import type { PlannedItem, PlannedList, PlannedStage } from "../guard/plan.ts";
import { inputFrom, inputOf, type ByteInput } from "../io/input.ts";
import { keptOpen } from "../io/kept-open.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CallControl } from "./call-control.ts";
import type { RunLimits, StageReport } from "./result.ts";
import { Routes } from "./routes.ts";
import { runBuiltin } from "./stage-run.ts";

/** What every stage of a call shares. */
export interface ListContext {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly recorder: Recorder | undefined;
  readonly limits: RunLimits;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly line: string;
  readonly control: CallControl;
  readonly stages: StageReport[];
}

/** The current directory of a shell or subshell; `cd` assigns to it. */
export interface DirectoryState {
  current: string;
  previous: string | undefined;
}

/** Where a command's standard error goes when it is not redirected. */
export interface ErrorSink {
  readonly stderr: (bytes: Uint8Array) => void | Promise<void>;
}

/** A stage's output: blocks, then its exit status. */
export type StageOutput = AsyncGenerator<Uint8Array, ExitStatus>;

export class ListRun {
  readonly #context: ListContext;

  constructor(context: ListContext) {
    this.#context = context;
  }

  /** Runs the items in turn. They share `stdin`: what one leaves unread is there for the next. */
  async *list(items: PlannedList, directory: DirectoryState, stdin: ByteInput, errors: ErrorSink): StageOutput {
    let status: ExitStatus = 0;
    for (const item of items) {
      if (item.when === "success" && status !== 0) continue;
      if (item.when === "failure" && status === 0) continue;
      const exit = yield* this.#pipeline(item, directory, keptOpen(stdin), errors);
      status = item.negated ? Number(exit === 0) : exit;
    }
    return status;
  }

  async *#pipeline(item: PlannedItem, directory: DirectoryState, stdin: ByteInput, errors: ErrorSink): StageOutput {
    const piped = item.stages.length > 1;
    let input = stdin;
    let output: Started | undefined;
    const upstream: Started[] = [];
    for (const stage of item.stages) {
      const own = piped ? { ...directory } : directory;
      // The place is taken now: stages start in the order they are pulled, last first.
      const place = this.#context.stages.push(this.#notStarted(stage)) - 1;
      output = new Started(this.#stage(stage, place, own, input, errors));
      upstream.push(output);
      input = inputFrom(output);
    }
    upstream.pop();
    try {
      return yield* (output as Started).all();
    } finally {
      // Innermost first: closing the stage nearest the end lets those before it see a closed pipe in turn.
      for (const started of upstream.reverse()) await started.return();
    }
  }

  #notStarted({ span }: PlannedStage): StageReport {
    return { command: this.#context.line.slice(span.start, span.end), outputBytes: 0, elapsedMs: 0, exit: null };
  }

  async *#stage(stage: PlannedStage, place: number, directory: DirectoryState, stdin: ByteInput, errors: ErrorSink): StageOutput {
    const { control, stages } = this.#context;
    const startedMs = performance.now();
    const routes = new Routes(stage.redirects, errors);
    const here = routes.input === undefined ? stdin : inputOf(...routes.input);
    let exit: ExitStatus | null = null;
    let outputBytes = 0;
    const body = this.#body(stage, directory, here, routes);
    try {
      for (;;) {
        const check = control.check();
        if (check !== undefined) await check;
        const next = await body.next();
        for (const block of routes.takeMerged()) {
          outputBytes += block.length;
          yield block;
        }
        if (next.done === true) {
          exit = next.value;
          return exit;
        }
        if (next.value.length === 0) continue;
        if (routes.stdout === "output") {
          outputBytes += next.value.length;
          yield next.value;
        } else if (routes.stdout === "errors") {
          await errors.stderr(next.value);
        }
      }
    } finally {
      if (exit === null) await body.return(0);
      await here.close();
      stages[place] = { ...this.#notStarted(stage), outputBytes, elapsedMs: performance.now() - startedMs, exit };
    }
  }

  #body(stage: PlannedStage, directory: DirectoryState, stdin: ByteInput, routes: Routes): StageOutput {
    if (stage.kind === "builtin") return runBuiltin(stage, this.#context, directory, stdin, routes.stderr);
    const own = stage.subshell ? { ...directory } : directory;
    return this.list(stage.body, own, stdin, { stderr: routes.stderr });
  }
}

/**
 * A stage as its reader sees it. A reader that closes before reading has not kept the stage from running: in a real
 * pipeline it runs until it writes into the closed pipe, so it is pulled once (`tee f | true` writes f).
 */
class Started implements AsyncIterable<Uint8Array> {
  readonly #output: StageOutput;
  #pulled = false;
  #ended = false;

  constructor(output: StageOutput) {
    this.#output = output;
  }

  async next(): Promise<IteratorResult<Uint8Array, ExitStatus>> {
    this.#pulled = true;
    const next = await this.#output.next();
    if (next.done === true) this.#ended = true;
    return next;
  }

  async return(): Promise<IteratorResult<Uint8Array, ExitStatus>> {
    if (!this.#pulled) await this.next();
    if (!this.#ended) {
      this.#ended = true;
      await this.#output.return(0);
    }
    return { done: true, value: 0 };
  }

  async *all(): StageOutput {
    try {
      for (;;) {
        const next = await this.next();
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      if (!this.#ended) await this.#output.return(0);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }
}
