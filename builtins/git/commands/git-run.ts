/** Runs one command in its repository. */
import { isAbsolutePath } from "../../../src/glob/absolute-path.ts";
import type { Invocation } from "../../../src/builtin/definition.ts";
import type { Files } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { GitLine } from "./command-line.ts";
import type { Running } from "./command.ts";
import { DatePrinter } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { normal } from "../objects/object-store.ts";
import { unreadSettings } from "./typed-settings.ts";
import type { TypedPlaces } from "../repository-place.ts";
import { openRepository } from "../repository-search.ts";

/** Prints byte strings. Throws GitError, UsageError, FileError. */
export function* runGit(
  given: Invocation,
  line: Extract<GitLine, { readonly kind: "command" }>,
  print: (text: string) => void,
  complain: (text: string) => void,
): Running {
  let start = startingPlace(given.files);
  for (const { path } of line.directories) start = changed(start, path);
  const { files, directory, places } = placesOf(start, line, given.environment());
  const invocation = files === given.files ? given : { ...given, files };
  const repository = openRepository(invocation, directory, line.settings, { ...places, mayBeAbsent: line.command.worksOutside === true });
  try {
    repository.warnsTo(complain);
    for (const warning of unreadSettings(line.name, line.options, repository.config.settings)) complain(warning);
    const exit = yield* line.command.run({
      repository,
      options: line.options,
      invocation,
      dates: new DatePrinter(invocation),
      print,
      complain,
    });
    if (repository.renameLimitNeeded > 0 && line.name !== "format-patch")
      complain(
        `warning: exhaustive rename detection was skipped due to too many files.\nwarning: you may want to set your diff.renameLimit variable to at least ${repository.renameLimitNeeded} and retry the command.\n`,
      );
    return repository.denied.hasSkipped ? INCOMPLETE : exit;
  } finally {
    repository.close();
  }
}

/** Files were left out that the policy does not let be read: no answer is whole, and none means "no match" or "no difference". */
const INCOMPLETE = 128;

/** A directory in which a repository is looked for, and not above `files`' root, which may be a mount. */
interface Place {
  /** The stage's own. */
  readonly whole: Files;
  readonly files: Files;
  readonly directory: string;
}

/** Variables of the environment that would say more about the repository than is read here. */
const REFUSED_VARIABLES = [
  ...["GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE"],
  ...["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CEILING_DIRECTORIES", "GIT_ICASE_PATHSPECS", "GIT_GLOB_PATHSPECS"],
  ...["GIT_NOGLOB_PATHSPECS", "GIT_LITERAL_PATHSPECS", "GIT_NOTES_REF", "GIT_DEFAULT_HASH", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS"],
];

/** Variables that are refused unless they have such a value, with which git does what is done here. */
const HARMLESS_VALUES: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  [/^GIT_CONFIG_(?:GLOBAL|SYSTEM)$/, /^\/dev\/null$/],
  [/^GIT_TRACE(?:_\w+)?$/, /^(?:0|false|no)$/i],
];

/** Where the repository is looked for, or is: a place in another tree than the current directory has its own files. */
function placesOf(
  start: Place,
  { places }: Extract<GitLine, { readonly kind: "command" }>,
  environment: ReadonlyMap<string, string>,
): { readonly files: Files; readonly directory: string; readonly places: TypedPlaces } {
  const isHarmful = (name: string, value: string): boolean =>
    HARMLESS_VALUES.some(([of, harmless]) => of.test(name) && !harmless.test(value));
  const set = [...environment].filter(([, value]) => value !== "");
  const [refused] = set.find(([name, value]) => REFUSED_VARIABLES.includes(name) || isHarmful(name, value)) ?? [];
  if (refused !== undefined) throw new GitError(`${refused} is set, which is not read here`);
  const gitTyped = places.gitDirectory?.path ?? (environment.get("GIT_DIR") || undefined);
  const treeTyped = places.worktree?.path ?? (environment.get("GIT_WORK_TREE") || undefined);
  const worktree = treeTyped === undefined ? undefined : changed(start, treeTyped);
  if (gitTyped === undefined) {
    if (worktree !== undefined && !isSameTree(worktree.files, start.files))
      throw new GitError(`${treeTyped}: no work tree of this repository`);
    return { files: start.files, directory: start.directory, places: { worktree: worktree?.directory } };
  }
  const { files, path } = entryIn(start, gitTyped);
  const place = { path, typed: fromWord(gitTyped) };
  const isHere = isSameTree(files, start.files);
  if (worktree !== undefined && !isSameTree(worktree.files, files)) throw new GitError(`${treeTyped}: no work tree of this repository`);
  return {
    files,
    directory: isHere ? start.directory : (worktree?.directory ?? path),
    places: { gitDirectory: place, worktree: worktree?.directory, isElsewhere: !isHere },
  };
}

const isSameTree = (one: Files, other: Files): boolean => one.rootPath === other.rootPath;

function startingPlace(files: Files): Place {
  if (!files.currentDirectory.startsWith("/")) return { whole: files, files, directory: fromWord(files.currentDirectory) };
  const mounted = files.inMount(files.currentDirectory);
  // The scratch holds no repository, and none is above it.
  if (mounted === undefined) throw new GitError("not a git repository (or any of the parent directories): .git");
  return { whole: files, files: mounted, directory: fromWord(mounted.currentDirectory) };
}

/** The tree that a typed path leads into, and the path in it. Throws GitError where it leads outside. */
function entryIn({ whole, files: here, directory: from }: Place, typed: string): { readonly files: Files; readonly path: string } {
  const files = isAbsolutePath(typed) ? (whole.inMount(typed) ?? whole) : here;
  const inside = isAbsolutePath(typed) ? files.fromRoot(typed) : undefined;
  if (isAbsolutePath(typed) && inside === undefined) throw new GitError(`cannot change to '${fromWord(typed)}': outside the workspace`);
  const path = normal(inside === undefined ? `${from}/${fromWord(typed)}` : fromWord(inside));
  if (path === undefined) throw new GitError(`cannot change to '${fromWord(typed)}': outside the workspace`);
  return { files, path };
}

function changed(from: Place, typed: string): Place {
  const { whole } = from;
  const { files, path: joined } = entryIn(from, typed);
  try {
    const { kind } = files.status(`${files.rootPath === "/" ? "" : files.rootPath}/${toWord(joined)}`);
    if (kind !== "directory") throw new GitError(`cannot change to '${fromWord(typed)}': Not a directory`);
  } catch (thrown) {
    if (thrown instanceof FileError) throw new GitError(`cannot change to '${fromWord(typed)}': ${thrown.message}`);
    throw thrown;
  }
  return { whole, files, directory: joined };
}
