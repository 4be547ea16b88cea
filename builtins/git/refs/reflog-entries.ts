/** The entries of a reflog as `git log -g`, `git reflog` and `git stash list` name them: `HEAD@{2}`, `HEAD@{date}`. */
import { fromWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { readDateStyle, readInstant } from "./dates.ts";
import { GitError } from "../git-error.ts";
import type { PrettyPlace } from "../log/pretty.ts";
import type { LogEntry } from "./refs.ts";
import { HOW_TO_SEPARATE, refNamed } from "./revision.ts";

/** Entries, the newest first; `typed` may name one to begin with (`main@{3}`). Throws GitError. */
export function* reflogEntries(run: CommandRun<"--date">, typed: string): Generator<NonNullable<PrettyPlace["reflog"]>, void> {
  const { repository, options, dates, invocation } = run;
  const [, base = typed, inside] = /^([^]*?)@\{([^}]*)\}$/.exec(typed) ?? [];
  const given = base === "" ? (repository.refs.symbolic("HEAD") ?? "HEAD").replace(/^refs\/heads\//, "") : base;
  const name = refNamed(repository, given);
  if (name === undefined)
    throw new GitError(`ambiguous argument '${typed}': unknown revision or path not in the working tree.\n${HOW_TO_SEPARATE}`);
  const entries = repository.refs.log(name === "HEAD" || repository.refs.hasLog(name) ? name : (repository.refs.symbolic(name) ?? name));
  const date = options.last("--date") ?? repository.config.get("log.date");
  const byDate =
    date !== undefined && date !== ""
      ? options.has("--date") || (inside !== undefined && !/^[0-9]+$/.test(inside))
      : inside !== undefined && !/^[0-9]+$/.test(inside);
  const style = readDateStyle(fromWord(date === undefined || date === "" ? "default" : date));
  let from = 0;
  if (inside !== undefined) from = /^[0-9]+$/.test(inside) ? Number(inside) : entriesSince(entries, readInstant(inside, invocation));
  for (let back = from; back < entries.length; back++) {
    const entry = entries[entries.length - 1 - back] as LogEntry;
    const at = byDate ? dates.text(entry.who, style) : String(back);
    const short = `${given.replace(/^refs\/(heads|remotes|tags)\//, "").replace(/^refs\//, "")}@{${at}}`;
    yield { entry, selector: `${given}@{${at}}`, short };
  }
}

/** Counts the entries that are younger than an instant. */
function entriesSince(entries: readonly LogEntry[], seconds: number): number {
  const found = entries.findLastIndex(({ who }) => who.seconds <= seconds);
  return entries.length - 1 - Math.max(0, found);
}
