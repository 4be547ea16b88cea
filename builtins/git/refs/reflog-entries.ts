/** The entries of a reflog as `git log -g`, `git reflog` and `git stash list` name them: `HEAD@{2}`, `HEAD@{date}`. */
import { fromWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { readDate } from "../dates/approximate-date.ts";
import { readDateStyle } from "../dates/date-printer.ts";
import type { PrettyPlace } from "../log/pretty.ts";
import type { LogEntry } from "./refs.ts";
import { refNamed, resolveRevision, unknownRevision } from "./revision.ts";

/** Entries, the newest first; `typed` may name one to begin with (`main@{3}`). Throws GitError. */
export function* reflogEntries(run: CommandRun<"--date">, typed: string): Generator<NonNullable<PrettyPlace["reflog"]>, void> {
  const { repository, options, dates, invocation } = run;
  const [, base = typed, inside] = /^([^]*?)@\{([^}]*)\}$/.exec(typed) ?? [];
  const given = base === "" ? (repository.refs.symbolic("HEAD") ?? "HEAD").replace(/^refs\/heads\//, "") : base;
  const logged = [`refs/${given}`, `refs/heads/${given}`].find((full) => given !== "HEAD" && repository.refs.hasLog(full));
  const name = logged ?? refNamed(repository, given);
  if (name === undefined) {
    // A commit that no reference names has no log.
    if (resolveRevision(repository, typed) === undefined) throw unknownRevision(typed);
    return;
  }
  // Git finds a branch's reflog by the typed name, and any other's by its full name.
  const isFound = name === given || name === "HEAD" || name === `refs/heads/${given}` || name === `refs/${given}`;
  const shown = isFound ? given : name;
  const entries = repository.refs.log(name === "HEAD" || repository.refs.hasLog(name) ? name : (repository.refs.symbolic(name) ?? name));
  const date = options.last("--date") ?? repository.config.get("log.date");
  const byDate =
    date !== undefined && date !== ""
      ? options.has("--date") || (inside !== undefined && !/^[0-9]+$/.test(inside))
      : inside !== undefined && !/^[0-9]+$/.test(inside);
  const style = readDateStyle(fromWord(date === undefined || date === "" ? "default" : date));
  let from = 0;
  if (inside !== undefined && isEntryNumber(inside)) from = Number(inside);
  else if (inside !== undefined) {
    const { seconds, isDate } = readDate(inside, invocation);
    if (!isDate) throw unknownRevision(typed);
    from = entriesSince(entries, seconds);
  }
  for (let back = from; back < entries.length; back++) {
    const entry = entries[entries.length - 1 - back] as LogEntry;
    const at = byDate ? dates.text(entry.who, style) : String(back);
    const short = `${given.replace(/^refs\/(heads|remotes|tags)\//, "").replace(/^refs\//, "")}@{${at}}`;
    yield { entry, selector: `${shown}@{${at}}`, short };
  }
}

/** Larger numbers are seconds since the epoch. */
export const isEntryNumber = (inside: string): boolean => /^0*[0-9]{1,8}$/.test(inside);

/** Counts the entries that are younger than an instant. */
function entriesSince(entries: readonly LogEntry[], seconds: number): number {
  const found = entries.findLastIndex(({ who }) => who.seconds <= seconds);
  return entries.length - 1 - Math.max(0, found);
}
