/** Ways out of `git checkout -- FILE` and `git restore FILE`, which would take the changes of a file back. */
import { quoteWord } from "../../../src/display/quote.ts";

export interface TakenBack {
  /** The file, from the current directory. */
  readonly path: string;
  /** The line that takes its recorded changes back. */
  readonly undone: string;
  /** The line that writes the committed bytes; undefined where the words may not mean a file. */
  readonly written: string | undefined;
}

/** `words` are those behind the command's name. undefined where they name no file, several, or other changes than its own. */
export function takenBack(name: string, words: readonly string[]): TakenBack | undefined {
  const dashes = words.indexOf("--");
  const options = dashes < 0 ? words.filter((word) => word.startsWith("-")) : words.slice(0, dashes);
  const [path, ...others] = dashes < 0 ? words.filter((word) => !word.startsWith("-")) : words.slice(dashes + 1);
  if (path === undefined || others.length > 0 || path.startsWith("/") || !options.every((option) => PLAIN[name]?.has(option) === true))
    return undefined;
  const typed = quoteWord(path.startsWith("-") ? `./${path}` : path);
  const isFile = dashes >= 0 || name === "restore";
  return {
    path,
    undone: `undo ${typed}`,
    written: isFile ? `git show ${quoteWord(`HEAD:./${path.replace(/^\.\//, "")}`)} | tee ${typed} >/dev/null` : undefined,
  };
}

/** Options with which the command takes back what was changed since the last commit. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  checkout: new Set(["HEAD", "-q", "--quiet", "-f", "--force"]),
  restore: new Set(["-q", "--quiet", "-W", "--worktree", "--source=HEAD", "-sHEAD"]),
};
