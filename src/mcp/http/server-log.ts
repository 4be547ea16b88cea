/**
 * Log of requests, calls and messages for the server's operator, as lines of text or of JSON. Command lines and outputs are not in it:
 * the audit has them. What a caller wrote stands in one field, and begins no line.
 */
import { hanging, shortName, showJson } from "../../display/visible.ts";
import { isPollThatWentWell } from "./polled-paths.ts";
import type { CallEvent, NotedEvent, RequestEvent, ServerEvents } from "../server-events.ts";

export type LogFormat = "text" | "json";

export interface ServerLogOptions {
  readonly format: LogFormat;
  /** Is given one or more whole lines. */
  readonly write: (lines: string) => void;
  readonly now?: () => Date;
}

/** Most characters of a field: a token's subject is as long as its issuer likes. */
const MOST_CHARACTERS = 200;

type Level = NotedEvent["level"];
/** Fields in the order in which they are written; those of undefined are left out. */
type Fields = Readonly<Record<string, string | number | undefined>>;

export class ServerLog implements ServerEvents {
  readonly #format: LogFormat;
  readonly #write: (lines: string) => void;
  readonly #now: () => Date;

  constructor({ format, write, now = () => new Date() }: ServerLogOptions) {
    this.#format = format;
    this.#write = write;
    this.#now = now;
  }

  requestEnded(request: RequestEvent): void {
    if (isPollThatWentWell(request)) return;
    const { method, path, status, seconds, requestId, caller, subject, workspace, address } = request;
    const level = status >= 500 ? "warning" : "info";
    const who = { request_id: requestId, caller, subject, workspace, address };
    this.#event("request", level, { method, path, status, ms: milliseconds(seconds) }, who);
  }

  callEnded(call: CallEvent): void {
    const { outcome, exitStatus, seconds, outputBytes, writes, requestId, caller, subject, workspace, tool } = call;
    const reason = call.reason === "" ? undefined : call.reason;
    const what = { outcome, reason, exit: exitStatus, ms: milliseconds(seconds), output_bytes: outputBytes, writes };
    this.#event("call", outcome === "faulted" ? "error" : "info", what, { request_id: requestId, caller, subject, workspace, tool });
  }

  noted({ level, message, workspace, requestId }: NotedEvent): void {
    const who = { request_id: requestId, workspace };
    if (this.#format === "json") this.#json("message", level, { message }, who);
    else this.#text(level, {}, who, hanging(message).trimEnd());
  }

  #event(event: string, level: Level, what: Fields, who: Fields): void {
    if (this.#format === "json") this.#json(event, level, what, who);
    else this.#text(event, what, who);
  }

  #json(event: string, level: Level, what: Fields, who: Fields): void {
    const cut = Object.fromEntries(Object.entries(who).map(([name, value]) => [name, typeof value === "string" ? first(value) : value]));
    this.#write(`${showJson({ ts: this.#now().toISOString(), level, event, ...what, ...cut })}\n`);
  }

  /** A message comes last: it may have further lines, each indented. */
  #text(word: string, what: Fields, who: Fields, message?: string): void {
    const fields = Object.entries({ ...what, ...who }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${fieldText(value)}`],
    );
    this.#write(`${[this.#now().toISOString(), word, ...fields, ...(message === undefined ? [] : [message])].join(" ")}\n`);
  }
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000);

const first = (text: string): string => text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");

/** Plain where it can be taken for nothing else: a blank, a quote or an `=` could begin another field. */
function fieldText(value: string | number): string {
  if (typeof value === "number") return String(value);
  return /^[\w.@:/+~-]+$/.test(value) ? shortName(value, MOST_CHARACTERS) : showJson(first(value));
}
