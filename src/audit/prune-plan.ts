/**
 * Plan of a prune: the lines at the journal's beginning that can go, and what must stay of them. Whole command lines go, as `undo`
 * takes them back, and none of a transaction that is open. The bytes that a remaining record goes back to stay, with their line.
 */
import { createHash } from "node:crypto";
import { showName } from "../display/visible.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { JOURNAL_NAME } from "./journal.ts";
import { rawLines } from "./raw-lines.ts";
import { hasContent, isEnd, parseLine, type IntentLine, type JournalLine, type PreimageLine } from "./journal-lines.ts";
import { openStored } from "./stored-journal.ts";

export interface PrunePlan {
  /** Bytes of the journal that go, and the number of their lines and of the changes among them. */
  readonly bytes: number;
  readonly lines: number;
  readonly records: number;
  /** Id and SHA-256 of the last line that goes. */
  readonly until: string;
  readonly last: string;
  /** SHA-256 of all that go. */
  readonly sha256: string;
  /** Records that go and whose bytes stay, oldest first. */
  readonly kept: readonly (PreimageLine | IntentLine)[];
  readonly mirrors: readonly PrunedMirror[];
  /** Names in the store of symbolic links that records which go had replaced or removed. */
  readonly links: readonly string[];
  /** Number of lines that remain. */
  readonly remaining: number;
}

/** A mirror with bytes of records that go. */
export interface PrunedMirror {
  /** The file that it mirrors. */
  readonly path: string;
  readonly mirror: string;
  /** End of the bytes of records that go. */
  readonly end: number;
  /** Beginning of the bytes that stay; undefined: none do. */
  readonly from: number | undefined;
}

/** Thrown where nothing is pruned; the message says why. */
export class NotPrunable extends Error {
  override readonly name = "NotPrunable";

  /** Names in `message` are spelled out. */
  constructor(message: string) {
    super(showName(message));
  }
}

/**
 * The plan for all records before `beforeNs`; undefined where none can go. With `at` (bytes of an earlier plan) for those alone:
 * undefined where they no longer can. Throws FileError.
 */
export function planPrune(writer: WorkspaceWriter, beforeNs: bigint, at?: number): PrunePlan | undefined {
  const journal = openStored(writer, JOURNAL_NAME);
  if (journal === undefined) return undefined;
  try {
    const lines = positionedLines(journal);
    const count = goingLines(lines, beforeNs, at);
    return count === undefined ? undefined : planOf(journal, lines, count);
  } finally {
    journal.close();
  }
}

const NO_BYTES = createHash("sha256").digest("hex");

interface Positioned {
  readonly line: JournalLine | undefined;
  readonly sha256: string;
  /** Offset after the line and its newline. */
  readonly end: number;
}

function positionedLines(journal: WritableFile): readonly Positioned[] {
  const lines: Positioned[] = [];
  let end = 0;
  for (const { bytes, sha256 } of rawLines(journal)) {
    if (bytes.length === 0 && sha256 !== NO_BYTES) throw new NotPrunable("the journal has a line that is longer than any of ours");
    end += bytes.length + 1;
    lines.push({ line: parseLine(bytes), sha256, end });
  }
  return lines;
}

/** Number of lines that go: of the places where no transaction is open and no command line is cut in two, the last that is old enough. */
function goingLines(lines: readonly Positioned[], beforeNs: bigint, at: number | undefined): number | undefined {
  let firstCall: bigint | undefined;
  for (let count = lines.length; count > 0; count--) {
    const { line, end } = lines[count - 1] as Positioned;
    const isFree = line !== undefined && (firstCall === undefined || firstCall > BigInt(line.id));
    const isSought = at === undefined ? line !== undefined && BigInt(line.id) < beforeNs : end === at;
    if (isFree && isSought && line.kind !== "resume" && (isEnd(line) || (line.kind === "outcome" && line.pending === 0))) return count;
    if (line?.kind === "preimage") firstCall = least(firstCall, line.transaction);
    if (line?.kind === "intent") firstCall = least(firstCall, line.call ?? line.transaction);
  }
  return undefined;
}

const least = (a: bigint | undefined, id: string): bigint => (a === undefined || BigInt(id) < a ? BigInt(id) : a);

function planOf(journal: WritableFile, lines: readonly Positioned[], count: number): PrunePlan {
  const { line, sha256, end } = lines[count - 1] as Positioned;
  const going = lines.slice(0, count).flatMap(contentOf);
  const staying = lines.slice(count).flatMap(contentOf);
  const kept = neededOf(going, staying);
  const remains = [...kept, ...staying];
  return {
    bytes: end,
    lines: count,
    records: lines.slice(0, count).filter(({ line: each }) => each?.kind === "intent").length,
    until: line?.id ?? "",
    last: sha256,
    sha256: digestUpTo(journal, end),
    kept,
    mirrors: mirrorsOf(going, remains),
    links: going.flatMap((record) => (record.kind === "intent" && record.old?.kind === "symlink" ? [record.backup] : [])),
    remaining: lines.length - count,
  };
}

function contentOf({ line }: Positioned): readonly (PreimageLine | IntentLine)[] {
  if (line?.kind === "kept") return [line.record];
  return line?.kind === "preimage" || line?.kind === "intent" ? [line] : [];
}

/** Records that go and that `staying` go back to: each `previous`, and what an append was added to. */
function neededOf(going: readonly (PreimageLine | IntentLine)[], staying: readonly (PreimageLine | IntentLine)[]) {
  const known = new Map(going.map((record) => [record.id, record]));
  const needed = new Set<PreimageLine | IntentLine>();
  for (const record of staying) {
    let id = record.kind === "intent" ? record.previous : null;
    for (let found = known.get(id ?? ""); found !== undefined && !needed.has(found); found = known.get(id ?? "")) {
      needed.add(found);
      id = found.kind === "intent" && found.mode === "append" ? found.previous : null;
    }
  }
  return going.filter((record) => needed.has(record));
}

function mirrorsOf(
  going: readonly (PreimageLine | IntentLine)[],
  remains: readonly (PreimageLine | IntentLine)[],
): readonly PrunedMirror[] {
  const from = new Map<string, number>();
  for (const { mirror, offset } of remains.filter(holdsBytes)) from.set(mirror, Math.min(offset, from.get(mirror) ?? offset));
  const found = new Map<string, PrunedMirror>();
  for (const { path, mirror, content_offset, content } of going.filter(holdsBytes)) {
    const end = Math.max(content_offset + content.bytes, found.get(mirror)?.end ?? 0);
    found.set(mirror, { path, mirror, end, from: from.get(mirror) });
  }
  return [...found.values()];
}

function digestUpTo(journal: WritableFile, end: number): string {
  const hash = createHash("sha256");
  for (const block of journal.blocks(0, end)) hash.update(block);
  return hash.digest("hex");
}

const holdsBytes = (record: PreimageLine | IntentLine): boolean => record.kind === "preimage" || hasContent(record);
