/** The records of an extended header (POSIX pax, "pax Extended Header"): `LENGTH KEYWORD=VALUE\n`, one after the other. */
import { toText } from "../../src/io/text.ts";
import type { Complain } from "./header.ts";

export interface PaxRecord {
  readonly keyword: string;
  readonly value: Buffer;
}

const SPACE = 32,
  TAB = 9,
  NEWLINE = 10,
  EQUALS = 61;
const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

/** Yields the records of `data` up to one that is malformed. */
export function* paxRecords(data: Buffer, complain: Complain): Generator<PaxRecord, void> {
  for (let from = 0; from < data.length; ) {
    let at = from;
    while (isBlank(data[at])) at++;
    const digits = at;
    while (isDigit(data[at])) at++;
    if (at === digits) {
      if (data[at] !== 0 && data[at] !== undefined) complain("Malformed extended header: missing length");
      return;
    }
    const next = from + Number(data.toString("latin1", digits, at));
    if (next > data.length) return complain(`Extended header length ${toText(untilZero(data.subarray(digits)))} is out of range`);
    const blanks = at;
    while (isBlank(data[at])) at++;
    if (at === blanks) return complain("Malformed extended header: missing blank after length");
    const equals = data.indexOf(EQUALS, at);
    if (equals < 0 || equals >= next) return complain("Malformed extended header: missing equal sign");
    if (data[next - 1] !== NEWLINE) return complain("Malformed extended header: missing newline");
    yield { keyword: toText(data.subarray(at, equals)), value: data.subarray(equals + 1, next - 1) };
    from = next;
  }
}

export function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
