/** Thrown to end a git command, with git's message. */

/** Ends the command: `fatal: MESSAGE` (or the message as it is) on standard error. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly exit: number;
  readonly prefix: string;

  constructor(message: string, { exit = 128, prefix = "fatal: " }: { readonly exit?: number; readonly prefix?: string } = {}) {
    super(message);
    this.exit = exit;
    this.prefix = prefix;
  }
}
