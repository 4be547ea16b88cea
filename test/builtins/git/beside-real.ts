/** Tests of lines through our git and the real one, each set of lines in a repository of its own: bytes and exit status must be the same. */
import { afterAll, expect, test } from "vitest";
import { besideReal, hasGit, needsGit, type Made } from "./git-repositories.ts";

export type LineSet = readonly [name: string, make: () => Made, lines: readonly string[]];

/** `fillIn`: a line with what it names of the repository at `path`. */
export function testBesideReal(
  title: string,
  sets: readonly LineSet[],
  fillIn: (path: string, line: string) => string = (_, line) => line,
): void {
  needsGit.describe(title, () => {
    for (const [name, make, lines] of sets) {
      const made = hasGit ? make() : undefined;
      afterAll(() => made?.remove());
      for (const line of lines) {
        test(`${name}: ${line}`, async () => {
          const path = made?.path ?? "";
          const { ours, real } = await besideReal(fillIn(path, line), path);
          expect(ours).toEqual(real);
        });
      }
    }
  });
}
