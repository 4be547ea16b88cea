/** Ways out of `git checkout [COMMIT] -- FILE` and `git restore FILE`, which would write a file as a commit has it. */
import { quoteWord } from "../../../src/display/quote.ts";

export interface TakenBack {
  /** The file, from the current directory. */
  readonly path: string;
  /** The line that takes its recorded changes back; undefined where another commit is meant than the last. */
  readonly undone: string | undefined;
  /** The line that writes the committed bytes; undefined where the words may not mean a file. */
  readonly written: string | undefined;
  /** What that line does not do, as a clause. */
  readonly lost: string;
}

/** `words` are those behind the command's name. undefined where they name no file, several, or other changes than its own. */
export function takenBack(name: string, words: readonly string[]): TakenBack | undefined {
  const side = sideOf(name, words);
  if (side !== undefined) return side;
  const dashes = words.indexOf("--");
  const before = dashes < 0 ? words : words.slice(0, dashes);
  const given = name === "restore" ? sourceOf(before) : { revision: undefined, rest: before };
  const operands = given.rest.filter((word) => !word.startsWith("-"));
  const options = given.rest.filter((word) => word.startsWith("-"));
  // Before the dashes, checkout has a commit.
  const [typedRevision, ...stray] = name === "checkout" && dashes >= 0 ? operands : [];
  const [path, ...others] = dashes >= 0 ? words.slice(dashes + 1) : operands;
  const isPlain = options.every((option) => PLAIN[name]?.has(option) === true);
  if (path === undefined || stray.length + others.length > 0 || /^[/:]|[*?[\\]|^\.\.?\/?$/.test(path) || !isPlain) return undefined;
  const revision = given.revision ?? typedRevision ?? "HEAD";
  const typed = quoteWord(path.startsWith("-") ? `./${path}` : path);
  const isFile = (dashes >= 0 || name === "restore") && !revision.startsWith("-");
  return {
    path,
    undone: revision === "HEAD" ? `undo ${typed}` : undefined,
    written: isFile ? `git show ${quoteWord(`${revision}:./${path.replace(/^\.\//, "")}`)} | tee ${typed} >/dev/null` : undefined,
    lost: "if HEAD has it; the commit's bytes, not the index's",
  };
}

/** `--ours` or `--theirs`: the bytes that the index has of one side of a conflict. */
function sideOf(name: string, words: readonly string[]): TakenBack | undefined {
  const [side, ...rest] = words.filter((word) => word !== "--");
  const stage = /^(?:--ours|-2)$/.test(side ?? "") ? 2 : /^(?:--theirs|-3)$/.test(side ?? "") ? 3 : undefined;
  const [path, ...others] = rest;
  if (!/^(?:checkout|restore)$/.test(name) || stage === undefined || path === undefined || others.length > 0) return undefined;
  if (/^[-/:]|[*?[\\]|^\.\.?\/?$/.test(path)) return undefined;
  const written = `git show ${quoteWord(`:${stage}:./${path.replace(/^\.\//, "")}`)} | tee ${quoteWord(path)} >/dev/null`;
  return { path, undone: undefined, written, lost: "if it is in conflict; the index's bytes" };
}

/** The commit that --source names, and the words without it. */
function sourceOf(words: readonly string[]): { readonly revision: string | undefined; readonly rest: readonly string[] } {
  const at = words.findLastIndex((word) => /^(?:--source(?:=|$)|-s)/.test(word));
  const word = words[at];
  if (word === undefined) return { revision: undefined, rest: words };
  const isApart = word === "--source" || word === "-s";
  const revision = isApart ? words[at + 1] : word.replace(/^(?:--source=|-s)/, "");
  return { revision, rest: words.toSpliced(at, isApart ? 2 : 1) };
}

/** Options with which the command changes nothing but the file. */
const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  checkout: new Set(["-q", "--quiet", "-f", "--force"]),
  restore: new Set(["-q", "--quiet", "-W", "--worktree"]),
};
