/** Every line of git-late-flag-lines.ts through ours and the real git: bytes and exit status must be the same. */
import { makeCopiesRepository } from "./blame-copies-repository.ts";
import { testBesideReal, type LineSet } from "./beside-real.ts";
import { makeMovedSubmodulesRepository, makeOutside, makeReplacedRepository, makeUnmergedRepository } from "./git-clone-repositories.ts";
import { makeFeatureRepository } from "./git-feature-repositories.ts";
import { LATE_FLAG_LINES } from "./git-late-flag-lines.ts";
import { makeMessageRepository } from "./git-message-repository.ts";
import { makeOddRepository } from "./git-odd-repository.ts";
import { makeReadingRepository } from "./git-reading-repository.ts";
import { makeRepository } from "./git-repositories.ts";
import { makeSubmoduleHistoryRepository } from "./submodule-history-repository.ts";
import { makeSha256Repository } from "./git-sha256-repository.ts";

const SETS: readonly LineSet[] = [
  ["made", () => makeRepository(1), LATE_FLAG_LINES.made],
  ["odd", () => makeOddRepository(1), LATE_FLAG_LINES.odd],
  ["features", makeFeatureRepository, LATE_FLAG_LINES.features],
  ["messages", makeMessageRepository, LATE_FLAG_LINES.messages],
  ["reading", makeReadingRepository, LATE_FLAG_LINES.reading],
  ["replaced", makeReplacedRepository, LATE_FLAG_LINES.replaced],
  ["outside", makeOutside, LATE_FLAG_LINES.outside],
  ["sha256", () => makeSha256Repository("file"), LATE_FLAG_LINES.sha256],
  ["copies", makeCopiesRepository, LATE_FLAG_LINES.copies],
  ["submodules", makeSubmoduleHistoryRepository, LATE_FLAG_LINES.submodules],
  ["moved submodules", makeMovedSubmodulesRepository, LATE_FLAG_LINES["moved submodules"]],
  ["unmerged", makeUnmergedRepository, LATE_FLAG_LINES.unmerged],
];

testBesideReal("git, with flags that were refused at first", SETS);
