/** The flags of git grep that say which lines of a file are printed, and how. */
import { GitError } from "../git-error.ts";
import type { GrepExpression } from "../log/grep-expression.ts";
import type { GrepOptions } from "../log/grep-file.ts";
import type { GrepFlag } from "./grep-flags.ts";
import type { Options } from "./options.ts";
import type { Repository } from "../repository.ts";

/** Throws GitError. */
export function grepOptions(options: Options<GrepFlag>, { config }: Repository, expression: GrepExpression): GrepOptions {
  const isOn = (on: readonly GrepFlag[], off: readonly GrepFlag[], otherwise = false): boolean => {
    const last = options.lastOf(...on, ...off);
    return last === undefined ? otherwise : on.some((name) => name === last);
  };
  const number = (otherwise: number, ...names: GrepFlag[]): number => {
    const text = options.last(...names);
    if (text === undefined) return otherwise;
    if (!/^[0-9]+$/.test(text))
      throw new GitError(`option \`${(options.lastOf(...names) ?? "").replace(/^-+/, "")}' expects a numerical value`, {
        prefix: "error: ",
        exit: 129,
      });
    return Number(text);
  };
  const both = number(0, "-C", "--context");
  return {
    expression,
    invert: options.has("-v", "--invert-match"),
    allMatch: options.has("--all-match") && expression.termCount > 1,
    quiet: options.has("-q", "--quiet"),
    listsNames: options.has("-l", "--files-with-matches", "--name-only"),
    listsOthers: options.has("-L", "--files-without-match"),
    counts: options.has("-c", "--count"),
    onlyMatching: options.has("-o", "--only-matching"),
    before: number(both, "-B", "--before-context"),
    after: number(both, "-A", "--after-context"),
    functionName: options.has("-p", "--show-function"),
    functionBody: options.has("-W", "--function-context"),
    numbers: isOn(["-n", "--line-number"], ["--no-line-number"], config.boolean("grep.linenumber", false)),
    columns: isOn(["--column"], ["--no-column"], config.boolean("grep.column", false)),
    heading: isOn(["--heading"], ["--no-heading"]),
    breaks: isOn(["--break"], ["--no-break"]),
    names: options.lastOf("-h", "-H") !== "-h",
    endsInNull: options.has("-z", "--null"),
    mostHits: number(Infinity, "-m", "--max-count"),
  };
}
