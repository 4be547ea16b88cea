/** git diff --no-index: two files or directories, wherever they are, as diff(1) compares them. */
import { isAbsolutePath } from "../../../src/glob/absolute-path.ts";
import { fromWord } from "../objects/byte-text.ts";
import type { CommandRun, Running } from "./command.ts";
import type { DiffFlag } from "../diff/diff-flags.ts";
import type { DiffSettings } from "../diff/diff-options.ts";
import { answeredPairs, chosenPairs } from "../diff/diff-print.ts";
import type { FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import type { Print } from "../diff/patch.ts";
import type { Repository } from "../repository.ts";
import { LooseFiles, NO_FILE, STANDARD_INPUT, withId, type LooseEntry } from "../worktree/loose-files.ts";

const FLAG = "--no-index";

/** Tells whether files are compared without the index: it was asked for, there is none, or a path is outside the worktree. */
export function isWithoutIndex({ repository, options }: CommandRun<DiffFlag | "--no-index">): boolean {
  const { sequence, operands, paths = [] } = options;
  const first = operands[0] === undefined ? sequence.length : sequence.indexOf(operands[0]);
  const asked = sequence.indexOf(FLAG);
  if (repository.isAbsent || (asked >= 0 && asked < first)) return true;
  if (asked >= 0) throw new GitError(`option '${FLAG}' must come before non-option arguments`);
  const typed = [...operands, ...paths].map(fromWord);
  const areLast = operands.length === 0 || (paths.length === 0 && sequence.length === first + operands.length);
  return repository.hasWorktree && typed.length === 2 && areLast && typed.some((path) => isOutside(repository, path));
}

function isOutside(repository: Repository, typed: string): boolean {
  try {
    repository.fromHere(typed);
    return false;
  } catch (thrown) {
    if (thrown instanceof GitError) return true;
    throw thrown;
  }
}

/** `counted`: the printing function, which counts what --check prints. Returns the exit status. */
export function* withoutIndex(run: CommandRun<DiffFlag | "--no-index">, settings: DiffSettings, counted: Print): Running {
  const { repository, options, complain } = run;
  const typed = [...options.operands, ...(options.paths ?? [])].map(fromWord);
  const [old, now] = typed;
  if (old === undefined || now === undefined || typed.length > 2) {
    if (!options.has("--no-index")) complain(`warning: Not a git repository. Use ${FLAG} to compare two paths outside a working tree\n`);
    throw new GitError(`git diff ${FLAG} [<options>] <path> <path>`, { prefix: "usage: ", exit: 129 });
  }
  if (old === STANDARD_INPUT && now === STANDARD_INPUT) return 0;
  const files = new LooseFiles(repository, settings.reverses);
  const input = typed.includes(STANDARD_INPUT) ? yield* wholeInput(repository) : undefined;
  const entries = typed.map((name): LooseEntry => {
    if (name === STANDARD_INPUT && input !== undefined) return { name, input };
    return { name: isAbsolutePath(name) ? name : repository.prefix + name };
  });
  yield* files.compare(...pairedNames(files, entries as [LooseEntry, LooseEntry]));
  // Files that are the same are in no pair, and so git seeks copies of them nowhere.
  const copies = settings.copies === "all" ? "changed" : settings.copies;
  // Names begin with the current directory, and are shown without it.
  const shown = {
    ...settings,
    copies,
    relativeTo: repository.prefix === "" ? undefined : repository.prefix,
    exitCode: true,
    joinsEmpty: true,
  };
  return yield* answeredPairs(repository, chosenPairs(repository, compared(repository, files.pairs, settings), shown), shown, counted);
}

/** Where renames or copies are looked for, git knows the content of what came, and of what it may have come from. */
function compared(repository: Repository, pairs: readonly FilePair[], { renames, copies }: DiffSettings): readonly FilePair[] {
  const has = (wanted: FilePair["status"]): boolean => pairs.some(({ status }) => status === wanted);
  const copying = copies !== "no";
  if (!renames || !has("A") || !(copying || has("D"))) return pairs;
  // In this order it says what is wrong with their line ends: sources first, and the last of them before.
  const known = [...pairs]
    .reverse()
    .map((pair) => (pair.status === "D" || (copying && pair.status !== "A") ? { ...pair, old: withId(repository, pair.old) } : pair))
    .reverse();
  return known.map((pair) => (pair.status === "A" ? { ...pair, now: withId(repository, pair.now) } : pair));
}

function* wholeInput(repository: Repository): Generator<{ readonly separator: number }, Buffer, Buffer | undefined> {
  if (repository.prefix !== "") throw new GitError("standard input is compared from the top of the working tree alone");
  const blocks: Buffer[] = [];
  let held = 0;
  for (let block = yield { separator: 10 }; block !== undefined; block = yield { separator: 10 }) {
    held += block.length;
    if (held > repository.limits.heldBytes)
      throw new GitError(`standard input: larger than the ${repository.limits.heldBytes} bytes held here`);
    blocks.push(Buffer.from(block));
  }
  return Buffer.concat(blocks);
}

/** Of a file and a directory, the file and that of its name in the directory. */
function pairedNames(files: LooseFiles, [old, now]: readonly [LooseEntry, LooseEntry]): readonly [LooseEntry, LooseEntry] {
  const [isOldInput, isNewInput] = [old.input !== undefined, now.input !== undefined];
  const [isOldTree, isNewTree] = [!isOldInput && files.isDirectory(old.name), !isNewInput && files.isDirectory(now.name)];
  if (isOldInput || isNewInput) {
    if (isOldTree || isNewTree) throw new GitError("standard input is compared with a file, and not with a directory");
    return [old, now];
  }
  if (isOldTree === isNewTree) return [old, now];
  const below = (directory: string, file: string): LooseEntry => ({
    name: `${directory.replace(/\/+$/, "")}/${file === NO_FILE ? "null" : file.slice(file.lastIndexOf("/") + 1)}`,
  });
  return isOldTree ? [below(old.name, now.name), now] : [old, below(now.name, old.name)];
}
