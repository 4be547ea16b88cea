/** Selection of records and logged calls by time, session, client and path. */
export interface RecordFilter {
  /** This path alone. */
  readonly path?: string;
  /** This path, or what is below it; "": everything. */
  readonly under?: string;
  readonly session?: string;
  /** A client's own name ("claude-code"), the way in ("mcp", "run", …), or the name or the subject of a token. */
  readonly client?: string;
  /** Inclusive, milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Origin of a write or a call. */
interface Origin {
  /** ISO 8601. */
  readonly ts: string;
  readonly session: string;
  readonly client: string;
  /** The client's own name. */
  readonly clientName?: string | null | undefined;
  readonly token?: string | null | undefined;
  readonly subject?: string | null | undefined;
}

/** True if time, session and client are those sought. */
export function isFrom({ ts, session, client, clientName, token, subject }: Origin, sought: RecordFilter): boolean {
  return (
    (sought.session === undefined || session === sought.session) &&
    (sought.client === undefined || [client, clientName, token, subject].includes(sought.client)) &&
    (sought.sinceMs === undefined || Date.parse(ts) >= sought.sinceMs) &&
    (sought.untilMs === undefined || Date.parse(ts) <= sought.untilMs)
  );
}

export function isAt(path: string, { path: sought, under }: RecordFilter): boolean {
  return (
    (sought === undefined || path === sought) && (under === undefined || under === "" || path === under || path.startsWith(`${under}/`))
  );
}
