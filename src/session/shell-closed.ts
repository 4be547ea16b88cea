/** The sentence for whatever is asked of a shell that is closed, by whichever way. */

export const SHELL_CLOSED = "the shell is closed; open another with Shell.open";
