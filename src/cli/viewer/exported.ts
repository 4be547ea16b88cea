/** The selected entries for other programs, oldest first: the lines of `audit export`, with calls that wrote nothing among them. */
import { callRecords, type CallRecord } from "../../audit/call-log.ts";
import { eachRecord, type WriteRecord } from "../../audit/write-records.ts";
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import { csvLines, jsonLines, WRITE_FIELDS, type Fields } from "../audit/exported-lines.ts";
import { EntryMaker } from "./entries.ts";
import { isSelected, type Selection } from "./selection.ts";

type Exported =
  | { readonly kind: "write"; readonly record: WriteRecord; readonly atMs: number }
  | { readonly kind: "call"; readonly call: CallRecord; readonly atMs: number };

/** Fields of a call that bear the name of a write's field. */
const SHARED: Readonly<Record<string, (call: CallRecord) => string | number | null>> = {
  time: ({ ts }) => ts,
  session: ({ session }) => session,
  client: ({ client }) => client,
  client_name: ({ client_name }) => client_name ?? null,
  client_version: ({ client_version }) => client_version ?? null,
  token: ({ token }) => token ?? null,
  subject: ({ subject }) => subject ?? null,
  approved_by: ({ approved_by }) => approved_by ?? null,
  command: ({ command }) => command,
  ran: ({ ran }) => ran ?? null,
  request_id: ({ request_id }) => request_id ?? null,
};

const FIELDS: Fields<Exported> = {
  ...Object.fromEntries(
    Object.entries(WRITE_FIELDS).map(([name, of]) => [
      name,
      (each: Exported) => (each.kind === "write" ? of(each.record) : (SHARED[name]?.(each.call) ?? null)),
    ]),
  ),
  outcome: (each) => (each.kind === "call" ? each.call.outcome : null),
  reason: (each) => (each.kind === "call" ? each.call.reason : null),
  exit: (each) => (each.kind === "call" ? each.call.exit : null),
  directory: (each) => (each.kind === "call" ? each.call.directory : null),
  elapsed_ms: (each) => (each.kind === "call" ? each.call.elapsed_ms : null),
};

/** Throws FileError. */
export function exportedLines(writer: WorkspaceWriter, selection: Selection, format: "csv" | "jsonl"): Generator<string, void> {
  const entries = inOrder(selectedWrites(writer, selection), selectedCalls(writer, selection));
  return format === "csv" ? csvLines(entries, FIELDS) : jsonLines(entries, FIELDS);
}

function* selectedWrites(writer: WorkspaceWriter, selection: Selection): Generator<Exported, void> {
  const maker = new EntryMaker();
  for (const record of eachRecord(writer)) {
    const entry = maker.write(record);
    if (isSelected(entry, selection)) yield { kind: "write", record, atMs: entry.atMs };
  }
}

function* selectedCalls(writer: WorkspaceWriter, selection: Selection): Generator<Exported, void> {
  const maker = new EntryMaker();
  for (const call of callRecords(writer)) {
    if (call.records.length > 0) continue;
    const entry = maker.call(call);
    if (isSelected(entry, selection)) yield { kind: "call", call, atMs: entry.atMs };
  }
}

/** Two sequences in the order of time as one. */
function* inOrder(first: Iterator<Exported>, second: Iterator<Exported>): Generator<Exported, void> {
  let [a, b] = [first.next(), second.next()];
  for (;;) {
    if (a.done !== true && (b.done === true || a.value.atMs <= b.value.atMs)) {
      yield a.value;
      a = first.next();
    } else if (b.done !== true) {
      yield b.value;
      b = second.next();
    } else return;
  }
}
