/**
 * A second thread, which parses: it takes batches of bytes and answers each, in order. It has no workspace, no
 * environment and no network, and is given its grammars as modules. There is one for the process, since a third core is
 * rare; a caller that finds it taken works alone.
 */
import { availableParallelism } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { forgetNetwork } from "../host/no-network.ts";
import { ownPath } from "../host/own-code.ts";
import { codeParser, modulesToShare, useModules, type GrammarModules, type GrammarName } from "./grammars.ts";

type ToThread =
  | { readonly type: "prepare"; readonly grammar: GrammarName; readonly modules: GrammarModules; readonly query: string }
  | { readonly type: "batch"; readonly batch: unknown };

/** The one answer to each message: the result, or the reason why the work itself failed. */
type Answer = { readonly result: unknown } | { readonly fault: string };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

let spare: CodeThread | undefined;
let isTaken = false;

/** The thread, until it is given back; undefined where it is taken, or would only take the first one's time. */
export function takeCodeThread(): CodeThread | undefined {
  if (isTaken || availableParallelism() < 2) return undefined;
  isTaken = true;
  const thread = spare ?? new CodeThread();
  spare = undefined;
  return thread;
}

/** Gives the thread back. One that has not answered everything is ended wherever it is. */
export function giveBackCodeThread(thread: CodeThread): void {
  isTaken = false;
  if (thread.isIdle) spare = thread;
  else thread.end();
}

/** Tells whether an idle thread is there, which is ready at no cost. */
export const hasSpareThread = (): boolean => spare !== undefined;

export class CodeThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #prepared = new Set<GrammarName>();
  readonly #asked = new Set<GrammarName>();
  #failure: Error | undefined;

  constructor(file = "code-worker.js") {
    this.#worker = new Worker(ownPath(file), { env: {}, execArgv: [] });
    this.#worker.on("message", (answer: Answer) => {
      const waiting = this.#waiting.shift();
      // An idle thread does not keep the process.
      if (this.#waiting.length === 0) this.#worker.unref();
      if ("fault" in answer) waiting?.reject(new Error(answer.fault));
      else waiting?.resolve(answer.result);
    });
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on("exit", () => this.#fail(new Error("the second thread ended")));
    this.#worker.unref();
  }

  /** True if it has answered everything and can be given more. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#failure === undefined;
  }

  /** Batches and preparations that are not answered. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** Tells whether it has been prepared for a grammar. */
  knows(grammar: GrammarName): boolean {
    return this.#prepared.has(grammar);
  }

  /** Has a grammar and its query ready, in a while: see `knows`. Asked again it does nothing. Rejects as `do`. */
  async prepare(grammar: GrammarName, query: string): Promise<void> {
    if (this.#asked.has(grammar)) return;
    this.#asked.add(grammar);
    const modules = await modulesToShare(grammar);
    if (modules === undefined) return;
    await this.#post({ type: "prepare", grammar, modules, query }, []);
    this.#prepared.add(grammar);
  }

  /** Rejects where the work throws and where the thread ends. `moved` is the thread's from now on. */
  async do(batch: unknown, moved: readonly ArrayBuffer[]): Promise<unknown> {
    return await this.#post({ type: "batch", batch }, moved);
  }

  end(): void {
    void this.#worker.terminate();
    this.#fail(new Error("the second thread was ended"));
  }

  #post(message: ToThread, moved: readonly ArrayBuffer[]): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#worker.ref();
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#worker.postMessage(message, moved);
    return answer;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

/** In the thread: answers each batch with what `work` makes of it, one after another. */
export function serveCodeThread(work: (batch: unknown) => Promise<unknown>): void {
  forgetNetwork();
  const done = async (message: ToThread): Promise<unknown> => {
    if (message.type === "batch") return await work(message.batch);
    useModules(message.grammar, message.modules);
    (await codeParser(message.grammar)).query(message.query);
    return undefined;
  };
  let last = Promise.resolve();
  parentPort?.on("message", (message: ToThread) => {
    last = last.then(async () => parentPort?.postMessage(await answerOf(done(message))));
  });
}

async function answerOf(result: Promise<unknown>): Promise<Answer> {
  try {
    return { result: await result };
  } catch (thrown) {
    return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
