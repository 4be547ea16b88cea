/**
 * Ships the records of one workspace to one sink, in order and at least once: reads a batch from the disk, hands it over, and moves the
 * place on when it is confirmed. What waits is on the disk of the workspace, and one batch of it in memory. Nothing waits for a shipper.
 */
import { JOURNAL_NAME } from "../../audit/journal.ts";
import { type NoticeKind, noticeOf, noticeWords } from "../../audit/ship/gathered.ts";
import { nextLines, type NextLines } from "../../audit/ship/next-lines.ts";
import { type JournalSince, journalSince, type Place, type WaitingNotice } from "../../audit/ship/place.ts";
import { momentOf, type ShippedLine } from "../../audit/ship/shipped-line.ts";
import type { Slices } from "../../audit/ship/slices.ts";
import { openStored } from "../../audit/stored-journal.ts";
import { replaceStateFile } from "../../host/state-file.ts";
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WritableFile } from "../../workspace/write/write-file.ts";
import type { NotedEvent } from "../server-events.ts";
import { type AuditSink, SinkAway } from "./audit-sink.ts";
import type { Turns } from "./turns.ts";

/** The operator is told of a kind of notice so often at most, in milliseconds; the sink gets each. */
const NOTICE_MS = 60_000;
/** Interval between looks at files that others may have written to, in milliseconds. */
const LOOK_MS = 30_000;
/** First and longest wait after a failure, in milliseconds; each is twice the one before, less up to half by chance. */
const FIRST_RETRY_MS = 250;
const MOST_RETRY_MS = 60_000;
/** Time that a sink has for what was there before the workspace was opened, in milliseconds. */
const OPENING_MS = 5000;
/** Age of the last confirmation, and of the oldest record that waits, from which on `require_sink` refuses writes, in milliseconds. */
const MOST_WAIT_MS = 30_000;

const ANCHOR = "anchor";
const isAnchor = ({ kind }: WaitingNotice): boolean => kind === ANCHOR;
/** Most notices about heads that wait; of more, the last do. */
const MOST_WAITING = 16;

export interface ShipperOptions {
  /** Opened for this shipper alone. */
  readonly workspace: Workspace;
  readonly sink: AuditSink;
  /** Those of the sink. */
  readonly turns: Turns;
  /** Those of the server. */
  readonly slices: Slices;
  /** Host path of the file that keeps the place. */
  readonly file: string;
  readonly place: Place;
  readonly log: (event: NotedEvent) => void;
  /** Number from 0 to 1. */
  readonly chance: () => number;
  readonly nowMs: () => number;
}

export class Shipper {
  readonly #options: ShipperOptions;
  readonly #end = new AbortController();
  readonly #look: NodeJS.Timeout;
  readonly #openedMs: number;
  #place: Place;
  /** Text of the place as its file has it; undefined: it has none. */
  #saved: string | undefined;
  #running: Promise<void> | undefined;
  /** True where there may be lines that the run that is going on has not seen. */
  #isStale = false;
  #failures = 0;
  /** Clause for the operator; undefined where the last batch was confirmed and nothing kept us from reading. */
  #trouble: string | undefined;
  /** Instant of the oldest line that waits, in milliseconds since the epoch; undefined: nothing waits. */
  #waitingSinceMs: number | undefined;
  /** Instant since which nobody has looked at what may be new, in milliseconds since the epoch. */
  #unseenSinceMs: number | undefined;
  /** Changes to the notices of the place that are made before the next batch is read. */
  #puts: ((notices: Place["notices"]) => Place["notices"])[] = [];
  #isReadable = true;
  /** True where the place's file does not say any more that the workspace is closed. */
  #isPlaceOpened: boolean;
  /** Number of the last notice that the operator was told of. */
  #toldNotices = 0;
  /** By kind: when the operator was last told of one, and how many there were since. */
  readonly #notices = new Map<string, { readonly toldMs: number; readonly since: number }>();
  #isClosing = false;
  #wake: () => void = () => {};

