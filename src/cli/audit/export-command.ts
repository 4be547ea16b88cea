/** `shelpa-mcp audit export`: every write as a line for another program, printed as the journal is read. */
import { resolve } from "node:path";
import { changeOf, eachRecord, type WriteRecord } from "../../audit/write-records.ts";
import { showJson } from "../../display/visible.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { AUDIT_EXPORT } from "../commands.ts";
import { rootOrHere } from "../root-or-here.ts";
import { printEach } from "../print.ts";
import { csvLine } from "./csv.ts";
import { readFilter, withPath } from "./filters.ts";
import { authorOf } from "./who.ts";

export async function exportRecords({ values }: Given<typeof AUDIT_EXPORT.options>): Promise<number> {
  const format = values.format ?? "jsonl";
  if (format !== "jsonl" && format !== "csv") throw new CommandLineError(`audit export: --format takes jsonl or csv, not '${format}'`);
  const filter = readFilter(values);
  const workspace = Workspace.open(resolve(rootOrHere(values.root)));
  try {
    const records = eachRecord(workspace.writer(), withPath(filter, workspace, values.file));
    await printEach(format === "csv" ? csvLines(records) : jsonLines(records));
  } finally {
    workspace.close();
  }
  return 0;
}

type Field = string | number | null;

/** Fields of a line in their order: the names are a format, to which fields are only added. */
const FIELDS: Readonly<Record<string, (record: WriteRecord) => Field>> = {
  time: ({ ts }) => ts,
  record: ({ id }) => id,
  call: ({ call }) => call,
  transaction: ({ transaction }) => transaction,
  session: ({ session }) => session,
  client: ({ client }) => client,
  client_name: ({ clientName }) => clientName,
  client_version: ({ clientVersion }) => clientVersion,
  token: ({ token }) => token,
  approved_by: ({ permittedBy }) => permittedBy,
  // A human is asked through the client that makes the call.
  approved_through: (record) => (record.permittedBy === "human" ? authorOf({ ...record, token: null }) : null),
  file: ({ path }) => path,
  change: changeOf,
  bytes: ({ content }) => content.bytes,
  before_bytes: ({ before }) => before?.bytes ?? null,
  before_sha256: ({ before }) => before?.sha256 ?? null,
  after_bytes: ({ after }) => after?.bytes ?? null,
  after_sha256: ({ after }) => after?.sha256 ?? null,
  command: ({ command }) => command,
  ran: ({ ran }) => ran,
};

function* jsonLines(records: Iterable<WriteRecord>): Generator<string, void> {
  const fields = Object.entries(FIELDS);
  for (const record of records) yield `${showJson(Object.fromEntries(fields.map(([name, of]) => [name, of(record)])))}\n`;
}

function* csvLines(records: Iterable<WriteRecord>): Generator<string, void> {
  yield csvLine(Object.keys(FIELDS));
  const fields = Object.values(FIELDS);
  for (const record of records) yield csvLine(fields.map((of) => String(of(record) ?? "")));
}
