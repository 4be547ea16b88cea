/** git reflog and git stash: where references were. */
import type { Config } from "../config.ts";
import { fromWord } from "../objects/byte-text.ts";
import { command } from "./command.ts";
import { keysOf, noEffect, refusedAll, SWITCH } from "./flags.ts";
import { DIFF_FLAGS, type DiffFlag } from "../diff/diff-flags.ts";
import { diffSettings } from "../diff/diff-options.ts";
import { withPrefix } from "./diff-command.ts";
import { answeredPairs, shownPairs } from "../diff/diff-print.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { LOG_ANYWHERE, LOG_FLAGS, NO_STATUS_FLAGS, PRETTY_FLAGS, WALK_FLAGS } from "../log/walk-flags.ts";
import { log, runLog } from "./log-command.ts";
import { refNamed, resolveRevision } from "../refs/revision.ts";

const WRITES = "the repository is only read here";

/** What `git log` gets in front of the flags of `git reflog`. */
const REFLOG_FORM = [
  { name: "-g", value: undefined },
  { name: "--abbrev-commit", value: undefined },
  { name: "--pretty", value: "oneline" },
] as const;

export const reflog = command({
  flags: { ...DIFF_FLAGS, ...WALK_FLAGS, ...LOG_FLAGS, ...PRETTY_FLAGS, ...NO_STATUS_FLAGS },
  takesNumbers: true,
  readsRevisions: true,
  anywhere: LOG_ANYWHERE,
  check: ({ operands: [action = ""] }) =>
    ["expire", "delete", "drop", "write"].includes(action) ? [`git reflog ${action}: ${WRITES}`, "git reflog"] : undefined,
  *run(run) {
    const { options, repository } = run;
    const { operands } = options;
    if (operands[0] === "exists") return repository.refs.hasLog(fromWord(operands[1] ?? "")) ? 0 : 1;
    const shown = operands[0] === "show" ? operands.slice(1) : operands;
    return yield* runLog({ ...run, options: options.after(REFLOG_FORM, shown).among<"-L" | "--exit-code" | "--bisect">() }, "reflog");
  },
});

/** What `git log` gets in front of the flags of `git stash list`. */
const STASH_FORM = [
  { name: "--format", value: "%gd: %gs" },
  { name: "-g", value: undefined },
  { name: "--first-parent", value: undefined },
] as const;

export const stashList = command({
  flags: log.flags,
  takesNumbers: true,
  readsRevisions: true,
  anywhere: "all",
  *run(run) {
    const { options, repository } = run;
    repository.needsWorktree();
    if (refNamed(repository, "refs/stash") === undefined) return 0;
    return yield* log.run({ ...run, options: options.after(STASH_FORM, [...options.operands, "refs/stash"], []) });
  },
});

const OF_HISTORY = refusedAll(
  keysOf({ ...WALK_FLAGS, ...LOG_FLAGS, ...PRETTY_FLAGS }),
  "a stash is shown as one difference, without history",
  "git stash list",
);

export const stashShow = command({
  flags: {
    ...OF_HISTORY,
    ...DIFF_FLAGS,
    "-m": noEffect("a stash is compared with its first parent alone"),
    "-u": SWITCH,
    "--include-untracked": SWITCH,
    "--no-include-untracked": SWITCH,
    "--only-untracked": SWITCH,
  },
  readsRevisions: true,
  anywhere: "all",
  *run({ options, repository, print }) {
    // A word behind `--` is a stash too: paths are none of its business.
    const operands = [...options.operands, ...(options.paths ?? [])].map(fromWord);
    const configured = stashSettings(repository.config);
    const [typed = "stash@{0}"] = operands;
    if (operands.length > 1)
      throw new GitError(`Too many revisions specified: ${operands.map((word) => `'${word}'`).join(" ")}`, { exit: 1, prefix: "" });
    const name = /^[0-9]+$/.test(typed) ? `refs/stash@{${typed}}` : typed;
    if (repository.refs.resolve("refs/stash") === undefined && operands.length === 0)
      throw new GitError("No stash entries found.", { exit: 1, prefix: "" });
    const id = resolveRevision(repository, name);
    if (id === undefined) throw new GitError(`${name} is not a valid reference`, { exit: 1, prefix: "error: " });
    const commit = repository.commit(id);
    const [base, , untracked] = commit.parents;
    if (base === undefined || commit.parents.length < 2) throw new GitError(`'${name}' is not a stash-like commit`);
    // Any flag of a diff alone, and `--`, makes it a patch.
    const isPatch =
      options.paths !== undefined || options.hasOther("-u", "--include-untracked", "--no-include-untracked", "--only-untracked");
    const asked = diffSettings(options.without("-u").among<DiffFlag>(), repository.config, repository.prefix);
    if (!isPatch && !configured.stat && !configured.patch) return 0;
    const usual = isPatch
      ? (["patch"] as const)
      : [...(configured.stat ? (["stat"] as const) : []), ...(configured.patch ? (["patch"] as const) : [])];
    const settings = asked.formats.size === 0 && !asked.isSilent ? { ...asked, formats: new Set(usual) } : asked;
    const named = options.lastOf("-u", "--include-untracked", "--no-include-untracked");
    const withUntracked = named === undefined ? configured.untracked : named !== "--no-include-untracked";
    const added = untracked === undefined ? [] : treePairs(repository, undefined, repository.commit(untracked).tree);
    const changed = treePairs(repository, repository.commit(base).tree, commit.tree);
    const pairs: FilePair[] = options.has("--only-untracked") ? added : withUntracked ? [...changed, ...added] : changed;
    const shown = shownPairs(repository, pairs, settings);
    return yield* answeredPairs(repository, shown, settings, withPrefix(settings.linePrefix, print, settings.endsInNull));
  },
});

/** What stash.show* ask for. Throws GitError for a value that is neither true nor false. */
function stashSettings(config: Config): { readonly stat: boolean; readonly patch: boolean; readonly untracked: boolean } {
  for (const { name, value = "true" } of config.settings)
    if (/^stash\.show(?:stat|patch|includeuntracked)$/.test(name) && !/^(?:true|false|yes|no|on|off|[+-]?[0-9]+[kmg]?|)$/i.test(value))
      throw new GitError(`bad boolean config value '${value}' for '${name}'`);
  return {
    stat: config.boolean("stash.showstat", true),
    patch: config.boolean("stash.showpatch", false),
    untracked: config.boolean("stash.showincludeuntracked", false),
  };
}
