/** Names that are commands of bash itself. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Commands that only a shell has, so that no program can run them. */
export const SHELL_ALONE = words(
  "alias bg break builtin cd command continue declare dirs eval exec exit export fc fg getopts hash jobs let local mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait . :",
);

/** Commands of bash that are programs besides, or that no line without a terminal has a use for. */
const SHELL_TOO = words("bind caller compgen complete compopt coproc disown enable help history kill logout");

/** Tells whether bash has the command: that it is not found would be untrue. */
export const isOfBash = (name: string): boolean => SHELL_ALONE.has(name) || SHELL_TOO.has(name);

/** Builtins of bash among those here, which `builtin` runs. */
export const BASH_BUILTINS = words(
  ": [ alias break cd command continue declare dirs echo exit export false getopts hash let local mapfile popd printf pushd pwd read readarray readonly return set shift shopt test trap true type typeset unalias unset wait",
);
