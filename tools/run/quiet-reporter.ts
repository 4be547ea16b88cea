/**
 * Report of a long run: a line of progress now and then, the failures at the end, and how many tests were skipped for
 * want of which program (test/needs.ts).
 */
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import {
  MinimalReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from "vitest/node";

const FILES_A_LINE = 25;
const LINE_INTERVAL_MS = 20_000;
/** Of what processes wrote to standard error, the last so many characters are shown where a test failed. */
const MOST_SAID = 20_000;
/** Of the failures that are named once more as the last lines, and of the characters of one. */
const MOST_NAMED = 12;
const MOST_NAMED_CHARACTERS = 300;

export default class QuietReporter extends MinimalReporter {
  #files = 0;
  #ended = 0;
  #tests = 0;
  #failed = 0;
  #startedMs = 0;
  #lastLineMs = 0;
  #said = "";

  /** Tests end processes on purpose, by their memory too, of which V8 tells at length: that is kept until something failed. */
  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    vitest.logger.errorStream = new Writable({
      write: (bytes: Buffer, _encoding, done) => {
        this.#said = `${this.#said}${bytes}`.slice(-MOST_SAID);
        done();
      },
    });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    this.#startedMs = this.#lastLineMs = performance.now();
  }

  /** Nothing but progress, and the names of files that failed: what failed in them is said at the end. */
  override onTestModuleEnd(module: TestModule): void {
    this.#ended++;
    for (const test of module.children.allTests()) {
      this.#tests++;
      if (test.result().state === "failed") this.#failed++;
    }
    if (module.state() === "failed") this.log(` failed: ${module.relativeModuleId}`);
    const nowMs = performance.now();
    const isDue = this.#ended % FILES_A_LINE === 0 || this.#ended === this.#files || nowMs - this.#lastLineMs > LINE_INTERVAL_MS;
    if (!isDue) return;
    this.#lastLineMs = nowMs;
    const failures = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    this.log(` ${this.#ended} of ${this.#files} files, ${this.#tests} tests${failures}, ${Math.round((nowMs - this.#startedMs) / 1000)} s`);
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    if (reason === "failed" && this.#said !== "") this.log(`\n What processes wrote to standard error:\n${this.#said.trimEnd()}\n`);
    super.onTestRunEnd(modules, errors, reason);
    const skipped = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const note = result.state === "skipped" ? (result.note ?? "") : "";
        const [, missing] = /\[needs ([^\]]+)\]/.exec(`${test.fullName} ${note}`) ?? [];
        if (missing !== undefined) skipped.set(missing, (skipped.get(missing) ?? 0) + 1);
      }
    for (const [missing, tests] of skipped) this.log(` ${tests} ${tests === 1 ? "test" : "tests"} skipped: ${missing} is not here`);
    const failures = modules.flatMap((module) => [...module.children.allTests("failed")]);
    for (const test of failures.slice(0, MOST_NAMED)) this.log(failureOf(test));
  }
}

/** Where it is, its name and the beginning of what went wrong, on one line: the end of a log may be all that is kept of it. */
function failureOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const message = stripVTControlCharacters(error?.message ?? "").replace(/\s+/g, " ");
  return ` failed: ${test.module.relativeModuleId} > ${test.fullName}: ${message}`.slice(0, MOST_NAMED_CHARACTERS);
}
