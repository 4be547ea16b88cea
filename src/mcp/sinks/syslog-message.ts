/**
 * Messages of RFC 5424, framed by their length (RFC 5425 §4.3.1, RFC 6587 §3.4.1). A line that is longer than receivers commonly take is
 * cut into numbered parts, since a receiver would cut it and say nothing.
 */
import type { ShippedLine } from "../../audit/ship/shipped-line.ts";

/** Longest message, in bytes: rsyslog's `maxMessageSize` is 8 KiB unless it is set, and some receivers count more than the message. */
export const MOST_MESSAGE_BYTES = 8000;
/** Facility 13 (log audit), severities 6 (informational) and 4 (warning). */
const PRIORITY = 13 * 8 + 6;
const NOTICE_PRIORITY = 13 * 8 + 4;
/** 32473 is the enterprise number that RFC 5612 has set aside for examples; there is none of our own. */
const DATA_NAME = "shelpa@32473";

/** The frames of a line: one, or as many as it has parts. `host` is printable ASCII without blanks. */
export function syslogFrames(line: ShippedLine, host: string): readonly Buffer[] {
  const text = Buffer.from(line.text);
  const whole = message(line, host, "", text);
  if (whole.length <= MOST_MESSAGE_BYTES) return [framed(whole)];
  const most = MOST_MESSAGE_BYTES - message(line, host, LONGEST_PART, Buffer.alloc(0)).length;
  const parts = partsOf(text, most);
  return parts.map((part, index) => framed(message(line, host, `${index + 1}/${parts.length}`, part)));
}

/** As long as any number of parts. */
const LONGEST_PART = "10000/10000";

const framed = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);

function message({ stream, workspace, log, sequence, id, kind, time }: ShippedLine, host: string, part: string, text: Buffer): Buffer {
  const facts = [
    ["stream", stream],
    ["workspace", workspace],
    ["log", log],
    ["seq", String(sequence)],
    ["id", id],
    ["kind", kind],
    ["part", part],
  ].flatMap(([name, value = ""]) => (value === "" ? [] : [`${name}="${value.replace(/["\\\]]/g, "\\$&")}"`]));
  const priority = log === "notices" && kind !== "anchor" ? NOTICE_PRIORITY : PRIORITY;
  const head = `<${priority}>1 ${time === "" ? "-" : time} ${host} shelpa-mcp - ${log} [${DATA_NAME} ${facts.join(" ")}] `;
  return Buffer.concat([Buffer.from(head), text]);
}

/** Pieces of at most `most` bytes, none of which begins within a character of UTF-8. */
function partsOf(text: Buffer, most: number): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + most);
    while (to < text.length && ((text[to] ?? 0) & 0xc0) === 0x80) to--;
    parts.push(text.subarray(from, to));
    from = to;
  }
  return parts;
}
