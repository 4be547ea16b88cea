/** Runs one command in its repository. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import type { Files } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { GitLine } from "./command-line.ts";
import type { Running } from "./command.ts";
import { DatePrinter } from "../dates/date-printer.ts";
import { GitError } from "../git-error.ts";
import { normal } from "../objects/object-store.ts";
import { openRepository } from "../repository.ts";

/** Prints byte strings. Throws GitError, UsageError, FileError. */
export function* runGit(
  given: Invocation,
  line: Extract<GitLine, { readonly kind: "command" }>,
  print: (text: string) => void,
  complain: (text: string) => void,
): Running {
  let start = startingPlace(given.files);
  for (const { path } of line.directories) start = changed(start, path);
  const invocation = start.files === given.files ? given : { ...given, files: start.files };
  const repository = openRepository(invocation, start.directory, line.settings);
  repository.warnsTo(complain);
  try {
    const exit = yield* line.command.run({
      repository,
      options: line.options,
      invocation,
      dates: new DatePrinter(invocation),
      print,
      complain,
    });
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

function startingPlace(files: Files): Place {
  if (!files.currentDirectory.startsWith("/")) return { whole: files, files, directory: fromWord(files.currentDirectory) };
  const mounted = files.inMount(files.currentDirectory);
  // The scratch holds no repository, and none is above it.
  if (mounted === undefined) throw new GitError("not a git repository (or any of the parent directories): .git");
  return { whole: files, files: mounted, directory: fromWord(mounted.currentDirectory) };
}

function changed({ whole, files: here, directory: from }: Place, typed: string): Place {
  const files = typed.startsWith("/") ? (whole.inMount(typed) ?? whole) : here;
  const inside = typed.startsWith("/") ? files.fromRoot(typed) : undefined;
  if (typed.startsWith("/") && inside === undefined) throw new GitError(`cannot change to '${fromWord(typed)}': outside the workspace`);
  const joined = normal(inside === undefined ? `${from}/${fromWord(typed)}` : fromWord(inside));
  if (joined === undefined) throw new GitError(`cannot change to '${fromWord(typed)}': outside the workspace`);
  try {
    const { kind } = files.status(`${files.rootPath === "/" ? "" : files.rootPath}/${toWord(joined)}`);
    if (kind !== "directory") throw new GitError(`cannot change to '${fromWord(typed)}': Not a directory`);
  } catch (thrown) {
    if (thrown instanceof FileError) throw new GitError(`cannot change to '${fromWord(typed)}': ${thrown.message}`);
    throw thrown;
  }
  return { whole, files, directory: joined };
}
