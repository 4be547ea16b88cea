/** git archive: the files of a tree as a tar archive on standard output. */
import { fromWord } from "../objects/byte-text.ts";
import { isSubmodule, isTree } from "../objects/objects.ts";
import { TarWriter } from "../objects/tar-writer.ts";
import { resolveRevision, treeOf } from "../refs/revision.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { Attributes } from "../worktree/attributes.ts";
import { checkedOutForm } from "../worktree/conversion.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { command } from "./command.ts";
import { limited, NO_WAY, noEffect, refused, refusedOutput, SWITCH, VALUE } from "./flags.ts";

const WRITES = "git writes no files here; tee does, and records it";

export const archive = command({
  flags: {
    "--format": limited(noEffect("tar is what is printed", "value"), (format) =>
      format === "tar" ? undefined : ["only tar is written here, and nothing is packed", "git archive HEAD", undefined, NO_WAY],
    ),
    "--prefix": VALUE,
    "-l": SWITCH,
    "--list": SWITCH,
    "-v": SWITCH,
    "--verbose": SWITCH,
    "-o": refusedOutput(WRITES, "git archive HEAD | tee out.tar >/dev/null"),
    "--output": refusedOutput(WRITES, "git archive HEAD | tee out.tar >/dev/null"),
    "--worktree-attributes": refused("the tree's own attributes are read", "git archive HEAD"),
    "--add-file": refused("only the files of a tree are written", "git archive HEAD", "value"),
    "--add-virtual-file": refused("only the files of a tree are written", "git archive HEAD", "value"),
    "--remote": refused("there is no network here", "git archive HEAD", "value"),
    "--exec": refused("no program is started here", "git archive HEAD", "value"),
  },
  *run({ options, repository, print, complain }) {
    if (options.has("-l", "--list")) {
      print("tar\ntgz\ntar.gz\nzip\n");
      return 0;
    }
    const [typed, ...rest] = options.operands.map(fromWord);
    if (typed === undefined) throw new GitError("git archive [<options>] <tree-ish> [<path>...]", { prefix: "usage: ", exit: 129 });
    const named = resolveRevision(repository, typed);
    if (named === undefined) throw new GitError(`not a valid object name: ${typed}`);
    const top = treeOf(repository, named);
    if (top === undefined) throw new GitError(`not a tree object: ${named}`);
    const commit = repository.asCommit(named);
    const seconds = commit === undefined ? Math.floor(repository.clock.nowMs / 1000) : repository.commit(commit).seconds;
    const files = treeFiles(repository, top, [...rest, ...(options.paths ?? []).map(fromWord)]);
    const tar = new TarWriter(umaskOf(repository));
    if (commit !== undefined) for (const block of tar.comment(commit, seconds)) print(block);
    const prefix = fromWord(options.last("--prefix") ?? "");
    const say = options.has("-v", "--verbose") ? (path: string): void => complain(`${prefix}${path}\n`) : (): void => undefined;
    if (prefix.endsWith("/")) {
      say("");
      for (const block of tar.entry({ path: prefix, mode: 0o040755, id: top, seconds, data: EMPTY })) print(block);
    }
    for (const { path, mode, id, data } of files) {
      say(path);
      for (const block of tar.entry({ path: prefix + path, mode, id, seconds, data: data() })) print(block);
      yield;
    }
    for (const block of tar.end()) print(block);
    return 0;
  },
});

const USUAL_UMASK = 0o002;

/** tar.umask. Throws GitError where it is that of the process, or no number. */
function umaskOf({ config }: Repository): number {
  const value = config.get("tar.umask");
  if (value === undefined) return USUAL_UMASK;
  if (value === "user")
    throw new GitError("tar.umask = user is not done here: the server has no umask of yours\nhint: git -c tar.umask=022 archive HEAD");
  const [, octal] = /^0([0-7]+)$/.exec(value) ?? [];
  const number = octal === undefined ? Number(value) : Number.parseInt(octal, 8);
  if (!/^(?:0x[0-9a-f]+|[0-9]+)$/i.test(value) || !Number.isSafeInteger(number))
    throw new GitError(`bad numeric config value '${value}' for 'tar.umask': invalid unit`);
  return number & 0o777;
}

const EMPTY = Buffer.alloc(0);

interface ArchivedFile {
  readonly path: string;
  readonly mode: number;
  readonly id: string;
  readonly data: () => Buffer;
}

/** What is below the current directory, in order: a directory comes before its first file, and not without one. */
function treeFiles(repository: Repository, top: string, typed: readonly string[]): Generator<ArchivedFile, void> {
  const { prefix } = repository;
  const attributes = new Attributes(repository, (path) => {
    const entry = repository.entryAt(top, path);
    return entry === undefined || isTree(entry.mode) ? undefined : repository.blob(entry.id, path).toString("latin1");
  });
  const start = prefix === "" ? { id: top, mode: 0o040000 } : repository.entryAt(top, prefix.slice(0, -1));
  if (start === undefined || !isTree(start.mode)) throw new GitError("current working directory is untracked");
  const paths = typed.length === 0 ? undefined : new Pathspec(repository, typed);
  if (paths !== undefined) checkMatched(repository, start.id, paths);
  const waiting: ArchivedFile[] = [];
  function* visit(tree: string, above: string): Generator<ArchivedFile, void> {
    for (const { name, mode, id } of repository.tree(tree)) {
      const whole = prefix + above + name;
      if (attributes.get(isTree(mode) ? `${whole}/` : whole, "export-ignore") === true) continue;
      if (isTree(mode)) {
        if (paths !== undefined && !paths.mayHold(whole)) continue;
        waiting.push({ path: `${above}${name}/`, mode, id, data: () => EMPTY });
        yield* visit(id, `${above}${name}/`);
        if (waiting.at(-1)?.path === `${above}${name}/`) waiting.pop();
        continue;
      }
      if (paths?.matches(whole) === false) continue;
      yield* waiting.splice(0);
      const path = isSubmodule(mode) ? `${above}${name}/` : above + name;
      yield { path, mode, id, data: () => (isSubmodule(mode) ? EMPTY : contentOf(repository, attributes, whole, mode, id)) };
    }
  }
  return visit(start.id, "");
}

function contentOf(repository: Repository, attributes: Attributes, path: string, mode: number, id: string): Buffer {
  const stored = repository.blob(id, path);
  if ((mode & 0o170000) !== 0o100000) return stored;
  if (attributes.get(path, "export-subst") === true && stored.includes("$Format:"))
    throw new GitError(`${path}: placeholders of export-subst are not filled in here`);
  return checkedOutForm(repository, attributes, path, id, stored);
}

/** Throws GitError for a path that nothing of the tree matches. */
function checkMatched(repository: Repository, tree: string, paths: Pathspec): void {
  const names: string[] = [];
  const visit = (id: string, above: string): void => {
    for (const entry of repository.tree(id)) {
      names.push(above + entry.name);
      if (isTree(entry.mode) && paths.mayHold(above + entry.name)) visit(entry.id, `${above}${entry.name}/`);
    }
  };
  visit(tree, repository.prefix);
  const [unmatched] = paths.unmatched(names);
  if (unmatched !== undefined) throw new GitError(`pathspec '${unmatched}' did not match any files`);
}
