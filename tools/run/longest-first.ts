/** Order of test files: those that need a process of their own, then the others, each the longest first by test-seconds.json. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const SECONDS = JSON.parse(readFileSync(new URL("test-seconds.json", import.meta.url), "utf8")) as Readonly<Record<string, number>>;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number => SECONDS[relative(this.ctx.config.root, moduleId)] ?? 0;
    const shares = ({ project }: TestSpecification): number => Number(!project.config.isolate);
    return [...files].sort((a, b) => shares(a) - shares(b) || secondsOf(b) - secondsOf(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
