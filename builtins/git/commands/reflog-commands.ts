/** git reflog and git stash: where references were. */
import { fromWord } from "../objects/byte-text.ts";
import type { Command } from "./command.ts";
import { CommitPrinter, mergeDiffOf } from "../log/commit-printer.ts";
import { DIFF_FLAGS, DIFF_REFUSED, DIFF_REFUSED_VALUES, diffSettings } from "../diff/diff-options.ts";
import { printPairs, shownPairs } from "../diff/diff-print.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { PRETTY_FLAGS, WALK_FLAGS } from "../log/history-request.ts";
import { log } from "./log-command.ts";
import { Options, type Option } from "./options.ts";
import { reflogEntries } from "../refs/reflog-entries.ts";
import { refNamed, resolveRevision } from "../refs/revision.ts";

const WRITES = "the repository is only read here";

const SHOWS = {
  flags: `${DIFF_FLAGS} ${WALK_FLAGS} ${PRETTY_FLAGS}`,
  refused: DIFF_REFUSED,
  refusedValues: DIFF_REFUSED_VALUES,
  takesNumbers: true,
  readsRevisions: true,
} as const;

const oneline: readonly Option[] = [
  { name: "-g", value: undefined },
  { name: "--abbrev-commit", value: undefined },
  { name: "--pretty", value: "oneline" },
];

export const reflog: Command = {
  ...SHOWS,
  check({ operands }) {
    const [action = ""] = operands;
    return ["expire", "delete", "drop", "write"].includes(action) ? [`git reflog ${action}: ${WRITES}`, "git reflog"] : undefined;
  },
  *run(run) {
    const { options, repository } = run;
    const operands = options.operands;
    if (operands[0] === "exists") return repository.refs.hasLog(fromWord(operands[1] ?? "")) ? 0 : 1;
    const shown = operands[0] === "show" ? operands.slice(1) : operands;
    return yield* log.run({ ...run, options: new Options([...oneline, ...options.list], shown, options.paths, options.sequence) });
  },
};

const READS = ["list", "show"];

export const stash: Command = {
  ...SHOWS,
  flags: `${SHOWS.flags} --include-untracked --no-include-untracked --only-untracked`,
  readsRevisions: true,
  check({ operands }) {
    const [action = ""] = operands;
    return READS.includes(action) ? undefined : [`git stash${action === "" ? "" : ` ${action}`}: ${WRITES}`, "git stash list"];
  },
  *run(run) {
    const { options, repository, print } = run;
    const [action, ...operands] = options.operands.map(fromWord);
    if (action === "list") {
      if (refNamed(repository, "refs/stash") === undefined) return 0;
      const list: Option[] = [{ name: "--format", value: "%gd: %gs" }, ...options.list];
      const isFirst = options.has("-m", "-c", "--cc", "--diff-merges", "--no-diff-merges");
      const withMerges: Option[] = isFirst ? list : [{ name: "--first-parent", value: undefined }, ...list];
      const listed = new Options(withMerges, [], options.paths, options.sequence);
      const printer = new CommitPrinter({ ...run, options: listed }, diffSettings(listed, repository.config, ""), {
        mergeDiff: mergeDiffOf(listed, "first-parent"),
        paths: undefined,
      });
      let left = Number(options.last("-n", "--max-count") ?? Infinity);
      for (const reflog of reflogEntries({ ...run, options: listed }, "refs/stash")) {
        if (left-- <= 0) break;
        yield* printer.print({ commit: repository.commit(reflog.entry.id), reflog });
      }
      return 0;
    }
    const [typed = "stash@{0}"] = operands;
    if (operands.length > 1)
      throw new GitError(`Too many revisions specified: ${operands.map((word) => `'${word}'`).join(" ")}`, { exit: 1, prefix: "" });
    const name = /^[0-9]+$/.test(typed) ? `stash@{${typed}}` : typed;
    if (repository.refs.resolve("refs/stash") === undefined && operands.length === 0)
      throw new GitError("No stash entries found.", { exit: 1, prefix: "" });
    const id = resolveRevision(repository, name);
    if (id === undefined) throw new GitError(`${name} is not a valid reference`, { exit: 1, prefix: "error: " });
    const commit = repository.commit(id);
    const [base, , untracked] = commit.parents;
    if (base === undefined || commit.parents.length < 2) throw new GitError(`'${name}' is not a stash-like commit`);
    const asked = diffSettings(options, repository.config, repository.prefix);
    const settings = asked.formats.size === 0 && !asked.isSilent ? { ...asked, formats: new Set(["stat" as const]) } : asked;
    const withUntracked = options.lastOf("--include-untracked", "--no-include-untracked") === "--include-untracked";
    const added = untracked === undefined ? [] : treePairs(repository, undefined, repository.commit(untracked).tree);
    const changed = treePairs(repository, repository.commit(base).tree, commit.tree);
    const pairs: FilePair[] = options.has("--only-untracked") ? added : withUntracked ? [...changed, ...added] : changed;
    yield* printPairs(repository, shownPairs(repository, pairs, settings), settings, print);
    return 0;
  },
};
