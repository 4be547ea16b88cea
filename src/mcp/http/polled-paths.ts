/** Requests that machines make every few seconds: while all is well they are no lines of the log and no spans. */
import type { RequestEvent } from "../server-events.ts";
import { READINESS_PATH } from "./readiness.ts";

const POLLED: ReadonlySet<string> = new Set(["/healthz", READINESS_PATH, "/metrics"]);

export const isPollThatWentWell = ({ path, status }: Pick<RequestEvent, "path" | "status">): boolean =>
  POLLED.has(path) && status >= 200 && status <= 299;
