/** Every line of git-feature-lines.ts and the like through our git and the real one: bytes and exit status must be the same. */
import { afterAll, expect, test } from "vitest";
import { CONFLICT_FLAG_LINES, FLAG_LINES, makeFlagRepository } from "./git-flag-lines.ts";
import { CONFLICT_LINES, FEATURE_LINES } from "./git-feature-lines.ts";
import { INTERRUPTED, makeConflictRepository, makeFeatureRepository, makeInterruptedRepository } from "./git-feature-repositories.ts";
import { MESSAGE_LINES } from "./git-message-lines.ts";
import { makeMessageRepository } from "./git-message-repository.ts";
import { BLAME_COPIES_LINES } from "./blame-copies-lines.ts";
import { makeCopiesRepository } from "./blame-copies-repository.ts";
import { MOVED_COLOR_LINES } from "./moved-color-lines.ts";
import { MAIL_LINES } from "./git-mail-lines.ts";
import { makeMailRepository } from "./git-mail-repository.ts";
import { PACK_LINES, PLUMBING_LINES } from "./git-plumbing-lines.ts";
import { RANGE_DIFF_LINES, RANGE_LINES } from "./git-range-diff-lines.ts";
import { makeSeriesRepository } from "./git-range-diff-repository.ts";
import { NO_INDEX_LINES } from "./no-index-lines.ts";
import { makeNoIndexRepository } from "./no-index-repository.ts";
import { READING_LINES } from "./git-reading-lines.ts";
import { makeReadingRepository } from "./git-reading-repository.ts";
import { REWRITE_LINES } from "./rewrite-lines.ts";
import { makeRewriteRepository } from "./rewrite-repository.ts";
import { WHITE_SPACE_LINES } from "./white-space-lines.ts";
import { makeWhiteSpaceRepository } from "./white-space-repository.ts";
import { SHOW_BRANCH_LINES } from "./git-show-branch-lines.ts";
import { besideReal, hasGit, needsGit, type Made } from "./git-repositories.ts";

const SETS: readonly (readonly [name: string, make: () => Made, lines: readonly string[]])[] = [
  ["features", makeFeatureRepository, FEATURE_LINES],
  ["conflicts", makeConflictRepository, [...CONFLICT_LINES, ...CONFLICT_FLAG_LINES]],
  ["flags", makeFlagRepository, FLAG_LINES],
  ["copies", makeCopiesRepository, BLAME_COPIES_LINES],
  ["no index", makeNoIndexRepository, NO_INDEX_LINES],
  ["rewrites", makeRewriteRepository, REWRITE_LINES],
  ["white space", makeWhiteSpaceRepository, WHITE_SPACE_LINES],
  ["moved colours", makeFlagRepository, MOVED_COLOR_LINES],
  ["reading", makeReadingRepository, READING_LINES],
  ["messages", makeMessageRepository, MESSAGE_LINES],
  ["mail", makeMailRepository, MAIL_LINES],
  ["branches", makeFeatureRepository, SHOW_BRANCH_LINES],
  ["series", makeSeriesRepository, RANGE_DIFF_LINES],
  ["ranges", makeFeatureRepository, RANGE_LINES],
  ["packs", makeFeatureRepository, PACK_LINES],
  ["plumbing", makeMailRepository, PLUMBING_LINES],
  ...Object.entries(INTERRUPTED).map(
    ([name, interrupt]) => [name, () => makeInterruptedRepository(interrupt), ["status", "status -sb"]] as const,
  ),
];

needsGit.describe("copies of files that did not change are not passed over where they are not looked for", () => {
  const made = hasGit ? makeMessageRepository() : undefined;
  afterAll(() => made?.remove());
  test.each(["diff -C -C --stat light", "diff --cached --find-copies-harder light", "diff-index -C -C light"])("git %s", async (line) => {
    const { ours } = await besideReal(`git ${line}`, made?.path ?? "");
    expect(ours).toMatchObject({ stdout: "", stderr: expect.stringMatching(/^fatal: -C -C: /), exit: 128 });
  });
});

needsGit.describe("git's features, against the real one", () => {
  for (const [name, make, lines] of SETS) {
    const made = hasGit ? make() : undefined;
    afterAll(() => made?.remove());
    for (const line of lines) {
      test(`${name}: git ${line}`, async () => {
        const { ours, real } = await besideReal(`git ${line}`, made?.path ?? "");
        expect(ours).toEqual(real);
      });
    }
  }
});
