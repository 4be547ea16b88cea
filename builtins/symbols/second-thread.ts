/** Decides when a walk shares its files with the second thread, and how much of it goes there. */
import { giveBackCodeThread, hasSpareThread, takeCodeThread, type CodeThread } from "../../src/wasm/code-thread.ts";
import type { GrammarName } from "../../src/wasm/grammars.ts";
import type { Batch, Report } from "./batch.ts";
import type { CodeFile } from "./file-lines.ts";
import type { Language } from "./language.ts";

/** In bytes of code, of which one core parses some 3 MB in a second. */
export interface Worth {
  /** A walk that has parsed so much uses a thread that waits. */
  readonly spare: number;
  /**
   * It takes some 200 ms to start a thread and to have a language ready in it. A walk that has parsed so much of one goes
   * on for longer, more often than not.
   */
  readonly start: number;
}
const WORTH: Worth = { spare: 1 << 16, start: 1 << 19 };

/** A batch, in bytes: some 10 ms; where the thread has nothing to do it need not be as much. */
const BATCH_BYTES = 1 << 15;
const FIRST_BATCH_BYTES = 1 << 13;
/** Batches that the thread has: one that it works on and one for when it is done. */
const MOST_BATCHES = 2;

export class SecondThread {
  readonly #worth: Worth;
  readonly #take: () => CodeThread | undefined;
  readonly #alone = new Map<GrammarName, number>();
  #aloneBytes = 0;
  #thread: CodeThread | undefined;
  #isRefused = false;
  #failure: unknown;
  #failed = false;
  #wake: () => void = () => undefined;

  constructor(worth = WORTH, take = takeCodeThread) {
    this.#worth = worth;
    this.#take = take;
  }

  /** Whether files of this language may go there. Throws where the thread has broken down. */
  canTake({ grammar }: Language): boolean {
    if (this.#failed) throw this.#failure;
    return this.#thread?.knows(grammar) === true;
  }

  /** How much makes a batch now. */
  get batchBytes(): number {
    return this.#thread?.pending === 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
  }

  get hasRoom(): boolean {
    return this.#thread !== undefined && this.#thread.pending < MOST_BATCHES;
  }

  send(batch: Batch, done: (reports: readonly Report[]) => void): void {
    this.#follow(this.#thread?.do(batch, [batch.bytes.buffer]), (reports) => done(reports as readonly Report[]));
  }

  /** The next answer has come. Throws as `canTake`. */
  async news(): Promise<void> {
    if (!this.#failed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failed) throw this.#failure;
  }

  /** A file was parsed here. */
  didAlone({ language: { grammar, definitions }, bytes }: CodeFile): void {
    this.#aloneBytes += bytes.length;
    const ofLanguage = (this.#alone.get(grammar) ?? 0) + bytes.length;
    this.#alone.set(grammar, ofLanguage);
    if (this.#isRefused) return;
    const isWorth = ofLanguage >= this.#worth.start;
    if (this.#thread === undefined) {
      if (!isWorth && !(this.#aloneBytes >= this.#worth.spare && hasSpareThread())) return;
      this.#thread = this.#take();
      this.#isRefused = this.#thread === undefined;
    }
    if (isWorth) this.#follow(this.#thread?.prepare(grammar, definitions), () => undefined);
  }

  close(): void {
    if (this.#thread !== undefined) giveBackCodeThread(this.#thread);
    this.#thread = undefined;
    this.#isRefused = true;
  }

  #follow(answer: Promise<unknown> | undefined, done: (answer: unknown) => void): void {
    answer
      ?.then(done)
      .catch((thrown: unknown) => {
        this.#failed = true;
        this.#failure = thrown;
      })
      .finally(() => this.#wake());
  }
}
