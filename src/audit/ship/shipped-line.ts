/** A line of the records as a sink gets it. */

/** File that a line is from; `notices` are the shipper's own lines: anchors, and what is wrong with the other two. */
export type ShippedLog = "journal" | "calls" | "notices";

export interface ShippedLine {
  /** Random name of the shipping of one workspace to one sink, for as long as its place is kept. */
  readonly stream: string;
  readonly workspace: string;
  readonly log: ShippedLog;
  /**
   * Number of the line in its log and stream, from 1, without gaps. A line that is sent again has the same number, so that a receiver
   * can tell.
   */
  readonly sequence: number;
  /** Id of the record of the journal's line; "" for a call. */
  readonly id: string;
  /** The journal's `kind`, "call", or a notice's. */
  readonly kind: string;
  /** RFC 3339, in UTC; "" where it is not known. */
  readonly time: string;
  /** The line's JSON, without its newline; for a line of the journal or the log of calls as it is on disk. */
  readonly text: string;
}

/** The line's `id` and the instant in it, because anybody may have written another beside it. */
export const momentOf = (id: string): Pick<ShippedLine, "id" | "time"> => ({
  id,
  time: id === "0" ? "" : timeIn(new Date(Number(BigInt(id) / 1_000_000n)).toISOString()),
});

/** `text` where it is an instant of RFC 3339 as we write them, in a year of four digits; "" for anything else. */
export const timeIn = (text: string): string => (RFC_3339.test(text) && !Number.isNaN(Date.parse(text)) ? text : "");

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/;
