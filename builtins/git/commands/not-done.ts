/**
 * Flags that git 2.39 has for a command and that its own table leaves out: refused by name, each with a reason and a line that works.
 * A test holds all tables to the flags that git's manual and usage name (test/builtins/git/git-options.json).
 */
import { quoteWord } from "../../../src/display/quote.ts";
import { refused, refusedAll, rewrittenFlag, type FlagTable } from "./flags.ts";

const words = (text: string): readonly string[] => text.split(" ");

const FOR_SCRIPTS = "it is for scripts that work on the object store";
const OF_WRITING = "it belongs to what writes, and the repository is only read here";
const NOT_HERE = "it is not done here";

const LOG = "git log --oneline -n 20";
const WALK = refusedAll(
  words("--alternate-refs --exclude-first-parent-only --exclude-hidden --single-worktree --show-linear-break"),
  "history is walked from references of this repository, by all parents",
  LOG,
);
const NOTES = refusedAll(
  words("--standard-notes --no-standard-notes --show-notes"),
  "--notes and --no-notes say the same",
  "git log --notes -n 1",
);
const REMERGE = refusedAll(["--remerge-diff"], "a merge is not made anew here", "git show --cc HEAD");
const QUIET = refusedAll(["-q"], "-s leaves the diff out", "git log -s -n 1");
const TREES = refusedAll(["-t"], "trees are not shown beside their files", "git log --raw -n 1");

export const NOT_DONE: Readonly<Record<string, FlagTable>> = {
  log: { ...WALK, ...NOTES, ...REMERGE, ...QUIET, ...TREES },
  show: {
    ...NOTES,
    ...REMERGE,
    ...QUIET,
    ...TREES,
    "-L": rewrittenFlag(refused("lines are traced by git log", "git log -L 1,20:FILE -n 3", "value"), {
      words: (args) => ["git log", ...args.map(quoteWord)].join(" "),
      lost: "the history of the lines, from their last change on",
    }),
  },
  whatchanged: { ...QUIET, ...TREES },
  branch: {
    ...refusedAll(words("-q --quiet"), OF_WRITING, "git branch"),
    ...refusedAll(["--set-upstream"], OF_WRITING, "git branch -vv"),
  },
  "rev-parse": {
    ...refusedAll(
      words("--exclude --glob --exclude-hidden"),
      "--branches, --tags and --remotes list references",
      "git rev-parse --branches",
      "value",
    ),
    ...refusedAll(words("--after --before --prefix"), FOR_SCRIPTS, "git rev-parse HEAD", "value"),
    ...refusedAll(
      words("--help --keep-dashdash --local-env-vars --not --shared-index-path --stop-at-non-option --stuck-long"),
      FOR_SCRIPTS,
      "git rev-parse HEAD",
    ),
  },
  tag: {
    ...refusedAll(words("--file --local-user --message"), OF_WRITING, "git tag -n", "value"),
    ...refusedAll(["--no-sign"], OF_WRITING, "git tag -n"),
  },
  config: {
    ...refusedAll(["-t"], "--type says of which type a value is", "git config --list", "value"),
    ...refusedAll(words("--bool-or-str --fixed-value"), NOT_HERE, "git config --list"),
  },
  "rev-list": {
    ...WALK,
    ...refusedAll(words("--encoding --missing --progress"), FOR_SCRIPTS, "git rev-list -n 20 HEAD", "value"),
    ...refusedAll(words("--expand-tabs --no-expand-tabs --relative-date --commit-header"), "messages are shown by git log", LOG),
    ...refusedAll(
      words(
        "--exclude-promisor-objects --filter-print-omitted --filter-provided-objects --no-filter --indexed-objects --objects-edge-aggressive --unpacked",
      ),
      FOR_SCRIPTS,
      "git rev-list --objects HEAD",
    ),
  },
  "show-ref": refusedAll(["--exclude-existing"], FOR_SCRIPTS, "git show-ref"),
  shortlog: {
    ...WALK,
    ...refusedAll(
      words("--bisect --merge --reflog --remove-empty --show-pulls --stdin"),
      "commits are those of a revision",
      "git shortlog -sn HEAD",
    ),
  },
  reflog: refusedAll(
    words("--dry-run --expire --expire-unreachable --rewrite --single-worktree --stale-fix --updateref --verbose"),
    OF_WRITING,
    "git reflog -n 20",
  ),
  "diff-tree": {
    ...NOTES,
    ...refusedAll(words("--expand-tabs --no-expand-tabs"), "messages are shown by git log", LOG),
  },
  "diff-files": refusedAll(["-q"], "--quiet prints nothing", "git diff-files --quiet"),
  "symbolic-ref": refusedAll(words("--recurse --no-recurse"), "a reference is followed to the first that is none", "git symbolic-ref HEAD"),
  worktree: {
    ...refusedAll(words("--reason -B -b"), OF_WRITING, "git worktree list", "value"),
    ...refusedAll(
      words(
        "--checkout --detach --dry-run --force --guess-remote --lock --no-checkout --no-guess-remote --no-track --quiet --track -d -f -n -q",
      ),
      OF_WRITING,
      "git worktree list",
    ),
  },
  submodule: {
    ...refusedAll(
      words("--branch --depth --jobs --name --reference --summary-limit -b -j -n"),
      OF_WRITING,
      "git submodule status",
      "value",
    ),
    ...refusedAll(
      words(
        "--all --checkout --dissociate --files --force --init --merge --no-fetch --no-recommend-shallow --no-single-branch --progress --rebase --recommend-shallow --remote --single-branch -N -f",
      ),
      OF_WRITING,
      "git submodule status",
    ),
  },
  notes: {
    ...refusedAll(
      words("--file --message --reedit-message --reuse-message --strategy -C -F -c -m -s"),
      OF_WRITING,
      "git notes list",
      "value",
    ),
    ...refusedAll(
      words("--abort --allow-empty --commit --dry-run --force --ignore-missing --quiet --stdin --verbose -f -n -q -v"),
      OF_WRITING,
      "git notes list",
    ),
  },
  bisect: refusedAll(words("--first-parent --no-checkout"), OF_WRITING, "git bisect log"),
  "range-diff": {
    ...refusedAll(
      words(
        "--anchored --dst-prefix --ignore-submodules --output-indicator-context --output-indicator-new --output-indicator-old --rotate-to --skip-to --src-prefix --stat-count --stat-graph-width --stat-name-width --stat-width --color-moved-ws --word-diff-regex --ws-error-highlight -I -O -l",
      ),
      "patches are compared by their usual text",
      "git range-diff main@{1}...main",
      "value",
    ),
    ...refusedAll(
      words(
        "--binary --color-moved --color-words --cumulative --dirstat-by-file --find-copies-harder --follow --full-index --ignore-cr-at-eol --ita-invisible-in-index --ita-visible-in-index --no-prefix --no-renames --pickaxe-all --pickaxe-regex --rename-empty --submodule -B -D -X -a",
      ),
      "patches are compared by their usual text",
      "git range-diff main@{1}...main",
    ),
  },
};
