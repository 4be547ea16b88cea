/** The format of commits that the flags or the configuration ask for. */
import { fromWord } from "../objects/byte-text.ts";
import type { Options } from "../commands/options.ts";
import type { Config } from "../config.ts";
import { GitError } from "../git-error.ts";
import type { Repository } from "../repository.ts";
import { readFormat, type PrettyFormat } from "./pretty.ts";

/** In the order in which the first of several short names is taken. */
const NAMED = ["raw", "medium", "short", "email", "mboxrd", "fuller", "full", "oneline", "reference"];

/** The format that a name or the start of one stands for: git's own, or one of the configuration (`pretty.NAME`). Throws GitError. */
function formatNamed(config: Config, typed: string, seen: readonly string[] = []): PrettyFormat {
  if (typed === "" || typed.includes("%") || /^t?format:/.test(typed)) return readFormat(typed);
  const own = config.settings.flatMap(({ name }) => (name.startsWith("pretty.") ? [name.slice(7)] : []));
  let found: string | undefined;
  for (const name of [...NAMED, ...own]) if (name.startsWith(typed) && (found === undefined || name.length < found.length)) found = name;
  if (found !== undefined && seen.includes(found))
    throw new GitError(`invalid --pretty format: '${seen[0] ?? ""}' references an alias which points to itself`);
  if (found === undefined) throw new GitError(`invalid --pretty format: ${seen[0] ?? typed}`);
  return NAMED.includes(found) ? readFormat(found) : formatNamed(config, config.get(`pretty.${found}`) ?? "", [...seen, found]);
}

export interface ChosenFormat {
  readonly format: PrettyFormat;
  readonly wasGiven: boolean;
  readonly isOneline: boolean;
}

export type FormatFlag = "--oneline" | "--pretty" | "--format";

/** The format that the flags or the configuration ask for. `obeysLog`: of a command that goes by format.pretty. Throws GitError. */
export function chosenFormat(options: Options<FormatFlag>, repository: Repository, obeysLog = true): ChosenFormat {
  const last = options.each("--oneline", "--pretty", "--format").at(-1);
  const given =
    last === undefined
      ? ((obeysLog ? repository.config.get("format.pretty") : undefined) ?? "medium")
      : last.name === "--oneline"
        ? "oneline"
        : last.value === undefined && last.name === "--pretty"
          ? "medium"
          : fromWord(last.value ?? "");
  const format = formatNamed(repository.config, given);
  return { format, wasGiven: last !== undefined, isOneline: last?.name === "--oneline" };
}
