/**
 * Report of a long run: a line of progress now and then, the failures at the end, and how many tests were skipped for
 * want of which program (test/needs.ts).
 */
import { MinimalReporter, type SerializedError, type TestModule, type TestRunEndReason, type TestSpecification } from "vitest/node";

const FILES_A_LINE = 25;

export default class QuietReporter extends MinimalReporter {
  #files = 0;
  #ended = 0;
  #tests = 0;
  #failed = 0;
  #startedMs = 0;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    this.#startedMs = performance.now();
  }

  /** Nothing but progress, and the names of files that failed: what failed in them is said at the end. */
  override onTestModuleEnd(module: TestModule): void {
    this.#ended++;
    for (const test of module.children.allTests()) {
      this.#tests++;
      if (test.result().state === "failed") this.#failed++;
    }
    if (module.state() === "failed") this.log(` failed: ${module.relativeModuleId}`);
    if (this.#ended % FILES_A_LINE !== 0 && this.#ended !== this.#files) return;
    const seconds = Math.round((performance.now() - this.#startedMs) / 1000);
    const failures = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    this.log(` ${this.#ended} of ${this.#files} files, ${this.#tests} tests${failures}, ${seconds} s`);
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    super.onTestRunEnd(modules, errors, reason);
    const skipped = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const [, missing] = /\[needs ([^\]]+)\]/.exec(test.fullName) ?? [];
        if (missing !== undefined) skipped.set(missing, (skipped.get(missing) ?? 0) + 1);
      }
    for (const [missing, tests] of skipped) this.log(` ${tests} tests skipped: ${missing} is not here`);
  }
}
