/**
 * Private keys in armor (RFC 7468 and its older forms, RFC 4880, RFC 4716), and PuTTY's, within any text: from BEGIN or up to
 * END, whichever is there, as far as the lines between are those of a key. So a key is found whole whatever its headers, a part
 * of one is found by the end that is there, and a program that only names the two lines stays as it is.
 *
 * Linear in the text: the search from BEGIN stops at the next dashes and the search from END at the ones before, so that no
 * byte is examined for more than one mark of either kind.
 */
import { bareText, CUTS, kindOf, LEAST_RUN, type Trim } from "./key-line.ts";

export interface KeyBlock {
  readonly start: number;
  readonly end: number;
}

/** Texts that a key begins or ends with; a search for keys looks for these. */
export const KEY_STARTS = ["-----BEGIN ", "-----END ", "---- BEGIN SSH2 ", "---- END SSH2 ", "Private-Lines: "] as const;
const MARK =
  /-----(?:BEGIN|(END)) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- (?:BEGIN|(END)) SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|(Private-Lines: )\d{1,4}/y;
const DASHES = "----";
/** Longer than any key. */
const MOST_BYTES = 64 << 10;
/** The longest text beside a mark that may stand beside each line of its key. */
const MOST_BESIDE = 200;
/** Lines of a key without base64: headers, and what spelled-out breaks leave between lines. */
const MOST_IDLE = 100;
const BARE: Trim = { prefixes: [], suffix: "", required: false };

/** The key whose mark begins at `at`; undefined if no key does. `text` is latin1 of the bytes. */
export function keyBlock(text: string, at: number): KeyBlock | undefined {
  MARK.lastIndex = at;
  const mark = MARK.exec(text);
  if (mark === null) return undefined;
  const markEnd = MARK.lastIndex;
  if (mark[3] !== undefined) return afterBegin(text, at, markEnd, "Private-");
  return (mark[1] ?? mark[2]) === undefined ? afterBegin(text, at, markEnd, DASHES) : beforeEnd(text, at, markEnd);
}

/** `stop` begins what no key holds: another mark, and perhaps the END of this one. */
function afterBegin(text: string, start: number, from: number, stop: string): KeyBlock | undefined {
  const ahead = text.slice(from, from + MOST_BYTES);
  const stopAt = ahead.indexOf(stop);
  if (stopAt >= 0 && stopAt < LEAST_RUN) return undefined;
  const endMark = stop === DASHES && stopAt >= 0 ? endMarkAt(text, from + stopAt) : undefined;
  const region = endMark === undefined ? (stopAt < 0 ? ahead : ahead.slice(0, stopAt)) : text.slice(from, endMark.start);
  // The line of END is written as the others are, that of BEGIN may be `key = "`.
  const prefixes = [prefixBefore(text, start), endMark === undefined ? "" : prefixBefore(text, endMark.start)];
  let trim: Trim = { prefixes: prefixes.filter((prefix) => prefix !== ""), suffix: "", required: false };
  let first = -1;
  let end = -1;
  let whole = true;
  let idle = 0;
  for (const line of linesOf(region)) {
    let kind = kindOf(line.text, line.start === 0 ? BARE : trim);
    const isLast = line.end === region.length;
    if (line.start === 0) {
      const suffix = besides(line.text);
      if (kind !== "run" && suffix !== "") trim = { ...trim, suffix, required: kind === "none" };
      if (kind === "none" && suffix !== "" && !isLast) kind = "gap";
    } else if (isLast && kind === "none" && endMark !== undefined && besides(line.text) !== "") kind = "gap";
    if (kind === "none" || idle++ > MOST_IDLE) {
      whole = false;
      break;
    }
    if (kind !== "run") continue;
    idle = 0;
    if (end < 0) first = from + line.start;
    end = from + line.end;
  }
  if (end < 0) return undefined;
  return { start: stop === DASHES ? start : first, end: whole && endMark !== undefined ? endMark.end : end };
}

/** The END that the dashes at `at` begin; a line of a diff may put one before. */
function endMarkAt(text: string, at: number): KeyBlock | undefined {
  let past = at;
  while (past < at + MOST_BESIDE && text[past] === "-") past++;
  for (const start of [past - 5, past - 4]) {
    MARK.lastIndex = start;
    const mark = start < at ? null : MARK.exec(text);
    if (mark !== null) return (mark[1] ?? mark[2]) === undefined ? undefined : { start, end: MARK.lastIndex };
  }
  return undefined;
}

function beforeEnd(text: string, at: number, end: number): KeyBlock | undefined {
  const least = Math.max(0, at - MOST_BYTES);
  const behind = text.slice(least, at);
  const dashes = behind.lastIndexOf(DASHES);
  const from = dashes < 0 ? 0 : dashes + DASHES.length;
  if (behind.length - from < LEAST_RUN) return undefined;
  const lines = [...linesOf(behind.slice(from))];
  const own = lines.pop();
  if (own === undefined) return undefined;
  const suffix = suffixAfter(text, end);
  const ownKind = kindOf(own.text, BARE);
  let start = ownKind === "run" ? least + from + own.start : -1;
  const prefix = besides(own.text);
  if (ownKind === "none" && prefix === "") return undefined;
  // A prefix that is no tool's: only lines that have it too are of a key.
  const trim: Trim = { prefixes: prefix === "" ? [] : [prefix], suffix, required: ownKind === "none" };
  let idle = 0;
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    const kind = kindOf(line.text, trim);
    if (kind === "none" || (kind === "other" && start >= 0) || idle++ > MOST_IDLE) break;
    if (kind !== "run") continue;
    idle = 0;
    start = least + from + line.start;
  }
  return start < 0 ? undefined : { start, end };
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function* linesOf(region: string): Generator<Line, void> {
  let start = 0;
  for (const { index, 0: cut } of region.matchAll(CUTS)) {
    yield { text: region.slice(start, index), start, end: index };
    start = index + cut.length;
  }
  yield { text: region.slice(start), start, end: region.length };
}

const besides = (line: string): string => (line.length > MOST_BESIDE ? "" : bareText(line));

/** The text before `at` on its line; empty if it is longer than a prefix can be. */
function prefixBefore(text: string, at: number): string {
  const from = Math.max(0, at - MOST_BESIDE);
  const before = text.slice(from, at);
  const dashes = before.lastIndexOf(DASHES);
  const lines = before.slice(dashes < 0 ? 0 : dashes + DASHES.length).split(CUTS);
  return lines.length === 1 && from > 0 && dashes < 0 ? "" : bareText(lines.at(-1) ?? "");
}

/** The text after `at` on its line. */
function suffixAfter(text: string, at: number): string {
  const after = text.slice(at, at + MOST_BESIDE);
  const dashes = after.indexOf(DASHES);
  return bareText((dashes < 0 ? after : after.slice(0, dashes)).split(CUTS, 1)[0] ?? "");
}
