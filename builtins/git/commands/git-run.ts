/** Runs one command in its repository. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { fromWord, toWord } from "../objects/byte-text.ts";
import type { GitLine } from "./command-line.ts";
import type { Running } from "./command.ts";
import { DatePrinter } from "../refs/dates.ts";
import { GitError } from "../git-error.ts";
import { normal } from "../objects/object-store.ts";
import { openRepository } from "../repository.ts";

/** Prints byte strings. Throws GitError, UsageError, FileError. */
export function* runGit(
  invocation: Invocation,
  line: Extract<GitLine, { readonly kind: "command" }>,
  print: (text: string) => void,
  complain: (text: string) => void,
): Running {
  const { files } = invocation;
  // No repository is in a mount, and none is above it.
  if (files.currentDirectory.startsWith("/")) throw new GitError("not a git repository (or any of the parent directories): .git");
  let directory = fromWord(files.currentDirectory);
  for (const { path } of line.directories) directory = changed(invocation, directory, path);
  const repository = openRepository(invocation, directory, line.settings);
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

function changed({ files }: Invocation, from: string, typed: string): string {
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
  return joined;
}
