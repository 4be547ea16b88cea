/** The next lines that a sink gets of a workspace, read from the files of the records as they are, and the place behind them. */
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import { nextCalls } from "./next-calls.ts";
import { nextJournalLines } from "./next-journal-lines.ts";
import { Gathered } from "./gathered.ts";
import type { Place } from "./place.ts";
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
  return { lines: gathered.lines, after: { ...place, journal, calls, notices: withAnchor(place, BigInt(journal.id), gathered) } };
}

/**
 * Adds the anchor that waits, once the line that it is about has been read. Of a journal that was replaced there is no such line: the
 * anchor is then dropped, and the next one is of the journal as it is.
 */
function withAnchor({ journal, notices }: Place, read: bigint, gathered: Gathered): Place["notices"] {
  const { anchor, ...others } = notices;
  const isDue = anchor !== undefined && read >= BigInt(anchor.id);
  if (isDue) gathered.add("notices", { ...anchor, kind: "anchor" });
  const after = { ...others, sequence: gathered.sequence("notices") };
  return anchor === undefined || isDue || read < BigInt(journal.id) ? after : { ...after, anchor };
}
