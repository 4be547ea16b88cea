/** Commands that a builtin runs as stages of its own (`find -exec`, `xargs`), as far as they are known beforehand. */

/** Shells whose `-c` text may be a plain command. */
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

/**
 * The words of the command in `sh -c 'COMMAND …'`, where that is one plain command without quotes, expansions or
 * operators; undefined for anything else. With `$0` or `$1` for its argument, as in `sh -c 'wc -l "$1"' _ {}`.
 */
export function unwrappedScript(words: readonly string[]): readonly string[] | undefined {
  const [shell, flag, script, ...args] = words;
  if (shell === undefined || flag !== "-c" || script === undefined || !SHELLS.has(shell.split("/").at(-1) ?? "")) return undefined;
  const unwrapped: string[] = [];
  for (const word of script.trim().split(/\s+/)) {
    const parameter = /^"?\$\{?([0-9@])\}?"?$/.exec(word)?.[1];
    const text =
      parameter === undefined
        ? word.replace(/^(["'])([^"'$`\\]*)\1$/, "$2")
        : parameter === "@"
          ? args.slice(1).join(" ")
          : args[Number(parameter)];
    if (text === undefined || !/^[A-Za-z0-9_@%+=:,./{}-]+$/.test(text)) return undefined;
    unwrapped.push(text);
  }
  return unwrapped.length === 0 ? undefined : unwrapped;
}
