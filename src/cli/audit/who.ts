/** Authors of writes and calls in words, as the log, the report and the viewer show them. */
import type { CallRecord } from "../../audit/call-log.ts";
import type { WriteRecord } from "../../audit/write-records.ts";

type Author = Pick<WriteRecord, "client" | "clientName" | "clientVersion" | "token" | "subject">;

/** The MCP client as it names itself, else the way in ("run", "shelpa", …), with the token's name and its subject. */
export function authorOf({ token, subject, ...record }: Author): string {
  const of = token === null ? "" : `, token ${token}`;
  return `${clientOf(record)}${of}${subject === null ? "" : `, subject ${subject}`}`;
}

/** The MCP client as it names itself, else the way in. */
export const clientOf = ({ client, clientName, clientVersion }: Pick<Author, "client" | "clientName" | "clientVersion">): string =>
  clientName === null ? client : `${clientName} ${clientVersion ?? ""}`.trimEnd();

export function callAuthor({ client, client_name, client_version, token, subject }: CallRecord): string {
  const stated = { clientName: client_name ?? null, clientVersion: client_version ?? null };
  return authorOf({ client, ...stated, token: token ?? null, subject: subject ?? null });
}

/** Source of the approval of a write: the configuration, or a human, who is asked through the client that makes the call; "" where nobody had to. */
export function approvalOf(record: WriteRecord): string {
  if (record.permittedBy !== "human") return record.permittedBy ?? "";
  return record.clientName === null ? "human" : `human, asked through ${clientOf(record)}`;
}
