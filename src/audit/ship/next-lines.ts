/** The next lines that a sink gets of a workspace, read from the files of the records as they are, and the place behind them. */
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import { nextCalls } from "./next-calls.ts";
import { nextJournalLines } from "./next-journal-lines.ts";
import { Gathered } from "./gathered.ts";
import type { Place, WaitingNotice } from "./place.ts";
import type { ShippedLine } from "./shipped-line.ts";
import type { ReaderTime } from "./slices.ts";

export interface NextLines {
  /** In the order in which they go out. */
  readonly lines: readonly ShippedLine[];
  /** Place once the sink has confirmed all of them. */
  readonly after: Place;
}

/**
 * Reads on from `place`, up to about `mostBytes`, of which one line may be more, in slices of `time`. Changes nothing. Throws FileError
 * where the files cannot be read, and the reason of `time.signal`.
 */
export async function nextLines(writer: WorkspaceWriter, place: Place, mostBytes: number, time: ReaderTime): Promise<NextLines> {
  await time.slices.next(time.signal);
  const gathered = new Gathered(place, mostBytes);
  const journal = await nextJournalLines(writer, place.journal, gathered, time);
  const calls = await nextCalls(writer, place.calls, gathered, time);
  gathered.end();
  return { lines: gathered.lines, after: { ...place, journal, calls, notices: withWaiting(place, BigInt(journal.id), gathered) } };
}

/**
 * Adds the notices that wait, as far as the lines that they are about have been read. Of a journal that was replaced there are no such
 * lines: those notices are then dropped, and the next anchor is of the journal as it is.
 */
function withWaiting({ journal, notices }: Place, read: bigint, gathered: Gathered): Place["notices"] {
  const isReplaced = read < BigInt(journal.id);
  const isDue = ({ id }: WaitingNotice): boolean => read >= BigInt(id);
  const kept = isReplaced ? notices.waiting.filter(isDue) : notices.waiting;
  const ahead = kept.findIndex((notice) => !isDue(notice));
  const due = ahead < 0 ? kept : kept.slice(0, ahead);
  for (const notice of due) gathered.add("notices", notice);
  return { ...notices, waiting: kept.slice(due.length), sequence: gathered.sequence("notices") };
}
