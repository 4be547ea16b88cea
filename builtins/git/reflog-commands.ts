/** git reflog and git stash list: where references were. */
import { fromWord } from "./byte-text.ts";
import type { Command, CommandRun } from "./command.ts";
import { GitError } from "./git-error.ts";
import { prettyCommit, readFormat } from "./pretty.ts";
import { refNamed } from "./revision.ts";
import { DEFAULT_DATE } from "./dates.ts";
import { Decorations } from "./decorations.ts";

const WRITES = "the repository is only read here";

export const reflog: Command = {
  flags: "-n: --max-count: --date: --no-abbrev-commit --no-color --oneline --all --pretty? --format: --no-decorate --decorate?",
  takesNumbers: true,
  *run(run) {
    const { options, repository } = run;
    const operands = options.operands.map(fromWord);
    if (["expire", "delete", "exists"].includes(operands[0] ?? ""))
      throw new GitError(`git reflog ${operands[0]}: ${WRITES}\ntry: git reflog`);
    const typed = (operands[0] === "show" ? operands[1] : operands[0]) ?? "HEAD";
    printReflog(run, typed, refNamed(repository, typed));
    yield;
    return 0;
  },
};

function printReflog({ options, repository, print, dates }: CommandRun, typed: string, name: string | undefined): void {
  if (options.has("--date", "--all")) throw new GitError("reflog --date and --all are not available here yet");
  if (name === undefined)
    throw new GitError(
      `ambiguous argument '${typed}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
    );
  const entries = repository.refs.log(name);
  const most = Number(options.last("-n", "--max-count") ?? Infinity);
  const text = options.last("--format", "--pretty");
  const decorations = options.has("--decorate") ? new Decorations(repository, "short") : undefined;
  for (let back = 0; back < Math.min(entries.length, most); back++) {
    const entry = entries[entries.length - 1 - back];
    if (entry === undefined || repository.objects.find(entry.id) === undefined) continue;
    const selector = `${typed}@{${back}}`;
    const format = text === undefined || text === "" ? readFormat("oneline") : readFormat(fromWord(text));
    const line = prettyCommit(repository.commit(entry.id), format, {
      repository,
      dates,
      dateStyle: DEFAULT_DATE,
      abbreviates: !options.has("--no-abbrev-commit"),
      abbreviation: undefined,
      decorations,
      allDecorations: () => new Decorations(repository, "short"),
      reflog: { entry, selector, short: selector },
    });
    print(format.kind === "user" ? `${line}\n` : line);
  }
}

export const stash: Command = {
  flags: "-n: --max-count: --oneline --format: --pretty? --date:",
  takesNumbers: true,
  *run({ options, repository, print, dates }) {
    const [action] = options.operands;
    if (action === "show") throw new GitError("git stash show is not available here yet\ntry: git diff stash@{0}^1 stash@{0} --stat");
    if (action !== "list") throw new GitError(`git stash ${action ?? ""}: ${WRITES}\ntry: git stash list`.replace("stash :", "stash:"));
    if (options.has("--date", "--oneline")) throw new GitError("stash list --date and --oneline are not available here yet");
    const entries = repository.refs.log("refs/stash");
    const text = options.last("--format", "--pretty");
    const most = Number(options.last("-n", "--max-count") ?? Infinity);
    for (let back = 0; back < Math.min(most, entries.length); back++) {
      const entry = entries[entries.length - 1 - back];
      if (entry === undefined) continue;
      const selector = `stash@{${back}}`;
      if (text === undefined || text === "") print(`${selector}: ${entry.message}\n`);
      else
        print(
          `${prettyCommit(repository.commit(entry.id), readFormat(fromWord(text)), { repository, dates, dateStyle: DEFAULT_DATE, abbreviates: false, abbreviation: undefined, decorations: undefined, allDecorations: () => new Decorations(repository, "short"), reflog: { entry, selector: `refs/${selector}`, short: selector } })}\n`,
        );
    }
    yield;
    return 0;
  },
};
