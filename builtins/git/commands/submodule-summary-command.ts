/** git submodule summary: the commits by which submodules differ from what a commit or the index has. */
import { fromWord } from "../objects/byte-text.ts";
import { isSubmodule } from "../objects/objects.ts";
import { workingContent } from "../objects/contents.ts";
import { NO_ID, type FilePair, type Side } from "../diff/file-pairs.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { repositoryBelow } from "../repository-search.ts";
import { commitNamed } from "../refs/revision.ts";
import { readIndex } from "../worktree/index-file.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { relativePath } from "../worktree/relative-path.ts";
import { workingPairs } from "../worktree/working-tree.ts";
import { command, type CommandRun, type InputRequest, type LoadRequest } from "./command.ts";
import { treeToWorking } from "../worktree/tree-to-working.ts";
import { SWITCH, VALUE } from "./flags.ts";
import { log } from "./log-command.ts";
import { Options, type Option } from "./options.ts";
import { revList } from "./rev-list-command.ts";

/** What an id is shortened to where its object is not there. */
const LOST_DIGITS = 7;

export const submoduleSummary = command({
  flags: { "-q": SWITCH, "--quiet": SWITCH, "--cached": SWITCH, "--files": SWITCH, "-n": VALUE, "--summary-limit": VALUE },
  *run(run) {
    const { options, repository } = run;
    repository.needsWorktree();
    const typedLimit = options.last("-n", "--summary-limit") ?? "-1";
    if (!/^-?[0-9]+$/.test(typedLimit)) throw new GitError(`the limit is no number: ${typedLimit}`);
    const limit = Number(typedLimit);
    if (limit === 0) return 0;
    for (const pair of pairsOf(run)) {
      if (!isSubmodule(pair.old.mode) && !isSubmodule(pair.now.mode)) continue;
      const inner = repositoryBelow(repository, pair.old.path);
      try {
        if (inner === undefined && pair.status !== "D" && pair.status !== "T") continue;
        yield* printSummary(run, inner, pair, limit);
      } finally {
        inner?.close();
      }
    }
    return 0;
  },
});

type SummaryRun = CommandRun<"--cached" | "--files">;

/** Throws GitError. */
function pairsOf({ options, repository }: SummaryRun): readonly FilePair[] {
  if (options.has("--files") && options.has("--cached")) throw new GitError("options '--cached' and '--files' cannot be used together");
  const [first, ...others] = options.operands.map(fromWord);
  const named = first === undefined ? undefined : commitNamed(repository, first);
  const words = [...(first === undefined || named !== undefined || first === "HEAD" ? others : [first, ...others])];
  const typed = [...words, ...(options.paths ?? []).map(fromWord)];
  const paths = typed.length === 0 ? undefined : new Pathspec(repository, typed);
  const head = named ?? repository.refs.resolve("HEAD")?.id;
  if (head === undefined && first !== undefined && first !== "HEAD") throw new GitError("could not fetch a revision for HEAD");
  const index = readIndex(repository);
  if (options.has("--files")) return workingPairs(repository, index, paths, { submodules: "dirty" });
  const tree = head === undefined ? undefined : repository.commit(repository.asCommit(head) ?? head).tree;
  if (options.has("--cached")) return indexPairs(repository, tree, index, paths);
  return treeToWorking(repository, tree ?? repository.format.emptyTree, paths, { submodules: "dirty" });
}

function* printSummary(
  run: SummaryRun,
  inner: Repository | undefined,
  pair: FilePair,
  limit: number,
): Generator<void | InputRequest | LoadRequest, void, Buffer | undefined> {
  const { repository, print } = run;
  const { old, now, status } = pair;
  const shown = relativePath(repository.prefix, old.path);
  const before = sideOf(repository, status === "D" ? undefined : inner, old);
  const after = sideOf(repository, inner, now);
  const isBefore = isSubmodule(old.mode);
  const isAfter = isSubmodule(now.mode);
  const kinds = isAfter ? ["(blob)->", "(submodule)"] : ["(submodule)->", "(blob)"];
  print(`* ${shown} ${status === "T" ? `${before.short}${kinds[0]}${after.short}${kinds[1]}` : `${before.short}...${after.short}`}`);
  if (inner === undefined || before.isLost || after.isLost) {
    print(":\n");
    const lost = [before, after].flatMap(({ isLost, id }) => (isLost ? [id] : []));
    if (isAfter) print(`  Warn: ${shown} doesn't contain commit${lost.length > 1 ? "s" : ""} ${lost.join(" and ")}\n`);
    print("\n");
    return;
  }
  const range = isBefore && isAfter ? `${before.short}...${after.short}` : isAfter ? after.short : before.short;
  let count = "";
  const asked = (list: readonly Option[], printed: (text: string) => void): CommandRun<string> => ({
    ...run,
    repository: inner,
    options: new Options<string>(list, [range], undefined, [range]),
    print: printed,
  });
  yield* revList.run(asked([flag("--first-parent"), flag("--count")], (text) => void (count += text)));
  print(` (${count.trim()}):\n`);
  const mark = isBefore && isAfter ? "%m" : isAfter ? ">" : "<";
  const form = flag("--pretty", `  ${mark} %s`);
  const most = isBefore && isAfter ? (limit > 0 ? [flag("-n", String(limit))] : []) : [flag("-n", "1")];
  if (Number(count) > 0) yield* log.run(asked([form, ...(isBefore && isAfter ? [flag("--first-parent")] : []), ...most], print));
  print("\n");
}

const flag = (name: string, value?: string): Option => ({ name, value });

/** An id as the summary shows it; lost where the submodule has no such commit. */
function sideOf(
  repository: Repository,
  inner: Repository | undefined,
  { path, mode, id }: Side,
): { readonly id: string; readonly short: string; readonly isLost: boolean } {
  const { format } = repository;
  if (isSubmodule(mode)) {
    const commit = inner?.asCommit(id);
    return { id, short: commit === undefined ? id.slice(0, LOST_DIGITS) : (inner?.short(commit) ?? ""), isLost: commit === undefined };
  }
  const content = mode === 0 || id !== NO_ID ? undefined : workingContent(repository, path, mode);
  const whole = content === undefined ? (id === NO_ID ? format.noId : id) : format.idOf("blob", content);
  return { id: whole, short: whole.slice(0, LOST_DIGITS), isLost: false };
}