  constructor(options: ShipperOptions) {
    this.#options = options;
    const { isClosed, ...place } = options.place;
    this.#place = place;
    this.#isPlaceOpened = isClosed !== true;
    this.#openedMs = options.nowMs();
    this.#look = setInterval(() => this.changed(), LOOK_MS).unref();
  }

  /** Looks for new lines, soon. */
  changed(): void {
    if (this.#isClosing) return;
    this.#isStale = true;
    this.#unseenSinceMs ??= this.#options.nowMs();
    this.#begin(() => this.#run());
  }

  /** Starts `work`, soon and unless other work is going on, and looks again after it where something is new by then. */
  #begin(work: () => Promise<void>): void {
    this.#running ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((thrown: unknown) => {
        // The next look tries again.
        this.#isStale = false;
        this.#told(`a fault of shelpa: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
      })
      .finally(() => {
        this.#running = undefined;
        if (this.#isStale) this.changed();
      });
  }

  /** The journal since the workspace was closed. "same" also where its head was not signed then, or the records cannot be read. */
  sinceClosed(): JournalSince {
    const { place, workspace } = this.#options;
    if (place.isClosed !== true) return "same";
    let file: WritableFile | undefined;
    try {
      file = openStored(workspace.writer(), JOURNAL_NAME);
      return journalSince(file, place.journal);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return "same";
    } finally {
      file?.close();
    }
  }

  get place(): Place {
    return this.#place;
  }

  /** True where an anchor waits for its line or for the sink: no other is taken meanwhile. */
  get hasAnchor(): boolean {
    return this.#place.notices.waiting.some(isAnchor);
  }

  /** Has `anchor`, in JSON, sent behind the line that it is about, unless that one was anchored last or another anchor waits. */
  anchor({ id, time, text }: Pick<WaitingNotice, "id" | "time" | "text">): void {
    const anchoredMs = this.#options.nowMs();
    if (id === "0" && this.#place.notices.anchored === "0") return;
    this.#put((notices) => {
      if (notices.anchored === id || notices.waiting.some(isAnchor)) return { ...notices, anchoredMs };
      return { ...notices, waiting: [...notices.waiting, { kind: ANCHOR, id, time, text }], anchored: id, anchor: text, anchoredMs };
    });
  }

  /** Has a notice sent that is about the journal's head, and takes it for an anchoring of now that came to nothing. */
  headNotice(kind: NoticeKind, facts: Readonly<Record<string, unknown>>): void {
    const notice = noticeOf(kind, momentOf("0"), facts);
    this.#put((notices) => ({
      ...notices,
      waiting: [...notices.waiting, notice].slice(-MOST_WAITING),
      anchoredMs: this.#options.nowMs(),
    }));
  }

  #put(change: (notices: Place["notices"]) => Place["notices"]): void {
    this.#puts.push(change);
    this.changed();
  }

  /** True where lines wait for the sink, or may, because nobody has looked yet. Of records that cannot be read, nothing can be sent. */
  get isUnfinished(): boolean {
    return this.#isReadable && (this.#waitingSinceMs !== undefined || this.#unseenSinceMs !== undefined);
  }

  /** Reads what waits, before the first look, so that `writesRefusedBecause` knows of it also while no turn at the sink is free. */
  async readAhead(): Promise<void> {
    this.#begin(async () => this.#noteWaiting(await this.#next()));
    await this.#running;
  }

  /**
   * A sentence without its full stop, while records wait and nothing was confirmed for too long; undefined otherwise. Which sink it is, and
   * what it said, is in the operator's log: an agent reads this.
   */
  writesRefusedBecause(): string | undefined {
    const sinceMs = this.#waitingSinceMs ?? this.#unseenSinceMs;
    if (sinceMs === undefined) return undefined;
    // Before this server has had the time to send what it found, nothing speaks against the sink.
    if (this.#options.nowMs() - this.#openedMs < OPENING_MS) return undefined;
    const seconds = Math.floor((this.#options.nowMs() - Math.max(this.#place.confirmedMs, sinceMs)) / 1000);
    if (seconds * 1000 < MOST_WAIT_MS) return undefined;
    return `the audit's sink has confirmed nothing for ${seconds} s, and without that no line writes here`;
  }

  /** Sends what is there, for as long as `graceMs` and until `hurry`, and ends. */
  async close(graceMs: number, hurry?: AbortSignal): Promise<void> {
    clearInterval(this.#look);
    // What was written last may not have been announced.
    if (this.#failures === 0) this.changed();
    this.#isClosing = true;
    this.#wake();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
      if (hurry?.aborted === true) resolve();
      hurry?.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([this.#running, late]);
    clearTimeout(timer);
    this.#end.abort();
    await this.#running;
    await this.#takePuts();
    // Whoever hurries goes on with the workspace.
    if (this.#isAllSigned && hurry?.aborted !== true) await this.#moveTo({ ...this.#place, isClosed: true });
    this.#options.workspace.close();
  }

  /** True where the head was signed and nothing waits. */
  get #isAllSigned(): boolean {
    const { journal, notices } = this.#place;
    const isSigned = notices.anchored !== "0" && notices.anchored === journal.id && notices.waiting.length === 0;
    return isSigned && this.#isReadable && !this.isUnfinished;
  }

  async #run(): Promise<void> {
    while (await this.#shipped());
  }

  /** Ships one batch; false where there is none, or no more is to be sent. */
  async #shipped(): Promise<boolean> {
    const giveBack = await this.#options.turns.take(this.#end.signal);
    if (giveBack === undefined) return false;
    let ended: "none" | "sent" | SinkAway;
    try {
      ended = await this.#sendNext();
    } finally {
      giveBack();
    }
    if (!(ended instanceof SinkAway)) return ended === "sent" && !this.#end.signal.aborted;
    await this.#failed(ended);
    return !this.#isClosing;
  }

  /** Reads a batch, sends it, and moves the place on. What was read is in memory for no longer than that. */
  async #sendNext(): Promise<"none" | "sent" | SinkAway> {
    if (!this.#isPlaceOpened) await this.#moveTo(this.#place);
    this.#isPlaceOpened = true;
    await this.#takePuts();
    this.#isStale = false;
    const next = await this.#next();
    if (next === undefined) return "none";
    this.#noteWaiting(next);
    if (next.lines.length === 0) {
      this.#told(undefined);
      // Of a workspace in which nothing was ever recorded, nothing is kept.
      const isNews = JSON.stringify(watchedOrNot(next.after)) !== JSON.stringify(watchedOrNot(this.#place));
      if (isNews) await this.#moveTo(next.after);
      else this.#place = next.after;
      return "none";
    }
    this.#tellNotices(next.lines);
    // The numbers of these lines are theirs for good, also if we are killed now.
    if (this.#saved === undefined) await this.#moveTo(this.#place);
    try {
      await this.#options.sink.send(next.lines, this.#end.signal);
    } catch (thrown) {
      if (thrown instanceof SinkAway) return thrown;
      throw thrown;
    }
    this.#failures = 0;
    this.#told(undefined);
    await this.#moveTo({ ...next.after, confirmedMs: this.#options.nowMs() });
    return "sent";
  }

  /** Keeps new notices with the place before they are sent, so that each has the same number and text when it is sent again. */
  async #takePuts(): Promise<void> {
    const puts = this.#puts;
    this.#puts = [];
    if (puts.length === 0) return;
    await this.#moveTo({ ...this.#place, notices: puts.reduce((notices, put) => put(notices), this.#place.notices) });
  }

  /** undefined where the records cannot be read now: the next look may find them. */
  async #next(): Promise<NextLines | undefined> {
    const { workspace, sink, slices } = this.#options;
    const { signal } = this.#end;
    try {
      workspace.followRoot();
      const next = await nextLines(workspace.writer(), this.#place, sink.batchBytes, { slices, signal });
      this.#isReadable = true;
      return next;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      if (!(thrown instanceof FileError)) throw thrown;
      this.#isReadable = false;
      this.#told(`the records cannot be read: ${thrown.path || "."}: ${thrown.message}`);
      return undefined;
    }
  }

  #noteWaiting(next: NextLines | undefined): void {
    const nowMs = this.#options.nowMs();
    this.#unseenSinceMs = undefined;
    if (next === undefined) this.#waitingSinceMs ??= nowMs;
    else if (next.lines.length === 0) this.#waitingSinceMs = undefined;
    else {
      // A line's own date can only make the wait longer: whoever brings records may have dated them as he liked.
      const dated = next.lines.find(({ time }) => time !== "");
      const since = dated === undefined ? nowMs : Math.min(Date.parse(dated.time) || nowMs, nowMs);
      this.#waitingSinceMs = Math.min(this.#waitingSinceMs ?? since, since);
    }
  }

  async #failed(error: SinkAway): Promise<void> {
    this.#told(error.message);
    const doubled = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 20));
    const waitMs = Math.max(error.retryMs ?? 0, doubled * (1 - this.#options.chance() / 2));
    if (this.#isClosing) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  /**
   * Tells the operator of the notices that are new, before the sink has confirmed them. "first-seen" is of every workspace, and no news.
   */
  #tellNotices(lines: readonly ShippedLine[]): void {
    const { sink, place, log, nowMs } = this.#options;
    for (const { log: of, kind, sequence } of lines) {
      if (of !== "notices" || sequence <= this.#toldNotices) continue;
      this.#toldNotices = sequence;
      const words = kind === "first-seen" ? undefined : noticeWords(kind);
      if (words === undefined) continue;
      const earlier = this.#notices.get(kind) ?? { toldMs: -Infinity, since: 0 };
      // A journal that was brought may be nothing but breaks: it must not bury what the log says of other workspaces.
      if (nowMs() - earlier.toldMs < NOTICE_MS) {
        this.#notices.set(kind, { ...earlier, since: earlier.since + 1 });
        continue;
      }
      this.#notices.set(kind, { toldMs: nowMs(), since: 0 });
      const more = earlier.since === 0 ? "" : ` (and ${earlier.since} times before that)`;
      log({ level: "warning", workspace: place.workspace, message: `audit sink ${sink.name} gets the notice ${kind}${more}: ${words}` });
    }
  }

  /** Tells the operator of trouble that is new, and of its end. */
  #told(trouble: string | undefined): void {
    const { sink, place, log } = this.#options;
    const { workspace } = place;
    if (trouble !== undefined && this.#trouble === undefined) {
      log({ level: "warning", workspace, message: `audit sink ${sink.name}: ${trouble}; records wait on the disk, and it is tried again` });
    } else if (trouble === undefined && this.#trouble !== undefined) {
      log({ level: "info", workspace, message: `audit sink ${sink.name}: takes records again` });
    }
    this.#trouble = trouble;
  }

  /** The place is kept before the next batch: a crash in between has the last one sent again, and no other. */
  async #moveTo(place: Place): Promise<void> {
    this.#place = place;
    const text = JSON.stringify(place);
    if (text === this.#saved) return;
    try {
      await replaceStateFile(this.#options.file, text);
      this.#saved = text;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      const message = `audit sink ${this.#options.sink.name}: its place cannot be kept: ${thrown.path}: ${thrown.message}; after a restart it gets records twice`;
      this.#options.log({ level: "error", workspace: place.workspace, message });
    }
  }
}

/** The place as it would be if it had not been seen that there is no journal yet. */
const watchedOrNot = (place: Place): Place => ({ ...place, journal: { ...place.journal, isWatched: undefined } });
