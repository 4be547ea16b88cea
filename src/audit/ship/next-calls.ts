/** The next lines of the log of calls, which is cut by giving its file another name: the place may be in either of the two. */
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import type { WritableFile } from "../../workspace/write/write-file.ts";
import { CALL_LOGS, MOST_CALL_LOG_BYTES, parseCall } from "../call-log.ts";
import { BLOCK_END, rawLinesOfBlocks, TOO_LONG } from "../raw-lines.ts";
import { openStored } from "../stored-journal.ts";
import type { Gathered } from "./gathered.ts";
import { type CallsPlace, type FilePlace, isPlaceOf, tailOf } from "./place.ts";
import { momentOf, timeIn } from "./shipped-line.ts";
import type { ReaderTime } from "./slices.ts";

/** Adds calls from `place` on to `gathered`, until that is full, and gives the place behind them. Rejects with FileError. */
export async function nextCalls(
  writer: WorkspaceWriter,
  { isPassedOver: wasPassedOver = false, ...place }: CallsPlace,
  gathered: Gathered,
  time: ReaderTime,
): Promise<CallsPlace> {
  if (gathered.isFull) return { ...place, ...(wasPassedOver ? { isPassedOver: true } : {}) };
  const [olderName, name] = CALL_LOGS;
  // In this order: where the file is cut in between, it is opened twice and never missed.
  const current = openStored(writer, name);
  const older = openStored(writer, olderName);
  try {
    const isTwice = older !== undefined && older.status.inode === current?.status.inode;
    const files = (isTwice ? [older] : [older, current]).filter((file) => file !== undefined);
    // The server would be busy with one that is larger than any of ours, and it was brought from elsewhere.
    const ours = files.filter(({ size }) => size <= MOST_CALL_LOG_BYTES);
    if (ours.length === files.length) return await readFrom(ours, place, gathered, time);
    const bytes = Math.max(...files.map(({ size }) => size));
    if (!wasPassedOver) gathered.notice("calls-passed-over", momentOf("0"), { bytes, most: MOST_CALL_LOG_BYTES });
    const isKnown = place.offset === 0 || ours.some((file) => isPlaceOf(file, place));
    return { ...(isKnown ? await readFrom(ours, place, gathered, time) : place), isPassedOver: true };
  } finally {
    current?.close();
    older?.close();
  }
}

/** Reads on from `place` in the one of `files` that has it, and from the beginning where none has. */
async function readFrom(files: readonly WritableFile[], place: FilePlace, gathered: Gathered, time: ReaderTime): Promise<FilePlace> {
  const began = place.offset === 0 ? 0 : files.findIndex((file) => isPlaceOf(file, place));
  if (began >= 0) return readAll(files.slice(began), place, gathered, time);
  gathered.notice("calls-replaced", momentOf("0"), { calls: place.sequence });
  return readAll(files, { ...place, offset: 0, tail: "" }, gathered, time);
}

/** Reads the first file from `place` on, and then the others from their beginning. A file of which no line was read is no place. */
async function readAll(files: readonly WritableFile[], place: FilePlace, gathered: Gathered, time: ReaderTime): Promise<FilePlace> {
  let here: { readonly file: WritableFile; readonly offset: number } | undefined;
  for (const [index, file] of files.entries()) {
    const from = index === 0 ? place.offset : 0;
    const offset = await read(file, from, gathered, time);
    if (index === 0 || offset > 0) here = { file, offset };
    if (gathered.isFull) break;
  }
  if (here === undefined) return place;
  return { offset: here.offset, tail: tailOf(here.file, here.offset), sequence: gathered.sequence("calls") };
}

async function read(file: WritableFile, from: number, gathered: Gathered, time: ReaderTime): Promise<number> {
  let offset = from;
  for (const raw of rawLinesOfBlocks(file, from)) {
    if (time.slices.isOver) await time.slices.next(time.signal);
    if (raw === BLOCK_END) continue;
    if (raw.end <= offset) break;
    const call = raw.bytes === TOO_LONG ? undefined : parseCall(raw.bytes);
    if (call === undefined) gathered.damaged("calls", momentOf("0"), raw);
    else gathered.add("calls", { id: "", kind: "call", time: timeIn(call.ts), text: raw.bytes.toString("utf8") });
    offset = raw.end;
    if (gathered.isFull) break;
  }
  return offset;
}
