/** The flags that ask for a diff of words (--word-diff, --word-diff-regex, --color-words). */
import type { Options } from "../commands/options.ts";
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { DiffFlag } from "./diff-flags.ts";

export interface WordSettings {
  readonly style: "plain" | "porcelain" | "color";
  /** Pattern of a word that goes before that of a file's driver, and the one after it: extended regular expressions. */
  readonly typedPattern: string | undefined;
  readonly usualPattern: string | undefined;
}

/** Throws GitError. */
export function wordSettings(options: Options<DiffFlag>, config: Config): WordSettings | undefined {
  let style: WordSettings["style"] | undefined;
  let typedPattern: string | undefined;
  for (const { name, value } of options.each("--word-diff", "--word-diff-regex", "--color-words")) {
    if (name === "--word-diff") style = wordStyle(value ?? "");
    else if (name === "--color-words") style = "color";
    else style ??= "plain";
    if (name !== "--word-diff") typedPattern = value;
  }
  return style && { style, typedPattern, usualPattern: config.get("diff.wordregex") };
}

/** Throws GitError. */
function wordStyle(text: string): WordSettings["style"] | undefined {
  if (text === "none") return undefined;
  if (text === "" || text === "plain") return "plain";
  if (text === "porcelain" || text === "color") return text;
  throw new GitError(`bad --word-diff argument: ${text}`, { prefix: "error: ", exit: 129 });
}
