/** Entries of the viewer's list: writes, and calls that wrote nothing, each with what is shown of it and what filters look at. */
import type { CallRecord } from "../../audit/call-log.ts";
import type { Permission } from "../../audit/journal-lines.ts";
import { changeOf, type WriteRecord } from "../../audit/write-records.ts";
import { showName } from "../../display/visible.ts";
import { approvalOf, authorOf, callAuthor } from "../audit/who.ts";

/** Every text is spelled out, as `showName` does it: filters are typed and chosen as names are shown. */
export interface Entry {
  readonly kind: "write" | "call";
  /** The record's id; of a call a name that no other has. */
  readonly key: string;
  /** ISO 8601. */
  readonly ts: string;
  /** Milliseconds since the epoch, for the order. */
  readonly atMs: number;
  /** "" for a call. */
  readonly path: string;
  /** The change of a write in a word, the outcome of a call. */
  readonly change: string;
  readonly command: string;
  readonly session: string;
  readonly client: string;
  readonly clientName: string | null;
  readonly author: string;
  readonly approvedBy: Permission | null;
  /** The approval in words; "" where none was needed. */
  readonly approval: string;
  /** Of a write, what its command line's writes share; "" for a call. */
  readonly call: string;
  readonly ending?: Ending;
}

/** What only a call has. */
interface Ending {
  readonly reason: string;
  readonly exit: number | null;
  readonly directory: string;
  readonly elapsedMs: number;
}

export class EntryMaker {
  /** Texts as they are shown, each held once: of a hundred thousand records most texts are repeated. */
  readonly #shown = new Map<string, string>();
  /** Numbers of calls that ended in the same millisecond. */
  readonly #calls = new Map<string, number>();

  write(record: WriteRecord): Entry {
    return {
      kind: "write",
      key: record.id,
      ts: record.ts,
      atMs: Number(BigInt(record.id) / 1_000_000n),
      path: this.#text(record.path),
      change: this.#text(changeOf(record)),
      command: this.#text(record.command),
      session: this.#text(record.session),
      client: this.#text(record.client),
      clientName: record.clientName === null ? null : this.#text(record.clientName),
      author: this.#text(authorOf(record)),
      approvedBy: record.permittedBy,
      approval: this.#text(approvalOf(record)),
      call: record.call,
    };
  }

  call(call: CallRecord): Entry {
    const atMs = Date.parse(call.ts);
    const number = (this.#calls.get(call.ts) ?? 0) + 1;
    this.#calls.set(call.ts, number);
    return {
      kind: "call",
      key: `call-${this.#text(call.ts)}-${number}`,
      ts: this.#text(call.ts),
      atMs: Number.isNaN(atMs) ? 0 : atMs,
      path: "",
      change: call.outcome,
      command: this.#text(call.command),
      session: this.#text(call.session),
      client: this.#text(call.client),
      clientName: call.client_name === undefined ? null : this.#text(call.client_name),
      author: this.#text(callAuthor(call)),
      approvedBy: call.approved_by ?? null,
      approval: call.approved_by ?? "",
      call: "",
      ending: { reason: this.#text(call.reason), exit: call.exit, directory: this.#text(call.directory), elapsedMs: call.elapsed_ms },
    };
  }

  #text(text: string): string {
    const known = this.#shown.get(text);
    if (known !== undefined) return known;
    const shown = showName(text);
    this.#shown.set(text, shown);
    return shown;
  }
}
