/** Authors of writes and calls in words, as the log, the report and the viewer show them. */
import type { CallRecord } from "../../audit/call-log.ts";
import type { WriteRecord } from "../../audit/write-records.ts";

/** The MCP client as it names itself, else the way in ("run", "shelpa", …), and the token's name. */
export function authorOf({
  client,
  clientName,
  clientVersion,
  token,
}: Pick<WriteRecord, "client" | "clientName" | "clientVersion" | "token">): string {
  const name = clientName === null ? client : `${clientName} ${clientVersion ?? ""}`.trimEnd();
  return token === null ? name : `${name}, token ${token}`;
}

export const callAuthor = ({ client, client_name, client_version, token }: CallRecord): string =>
  authorOf({ client, clientName: client_name ?? null, clientVersion: client_version ?? null, token: token ?? null });

/** Source of the approval of a write: the configuration, or a human, who is asked through the client that makes the call; "" where nobody had to. */
export function approvalOf(record: WriteRecord): string {
  if (record.permittedBy !== "human") return record.permittedBy ?? "";
  return record.clientName === null ? "human" : `human, asked through ${authorOf({ ...record, token: null })}`;
}
