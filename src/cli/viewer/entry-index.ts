/** Every entry of the audit in memory, oldest first: read once, and extended by what is added to the journal and the log of calls. */
import { CALL_LOGS, loggedCalls, type LoggedCall } from "../../audit/call-log.ts";
import { FollowedFile } from "../../audit/followed-file.ts";
import { JOURNAL_NAME, linesFrom, type PlacedLine } from "../../audit/journal.ts";
import { RecordReader } from "../../audit/write-records.ts";
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import { EntryMaker, type Entry } from "./entries.ts";

/**
 * The journal's size is bounded (journal.ts), and with it what is held of it: some 250 bytes a record beside its texts. Of the log of
 * calls, which a project may bring in any size, the first of each file are left out past this number.
 */
const MOST_CALLS = 200_000;

export class EntryIndex {
  readonly #writer: WorkspaceWriter;
  #held: Held;
  #entries: readonly Entry[] = [];
  #version = 0;
  #generation = 0;

  constructor(writer: WorkspaceWriter) {
    this.#writer = writer;
    this.#held = nothingHeld(writer);
  }

  /** The entries as they are now on disk, oldest first. Throws FileError. */
  entries(): readonly Entry[] {
    if (this.#follow()) {
      const { writes, reader, maker, logs } = this.#held;
      this.#version++;
      const open = reader.held().map((record) => maker.write(record));
      this.#entries = [...logs.flatMap(({ calls }) => calls), ...writes, ...open].sort((a, b) => a.atMs - b.atMs);
    }
    return this.#entries;
  }

  /** Changes with the entries. */
  get version(): number {
    return this.#version;
  }

  /** Changes where entries went, so that places in the list are others. */
  get generation(): number {
    return this.#generation;
  }

  /** True if the entries are others now. */
  #follow(): boolean {
    let isGone = false;
    const restart = (): void => {
      isGone = true;
    };
    try {
      const isChanged = readMore(this.#held, restart);
      if (!isGone) return isChanged;
    } catch (thrown) {
      this.#forget();
      throw thrown;
    }
    this.#forget();
    readMore(this.#held, restart);
    return true;
  }

  #forget(): void {
    this.#held = nothingHeld(this.#writer);
    this.#generation++;
  }
}

/** All that is known of the files so far. */
interface Held {
  readonly maker: EntryMaker;
  readonly journal: FollowedFile<PlacedLine>;
  readonly reader: RecordReader;
  readonly writes: Entry[];
  readonly logs: readonly { readonly file: FollowedFile<LoggedCall>; readonly calls: Entry[] }[];
}

const nothingHeld = (writer: WorkspaceWriter): Held => ({
  maker: new EntryMaker(),
  journal: new FollowedFile(writer, JOURNAL_NAME, (file, from) => linesFrom(file, from)),
  reader: new RecordReader(),
  writes: [],
  logs: CALL_LOGS.map((name) => ({ file: new FollowedFile(writer, name, loggedCalls), calls: [] })),
});

/** Adds what the files have more; true if they had. `restart` is called where one was replaced. */
function readMore({ maker, journal, reader, writes, logs }: Held, restart: () => void): boolean {
  const found = [
    journal.follow(restart, ({ line }) => {
      for (const record of reader.add(line)) writes.push(maker.write(record));
    }),
    ...logs.map(({ file, calls }) => {
      const hasMore = file.follow(restart, ({ call }) => {
        // A call that wrote is there as its writes.
        if (call.records.length === 0) calls.push(maker.call(call));
      });
      if (calls.length > MOST_CALLS) calls.splice(0, calls.length - MOST_CALLS);
      return hasMore;
    }),
  ];
  return found.includes(true);
}
