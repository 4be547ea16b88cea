/** Lines for a sink, gathered up to a number of bytes, with their numbers; and the notices among them. */
import type { RawLine } from "../raw-lines.ts";
import type { Place } from "./place.ts";
import type { ShippedLine, ShippedLog } from "./shipped-line.ts";

export class Gathered {
  readonly lines: ShippedLine[] = [];
  readonly #place: Place;
  readonly #mostBytes: number;
  readonly #sequences: Record<ShippedLog, number>;
  #bytes = 0;
  /** Lines one after the other that are none of ours: one notice is of all, since a project may bring any number. */
  #damaged: { readonly log: ShippedLog; readonly at: Moment; readonly sha256: string; lines: number } | undefined;
  #damagedLines = 0;

  constructor(place: Place, mostBytes: number) {
    this.#place = place;
    this.#mostBytes = mostBytes;
    this.#sequences = { journal: place.journal.sequence, calls: place.calls.sequence, notices: place.notices.sequence };
  }

  get isFull(): boolean {
    return this.#bytes >= this.#mostBytes || this.#damagedLines >= MOST_DAMAGED_LINES;
  }

  /** Number of the last line of this log. */
  sequence(log: ShippedLog): number {
    return this.#sequences[log];
  }

  add(log: ShippedLog, line: Pick<ShippedLine, "id" | "kind" | "time" | "text">): void {
    this.end();
    const { stream, workspace } = this.#place;
    this.lines.push({ stream, workspace, log, sequence: ++this.#sequences[log], ...line });
    this.#bytes += line.text.length + LINE_OVERHEAD_BYTES;
  }

  /** Takes note of a line that is none of ours. */
  damaged(log: ShippedLog, at: Moment, line: RawLine): void {
    this.#damagedLines++;
    if (this.#damaged?.log === log) this.#damaged.lines++;
    else {
      this.end();
      this.#damaged = { log, at, sha256: line.sha256, lines: 1 };
    }
  }

  /** Adds the notice of damaged lines that has not been added yet. */
  end(): void {
    if (this.#damaged === undefined) return;
    const { at, ...facts } = this.#damaged;
    this.#damaged = undefined;
    this.notice("line-damaged", at, facts);
  }

  /** Adds `noticeOf`. */
  notice(kind: NoticeKind, at: Moment, facts: Readonly<Record<string, unknown>> = {}): void {
    this.add("notices", noticeOf(kind, at, facts));
  }
}

/** A line of our own about the records: `facts` with the words for it. */
export const noticeOf = (
  kind: NoticeKind,
  at: Moment,
  facts: Readonly<Record<string, unknown>>,
): Pick<ShippedLine, "id" | "kind" | "time" | "text"> => ({
  ...at,
  kind,
  text: JSON.stringify({ kind, detail: NOTICES[kind], ...at, ...facts }),
});

type Moment = Pick<ShippedLine, "id" | "time">;

/** Most of one batch, each of which takes time to be looked at. */
const MOST_DAMAGED_LINES = 10_000;
/** Roughly what a sink adds to a line. */
const LINE_OVERHEAD_BYTES = 256;

export type NoticeKind = keyof typeof NOTICES;

/** The sentences for a notice of this kind; undefined for any other line. */
export const noticeWords = (kind: string): string | undefined => Object.entries(NOTICES).find(([each]) => each === kind)?.[1];

const NOTICES = {
  "first-seen": "The journal was there before this server sent any of it: nothing vouches for what it says of that time.",
  "chain-broken": "The next line of the journal does not follow from the line before it: lines were changed, removed or put in.",
  "line-damaged": "Lines are none that shelpa writes: they are not sent, but the hash of the first of them.",
  "journal-replaced":
    "The journal no longer holds what was sent of it: it was rewritten, replaced or removed. It is sent from its beginning.",
  "pruned-unsent": "Lines of the journal were pruned before they were sent: they are in the archive that the line 'pruned' names.",
  "written-unwatched": "Lines were recorded behind the head that was signed when the workspace was closed, while no server watched it.",
  "anchor-lost":
    "The journal no longer has the head that was signed last: it was rewritten, replaced or cut off. The next anchor is of another.",
  "anchor-refused":
    "The chain of the journal is broken in front of its head: lines were changed, removed or put in. The head is not signed.",
  "calls-passed-over":
    "The log of calls is larger than any that shelpa writes: it was brought from elsewhere, or something else writes to it. It is not sent.",
  "calls-replaced": "The log of calls no longer holds what was sent of it: calls may have been lost. It is sent from its beginning.",
} as const;
