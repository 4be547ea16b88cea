/**
 * Private keys in armor (RFC 7468 and its older forms, RFC 4880): from BEGIN or up to END, whichever is shown, as far as the
 * lines between are those of a key. So a key is whole whatever stands in its headers, a part of one is found by the end that
 * is there, and a program that only names the two lines stays as it is.
 *
 * Linear in the text: a line that is none of a key ends the look, and the two marks are none.
 */

export interface KeyBlock {
  readonly start: number;
  readonly end: number;
}

const MARK = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** Longer than any key. */
const MOST_BYTES = 64 << 10;
/** A line of a key is of 64 or 76 characters; what is shorter may be a word. */
const LEAST_RUN = 16;

/** The key whose mark begins at `at`; undefined where there is none. `text` is latin1 of the bytes. */
export function keyBlock(text: string, at: number): KeyBlock | undefined {
  MARK.lastIndex = at;
  const mark = MARK.exec(text);
  if (mark === null) return undefined;
  const markEnd = MARK.lastIndex;
  return mark[1] === "BEGIN" ? afterBegin(text, at, markEnd) : beforeEnd(text, at, markEnd);
}

function afterBegin(text: string, start: number, from: number): KeyBlock | undefined {
  const to = Math.min(text.length, from + MOST_BYTES);
  let end = -1;
  for (let at = from; at < to; ) {
    const { lineEnd, next } = lineFrom(text, at, to);
    const line = text.slice(at, lineEnd);
    const endMark = line.indexOf("-----END ");
    const kind = kindOf(endMark < 0 ? line : line.slice(0, endMark));
    if (kind === "none") break;
    if (endMark >= 0) {
      MARK.lastIndex = at + endMark;
      if ((end >= 0 || kind === "run") && MARK.test(text)) return { start, end: MARK.lastIndex };
      break;
    }
    if (kind === "run") end = lineEnd;
    at = next;
  }
  return end < 0 ? undefined : { start, end };
}

function beforeEnd(text: string, at: number, end: number): KeyBlock | undefined {
  const least = Math.max(0, at - MOST_BYTES);
  let start = -1;
  for (let to = at; to > least; ) {
    const from = lineBefore(text, to, least);
    const kind = kindOf(text.slice(from, to));
    if (kind === "none" || (kind === "other" && start >= 0)) break;
    if (kind === "run") start = from;
    to = from - breakBefore(text, from);
    if (to === from) break;
  }
  return start < 0 ? undefined : { start, end };
}

/** Where the line that begins at `at` ends, and where the next one begins. Breaks may be spelled out, as in a string of a program. */
function lineFrom(text: string, at: number, to: number): { readonly lineEnd: number; readonly next: number } {
  for (let place = at; place < to; place++) {
    const code = text.charCodeAt(place);
    if (code === 0x0a) return { lineEnd: place, next: place + 1 };
    if (code === 0x5c && text[place + 1] === "n") return { lineEnd: place, next: place + 2 };
  }
  return { lineEnd: to, next: to };
}

/** Where the line that ends at `to` begins. */
function lineBefore(text: string, to: number, least: number): number {
  let at = to;
  while (at > least && breakBefore(text, at) === 0) at--;
  return at;
}

/** The length of the line break that ends at `at`; 0 where there is none. */
function breakBefore(text: string, at: number): number {
  if (text.charCodeAt(at - 1) === 0x0a) return 1;
  return text[at - 1] === "n" && text[at - 2] === "\\" ? 2 : 0;
}

/** What tools, quotes and a spelled-out carriage return put before a line and after it. */
const BEFORE = /^[ \t"'`>|,]{0,80}(?:\d{1,9}[:\t -][ \t]{0,20})?[+-]?[ \t"'`]{0,80}/;
const AFTER = /(?:\\r|\r)?[ \t"'`+,;]{0,80}$/;
const HEADER = /^[A-Za-z][A-Za-z0-9-]{1,40}: [^\r\n]{1,200}$/;

/** "run": base64 of a key. "other": a header, an empty line, the short last one or its checksum. */
function kindOf(line: string): "run" | "other" | "none" {
  const inner = line.replace(BEFORE, "").replace(AFTER, "");
  if (/^[A-Za-z0-9+/=]*$/.test(inner)) return inner.length >= LEAST_RUN ? "run" : "other";
  // A key whose line breaks have become blanks.
  if (
    /^[A-Za-z0-9+/= ]*$/.test(inner) &&
    inner.split(" ").every((run, index, runs) => run.length >= LEAST_RUN || index === runs.length - 1)
  )
    return "run";
  return HEADER.test(inner) ? "other" : "none";
}
