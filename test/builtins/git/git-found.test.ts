/** Every line of git-found-lines.ts, git-answered-lines.ts and git-setting-lines.ts through ours and the real git: bytes and exit status must be the same. */
import { ALIKE_LINES, COMPARED_LINES } from "./git-compared-lines.ts";
import { makeAlikeRepository, makeComparedRepository } from "./git-compared-repository.ts";
import { testBesideReal, type LineSet } from "./beside-real.ts";
import {
  makeAmbiguousRepository,
  makeGoneRepository,
  makeIndentedRepository,
  makeMisspeltRepository,
  makePartialRepository,
  makeShallowRepository,
  makeStashRepository,
  makeStoppedRepositories,
  STOPPED,
  makeTouchedRepository,
  makeTurnedRepository,
  makeMovedSubmodulesRepository,
  makeReplacedRepository,
  makeUnmergedRepository,
} from "./git-clone-repositories.ts";
import { makeFeatureRepository } from "./git-feature-repositories.ts";
import { ANSWERED_LINES } from "./git-answered-lines.ts";
import { FOUND_LINES } from "./git-found-lines.ts";
import { makeMessageRepository } from "./git-message-repository.ts";
import { makeOddRepository } from "./git-odd-repository.ts";
import { makeSeriesRepository } from "./git-range-diff-repository.ts";
import { makeReadingRepository } from "./git-reading-repository.ts";
import { makeRepository } from "./git-repositories.ts";
import { makeSha256Repository } from "./git-sha256-repository.ts";
import { SETTING_LINES } from "./git-setting-lines.ts";

const SETS: readonly LineSet[] = [
  ["compared", makeComparedRepository, COMPARED_LINES],
  ["alike", makeAlikeRepository, ALIKE_LINES],
  ["made", () => makeRepository(1), [...ANSWERED_LINES.every, ...ANSWERED_LINES.made]],
  ["odd", () => makeOddRepository(1), [...ANSWERED_LINES.every, ...ANSWERED_LINES.odd]],
  ["features", makeFeatureRepository, [...ANSWERED_LINES.every, ...ANSWERED_LINES.features]],
  ["reading", makeReadingRepository, [...ANSWERED_LINES.every, ...ANSWERED_LINES.reading]],
  ["series", makeSeriesRepository, [...ANSWERED_LINES.every, ...ANSWERED_LINES.series]],
  ["partial", makePartialRepository, ANSWERED_LINES.partial],
  ["sha256", () => makeSha256Repository("file"), [...ANSWERED_LINES.every, ...ANSWERED_LINES.sha256]],
  ["made", () => makeRepository(1), FOUND_LINES.made],
  ["odd", () => makeOddRepository(1), FOUND_LINES.odd],
  ["features", makeFeatureRepository, FOUND_LINES.features],
  ["messages", makeMessageRepository, FOUND_LINES.messages],
  ["reading", makeReadingRepository, FOUND_LINES.reading],
  ["series", makeSeriesRepository, FOUND_LINES.series],
  ["shallow", () => makeShallowRepository(1), FOUND_LINES.shallow],
  ["ambiguous", makeAmbiguousRepository, FOUND_LINES.ambiguous],
  ["turned", makeTurnedRepository, FOUND_LINES.turned],
  ["misspelt", makeMisspeltRepository, FOUND_LINES.misspelt],
  ["touched", makeTouchedRepository, FOUND_LINES.touched],
  ["unmerged", makeUnmergedRepository, FOUND_LINES.unmerged],
  ["replaced", makeReplacedRepository, FOUND_LINES.replaced],
  ["submodules", makeMovedSubmodulesRepository, FOUND_LINES.submodules],
  [
    "stopped",
    makeStoppedRepositories,
    [...FOUND_LINES.stopped, ...STOPPED.flatMap((name) => [`git -C ${name} status`, `git -C ${name} branch -vv`])],
  ],
  ["sha256", () => makeSha256Repository("file"), FOUND_LINES.sha256],
  ["indented", makeIndentedRepository, FOUND_LINES.indented],
  ["gone", makeGoneRepository, FOUND_LINES.gone],
  ["stash", makeStashRepository, FOUND_LINES.stash],
  ["settings", makeFeatureRepository, SETTING_LINES],
];

testBesideReal("git, where a difference was found", SETS);
