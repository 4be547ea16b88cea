/**
 * The memory that a walk and its look-ahead thread share: a stack of tasks, and room for their results.
 *
 * The walk puts tasks on the stack, those it will need first on top. The thread takes the uppermost that waits; the
 * walk takes back what it needs before the thread has come to it. Each task is taken once, by one of the two.
 */

import { STAMP_PLAN_BYTES, StampPlan } from "./stamp-plan.ts";

/** States of a task. The walk alone makes one WAITING, the thread alone DONE or FAILED. */
export const FREE = 0;
export const WAITING = 1;
export const TAKEN = 2;
export const DONE = 3;
/** The task gave no result: the walk does the work itself, and meets the reason. */
export const FAILED = 4;

/** Kinds of task. */
export const READ_FILES = 1;
export const LIST_DIRECTORY = 2;
export const LIST_BY_NAME = 3;
/** READ_FILES, without checking that they are regular files (small-files.ts). */
export const READ_UNCHECKED = 4;
/** READ_FILES, with the stamps of the files (call-reads.ts). */
export const READ_STAMPED = 5;

/** Contents of a listing besides names and kinds: nothing, or the status of regular files. */
export const NO_STATUSES = 0;
export const STATUSES = 1;

export const MOST_TASKS = 512;
/** The names of a task, as UTF-8 with a 0 byte between two: one name always fits. */
export const REQUEST_BYTES = 512;
/** Results are put into one part of the memory after another; a part is used again when all of them were taken. */
export const PARTS = 12;
export const PART_BYTES = 1 << 18;
/** The most room a result may need: a part with less left is full. */
export const LEAST_ROOM = PART_BYTES >> 2;

const HEADER_WORDS = 32;
/** Words of the header: changes that the thread sleeps on, whether it sleeps, the stack's height, results per part. */
const BELL = 0;
const SLEEPS = 1;
const HEIGHT = 2;
const ENDED = 3;
/** The thread sleeps until there is room. */
const WANTS_ROOM = 4;
const HELD = 8;
const TASK_WORDS = 8;
/** Words of a task. */
const STATE = 0;
const KIND = 1;
const HANDLE = 2;
const STATUSES_WANTED = 3;
const ASKED = 4;
const RESULT_AT = 5;
const RESULT_BYTES = 6;

const REQUESTS_AT = (HEADER_WORDS + MOST_TASKS * TASK_WORDS) * 4;
const RESULTS_AT = REQUESTS_AT + MOST_TASKS * REQUEST_BYTES;
const PLAN_AT = RESULTS_AT + PARTS * PART_BYTES;

export class LookAheadMemory {
  readonly shared: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly requests: Buffer;
  /** All parts, one after another. */
  readonly results: Buffer;
  readonly plan: StampPlan;

  constructor(shared = new SharedArrayBuffer(PLAN_AT + STAMP_PLAN_BYTES)) {
    this.shared = shared;
    this.words = new Int32Array(shared, 0, HEADER_WORDS + MOST_TASKS * TASK_WORDS);
    this.requests = Buffer.from(shared, REQUESTS_AT, MOST_TASKS * REQUEST_BYTES) as Buffer;
    this.results = Buffer.from(shared, RESULTS_AT, PARTS * PART_BYTES) as Buffer;
    this.plan = new StampPlan(shared, PLAN_AT);
  }

  get height(): number {
    return Atomics.load(this.words, HEIGHT);
  }

  set height(height: number) {
    Atomics.store(this.words, HEIGHT, height);
  }

  get ended(): boolean {
    return Atomics.load(this.words, ENDED) === 1;
  }

  stateOf(task: number): number {
    return Atomics.load(this.words, wordOf(task, STATE));
  }

  /** Sets the state of a task; DONE and FAILED wake the side that waits for it. */
  setState(task: number, state: number): void {
    Atomics.store(this.words, wordOf(task, STATE), state);
    if (state === DONE || state === FAILED) Atomics.notify(this.words, wordOf(task, STATE));
  }

  /** Changes the state of a task that waits; false where the other thread was quicker. */
  take(task: number, state: number): boolean {
    return Atomics.compareExchange(this.words, wordOf(task, STATE), WAITING, state) === WAITING;
  }

  /** Waits for the thread to be done with a task it has taken; false after `mostMs`. */
  awaitTask(task: number, mostMs: number): boolean {
    const word = wordOf(task, STATE);
    for (let look = 0; look < LOOKS; look++) if (Atomics.load(this.words, word) !== TAKEN) return true;
    return Atomics.wait(this.words, word, TAKEN, mostMs) !== "timed-out";
  }

  describe(task: number, kind: number, handle: number, statuses: number, requestBytes: number): void {
    this.words[wordOf(task, KIND)] = kind;
    this.words[wordOf(task, HANDLE)] = handle;
    this.words[wordOf(task, STATUSES_WANTED)] = statuses;
    this.words[wordOf(task, ASKED)] = requestBytes;
    this.words[wordOf(task, RESULT_BYTES)] = 0;
  }

  kindOf = (task: number): number => this.words[wordOf(task, KIND)] as number;
  handleOf = (task: number): number => this.words[wordOf(task, HANDLE)] as number;
  statusesOf = (task: number): number => this.words[wordOf(task, STATUSES_WANTED)] as number;

  namesOf(task: number): string {
    const at = task * REQUEST_BYTES;
    return this.requests.toString("utf8", at, at + (this.words[wordOf(task, ASKED)] as number));
  }

  setResult(task: number, at: number, bytes: number): void {
    this.words[wordOf(task, RESULT_AT)] = at;
    this.words[wordOf(task, RESULT_BYTES)] = bytes;
    Atomics.add(this.words, HELD + Math.floor(at / PART_BYTES), 1);
  }

  resultAt = (task: number): number => this.words[wordOf(task, RESULT_AT)] as number;

  /** Gives back the room of a task's result, if it has one. */
  releaseResult(task: number): void {
    if (this.words[wordOf(task, RESULT_BYTES)] === 0) return;
    this.words[wordOf(task, RESULT_BYTES)] = 0;
    if (Atomics.sub(this.words, HELD + Math.floor(this.resultAt(task) / PART_BYTES), 1) !== 1) return;
    if (Atomics.load(this.words, WANTS_ROOM) === 1) this.ring();
  }

  heldIn(part: number): number {
    return Atomics.load(this.words, HELD + part);
  }

  /** Wakes the thread: there is something new for it. */
  ring(): void {
    Atomics.add(this.words, BELL, 1);
    if (Atomics.load(this.words, SLEEPS) === 1) Atomics.notify(this.words, BELL);
  }

  /** The thread sleeps until there is something new, or room, unless `hasWork` finds something first. */
  sleep(wantsRoom: boolean, hasWork: () => boolean): void {
    const bell = Atomics.load(this.words, BELL);
    for (let look = 0; look < LOOKS; look++) if (Atomics.load(this.words, BELL) !== bell) return;
    Atomics.store(this.words, SLEEPS, 1);
    if (wantsRoom) Atomics.store(this.words, WANTS_ROOM, 1);
    if (!this.ended && !hasWork()) Atomics.wait(this.words, BELL, bell);
    Atomics.store(this.words, SLEEPS, 0);
    Atomics.store(this.words, WANTS_ROOM, 0);
  }

  end(): void {
    Atomics.store(this.words, ENDED, 1);
    this.ring();
  }
}

/** Some ten microseconds: going to sleep and being woken takes longer than what is left of most tasks. */
const LOOKS = 4000;

const wordOf = (task: number, word: number): number => HEADER_WORDS + task * TASK_WORDS + word;
