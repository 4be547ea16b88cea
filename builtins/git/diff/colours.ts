/** Colours of a diff, which --color-words and --word-diff=color ask for: those that git has by default. */
import type { Options } from "../commands/options.ts";
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { DiffFlag } from "./diff-flags.ts";
import type { DiffFormat } from "./diff-options.ts";

const CODES = { removed: 31, added: 32, commit: 33, place: 36, header: 1 } as const;

const RESET = "\x1b[m";

/** `text` in a colour; it ends without a newline. */
export const painted = (text: string, as: keyof typeof CODES): string => `\x1b[${CODES[as]}m${text}${RESET}`;

/** Each line of a header in its colour. */
export const paintedLines = (text: string): string => text.replace(/[^\n]+/g, (line) => painted(line, "header"));

/** A line of both sides, which has no colour of its own, and ends in a reset; `line` ends in a newline. */
export const plainLine = (line: string): string => line.replace(/^([^]*?[^\r\n][^]*?)(\r?\n)$/, `$1${RESET}$2`);

/** What stands behind the place of a hunk. */
export const paintedFunction = (text: string): string => ` ${RESET}${text}${RESET}`;

const DONE: ReadonlySet<DiffFormat> = new Set([
  "patch",
  "stat",
  "numstat",
  "shortstat",
  "name-only",
  "name-status",
  "raw",
  "summary",
  "compact-summary",
]);

/** True if output is coloured: where words are, and no flag takes it back. Throws GitError where more would be than is coloured here. */
export function areColoured(
  options: Options<DiffFlag>,
  config: Config,
  asked: { readonly formats: ReadonlySet<DiffFormat>; readonly hasWords: boolean; readonly showsSubmodules: boolean },
): boolean {
  const on = options
    .each("--color-words", "--word-diff", "--color", "--no-color")
    .findLast(({ name, value }) => name !== "--word-diff" || value === "color");
  if (on === undefined || on.name === "--color" || on.name === "--no-color") return false;
  const slot = config.settings.find(({ name }) => /^color\.(?:diff|decorate)\./.test(name));
  if (slot !== undefined) throw new GitError(`${on.name}: colours are git's own here, and not those of ${slot.name}`);
  const format = [...asked.formats].find((name) => !DONE.has(name));
  if (format !== undefined) throw notColoured(on.name, `--${format} is`);
  if (!asked.hasWords) throw notColoured(on.name, "lines are");
  if (asked.showsSubmodules) throw notColoured(on.name, "--submodule is");
  return true;
}

/** Says of what `flag` asks that it has no colours. */
export const notColoured = (flag: string, what: string): GitError =>
  new GitError(`${flag}: ${what} not coloured here\nhint: git diff --word-diff`);
