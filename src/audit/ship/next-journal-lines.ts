/**
 * The next lines of a journal that a prune may have shortened in front, that somebody may have rewritten, and that a project may have
 * brought: what is not as we left it is itself told as a notice.
 */
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import type { WritableFile } from "../../workspace/write/write-file.ts";
import { checkSize, JOURNAL_NAME } from "../journal.ts";
import { parseLine, type ResumeLine } from "../journal-lines.ts";
import { BLOCK_END, type RawLine, rawLinesOfBlocks, TOO_LONG } from "../raw-lines.ts";
import { memberBytes, openStored } from "../stored-journal.ts";
import type { Gathered } from "./gathered.ts";
import { CHAIN_START, isPlaceOf, type JournalPlace, tailOf } from "./place.ts";
import { momentOf } from "./shipped-line.ts";
import type { ReaderTime } from "./slices.ts";

type Where = Omit<JournalPlace, "tail" | "sequence">;
const START: Where = { offset: 0, prev: CHAIN_START, id: "0", isFront: true };

/** Adds lines from `place` on to `gathered`, until that is full, and gives the place behind them. Throws FileError. */
export async function nextJournalLines(
  writer: WorkspaceWriter,
  place: JournalPlace,
  gathered: Gathered,
  time: ReaderTime,
): Promise<JournalPlace> {
  const file = openStored(writer, JOURNAL_NAME);
  if (file === undefined) {
    if (place.offset === 0) return { ...place, isWatched: true };
    replaced(place, gathered);
    return { ...place, ...START, tail: "" };
  }
  try {
    checkSize(file);
    const from = isPlaceOf(file, place) ? place : await refound(file, place, gathered, time);
    if (file.size > 0 && place.sequence === 0 && place.offset === 0 && place.isWatched !== true)
      gathered.notice("first-seen", momentOf("0"));
    const to = await read(file, from, gathered, time);
    return { ...to, tail: tailOf(file, to.offset), sequence: gathered.sequence("journal") };
  } finally {
    file.close();
  }
}

async function read(file: WritableFile, from: Where, gathered: Gathered, time: ReaderTime): Promise<Where> {
  let here = from;
  for (const raw of rawLinesOfBlocks(file, from.offset)) {
    if (time.slices.isOver) await time.slices.next(time.signal);
    if (raw === BLOCK_END) continue;
    // A line without its newline is still being written, or was cut short: the next write ends it.
    if (raw.end <= here.offset) break;
    here = taken(raw, here, gathered);
    if (gathered.isFull) break;
  }
  return here;
}

/** Adds one line, after a notice where it does not follow from the one before. */
function taken(raw: RawLine, { prev, id, isFront }: Where, gathered: Gathered): Where {
  const line = raw.bytes === TOO_LONG ? undefined : parseLine(raw.bytes);
  if (line === undefined) {
    gathered.damaged("journal", momentOf(id), raw);
    return { offset: raw.end, prev: raw.sha256, id, isFront: false };
  }
  const isOfFront = line.kind === "kept" || line.kind === "resume";
  if (line.prev !== prev || (isOfFront && !isFront))
    gathered.notice("chain-broken", momentOf(line.id), { prev: line.prev, expected: prev });
  gathered.add("journal", { ...momentOf(line.id), kind: line.kind, text: raw.bytes.toString("utf8") });
  return {
    offset: raw.end,
    prev: isFront && line.kind === "resume" ? line.last : raw.sha256,
    id: line.id,
    isFront: isFront && line.kind === "kept",
  };
}

/**
 * The place after the line that was sent last, in a journal that is another file than it was: one that was pruned. Where that line is
 * not there any more, the first line after it that is; of any other journal its beginning.
 */
async function refound(file: WritableFile, place: JournalPlace, gathered: Gathered, time: ReaderTime): Promise<Where> {
  const front = await frontOf(file, time);
  if (front !== undefined) {
    const behind = { offset: front.end, prev: front.resume.last, isFront: false };
    if (front.resume.last === place.prev) return { ...behind, id: place.id };
    if (BigInt(front.resume.id) > BigInt(place.id)) {
      gathered.notice("pruned-unsent", momentOf(front.resume.id), { after: place.id, until: front.resume.id });
      return { ...behind, id: front.resume.id };
    }
  }
  for (const raw of rawLinesOfBlocks(file, front?.end ?? 0, memberBytes("id", place.id))) {
    if (time.slices.isOver) await time.slices.next(time.signal);
    if (raw !== BLOCK_END && raw.bytes !== TOO_LONG && raw.sha256 === place.prev)
      return { offset: raw.end, prev: place.prev, id: place.id, isFront: false };
  }
  replaced(place, gathered);
  return START;
}

const replaced = (place: JournalPlace, gathered: Gathered): void =>
  gathered.notice("journal-replaced", momentOf(place.id), { after: place.id, sha256: place.prev });

/** The end of the lines that a prune has put in front, in bytes; undefined where none has. */
async function frontOf(file: WritableFile, time: ReaderTime): Promise<{ readonly resume: ResumeLine; readonly end: number } | undefined> {
  for (const raw of rawLinesOfBlocks(file)) {
    if (time.slices.isOver) await time.slices.next(time.signal);
    if (raw === BLOCK_END) continue;
    const { bytes, end } = raw;
    const line = bytes === TOO_LONG ? undefined : parseLine(bytes);
    if (line?.kind === "resume") return { resume: line, end };
    if (line?.kind !== "kept") return undefined;
  }
  return undefined;
}
