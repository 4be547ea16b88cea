/** Opens a subcommand's root as a workspace; one that cannot be opened is bad usage. */
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { CommandLineError } from "./command-line-error.ts";

/** `root` is an absolute host path. Throws CommandLineError. */
export function openRoot(root: string): Workspace {
  try {
    return Workspace.open(root);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new CommandLineError(`cannot open the root '${root}': ${thrown.message}`);
  }
}
