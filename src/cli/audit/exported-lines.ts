/** Records as lines for other programs: JSON Lines, exact, or CSV, spelled out. */
import { changeOf, type WriteRecord } from "../../audit/write-records.ts";
import { showJson } from "../../display/visible.ts";
import { csvLine } from "./csv.ts";
import { clientOf } from "./who.ts";

type Field = string | number | null;

/** Names of the fields in their order, each with its value. */
export type Fields<R> = Readonly<Record<string, (record: R) => Field>>;

/** Fields of a write: the names are a format, to which fields are only added. */
export const WRITE_FIELDS: Fields<WriteRecord> = {
  time: ({ ts }) => ts,
  record: ({ id }) => id,
  call: ({ call }) => call,
  transaction: ({ transaction }) => transaction,
  session: ({ session }) => session,
  client: ({ client }) => client,
  client_name: ({ clientName }) => clientName,
  client_version: ({ clientVersion }) => clientVersion,
  token: ({ token }) => token,
  subject: ({ subject }) => subject,
  approved_by: ({ permittedBy }) => permittedBy,
  // A human is asked through the client that makes the call.
  approved_through: (record) => (record.permittedBy === "human" ? clientOf(record) : null),
  file: ({ path }) => path,
  change: changeOf,
  bytes: ({ content }) => content.bytes,
  before_bytes: ({ before }) => before?.bytes ?? null,
  before_sha256: ({ before }) => before?.sha256 ?? null,
  after_bytes: ({ after }) => after?.bytes ?? null,
  after_sha256: ({ after }) => after?.sha256 ?? null,
  command: ({ command }) => command,
  ran: ({ ran }) => ran,
  request_id: ({ requestId }) => requestId,
};

export function* jsonLines<R>(records: Iterable<R>, fields: Fields<R>): Generator<string, void> {
  const named = Object.entries(fields);
  for (const record of records) yield `${showJson(Object.fromEntries(named.map(([name, of]) => [name, of(record)])))}\n`;
}

/** With a line of names before all. */
export function* csvLines<R>(records: Iterable<R>, fields: Fields<R>): Generator<string, void> {
  yield csvLine(Object.keys(fields));
  const values = Object.values(fields);
  for (const record of records) yield csvLine(values.map((of) => String(of(record) ?? "")));
}
