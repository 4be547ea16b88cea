/** Opens the shell of a subcommand; a root that cannot be opened is bad usage. */
import { Shell, type ShellOptions } from "../session/shell.ts";
import { FileError } from "../workspace/file-error.ts";
import { CommandLineError } from "./command-line-error.ts";

/** Rejects with CommandLineError. */
export async function openShell(options: ShellOptions): Promise<Shell> {
  try {
    return await Shell.open(options);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new CommandLineError(`cannot open the root '${options.root}': ${thrown.message}`);
  }
}
