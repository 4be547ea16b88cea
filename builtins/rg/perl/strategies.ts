/**
 * ripgrep's ways through an input: line by line through a buffer, line by line through the whole, and match by match over lines
 * (crates/searcher/src/searcher/glue.rs of ripgrep). Each pauses (yields) after a line, for what was printed to go out.
 */
import type { Span } from "../../../src/regex/text-pattern.ts";
import type { SearchCore, ZeroRule } from "./core.ts";
import { lineEnd, linesAround } from "./line-ranges.ts";

/** ripgrep's buffer: also as far as it looks for zero bytes at the start of an input that it has in memory. */
const BUFFER_BYTES = 64 * 1024;
/** ripgrep looks for a byte order mark before it reads on. */
const MARK_BYTES = 3;
const NEWLINE = 10;

type Steps<T> = Generator<undefined, T>;

/** Lines of an input in memory. */
export function* searchWhole(core: SearchCore): Steps<void> {
  const { length } = core.bytes;
  if (!core.detectZero({ start: 0, end: Math.min(length, BUFFER_BYTES) })) {
    while (core.position < length && (yield* searchLines(core)));
  }
  finishWhole(core);
}

function finishWhole(core: SearchCore): void {
  const { zeroAt, position } = core;
  core.sink.finish(zeroAt !== undefined && zeroAt < position ? zeroAt : position, zeroAt);
}

/** Searches the lines seen. False: the search ends. */
function* searchLines(core: SearchCore): Steps<boolean> {
  const { settings, bytes } = core;
  const { end } = core.seen;
  for (let at = core.position; at < end; ) {
    if (core.isFull && !settings.passthru && core.afterLeft === 0) return false;
    const line = { start: at, end: lineEnd(bytes, at, end) };
    const isSelected = (!core.isFull && core.lineMatches(line)) !== settings.invert;
    core.position = at = line.end;
    if (isSelected) {
      core.hasMatched = true;
      core.countMatch();
      if (!core.contextBefore(line.start) || !core.matched(line)) return false;
    } else if (core.afterLeft >= 1) {
      if (!core.lineAfter(line)) return false;
    } else if (settings.passthru && !core.context(line)) return false;
    if (settings.stopOnNonmatch && !isSelected && core.hasMatched) return false;
    yield;
  }
  return true;
}

/** Lines of an input that ripgrep reads through its buffer. `firstZero`: the first zero byte that there was; all are newlines now. */
export function* searchPortions(
  core: SearchCore,
  { firstZero, zeroRule, hasMark }: { firstZero: number | undefined; zeroRule: ZeroRule; hasMark: boolean },
): Steps<void> {
  const { bytes, seen, sink } = core;
  const portions = new Portions(bytes, hasMark, zeroRule === "quit" ? firstZero : undefined);
  seen.end = 0;
  let zeroAt: number | undefined;
  let consumed = 0;
  for (;;) {
    const before = { ...seen };
    core.roll();
    consumed = seen.start;
    const isMore = portions.fill(seen);
    if (zeroAt === undefined && firstZero !== undefined && firstZero < portions.read) {
      zeroAt = firstZero;
      sink.binaryData(firstZero);
      if (zeroRule === "quit") break;
    }
    if (!isMore) break;
    if (seen.start === before.start && seen.end === before.end) {
      consumed = seen.end;
      break;
    }
    if (!(yield* searchLines(core))) {
      consumed = core.position;
      break;
    }
  }
  sink.finish(consumed, zeroAt);
}

/** The portions in which ripgrep's buffer takes an input (crates/searcher/src/line_buffer.rs). */
class Portions {
  readonly #bytes: Buffer;
  readonly #hasMark: boolean;
  /** The input ends at it for ripgrep, once it is read. */
  readonly #endsAt: number | undefined;
  #capacity = BUFFER_BYTES;
  /** Bytes read. */
  read = 0;

  constructor(bytes: Buffer, hasMark: boolean, endsAt: number | undefined) {
    this.#bytes = bytes;
    this.#hasMark = hasMark;
    this.#endsAt = endsAt;
  }

  /** Reads on until a line has ended. False: nothing is left. */
  fill(seen: { start: number; end: number }): boolean {
    for (;;) {
      if (this.read - seen.start >= this.#capacity) this.#capacity *= 3;
      const isFirst = this.read === 0 && !this.#hasMark;
      const from = this.read;
      this.read = Math.min(this.#bytes.length, isFirst ? MARK_BYTES : seen.start + this.#capacity);
      if (this.read === from) {
        seen.end = this.read;
        return seen.end > seen.start;
      }
      if (this.#endsAt !== undefined && this.#endsAt < this.read) {
        seen.end = this.#endsAt;
        return true;
      }
      const last = this.#bytes.subarray(from, this.read).lastIndexOf(NEWLINE);
      if (last < 0) continue;
      seen.end = from + last + 1;
      return true;
    }
  }
}

/** Matches over several lines. */
export function* searchOverLines(core: SearchCore): Steps<void> {
  const { length } = core.bytes;
  if (!core.detectZero({ start: 0, end: Math.min(length, BUFFER_BYTES) })) yield* new OverLines(core).run();
  finishWhole(core);
}

class OverLines {
  readonly #core: SearchCore;
  /** Lines with matches that may yet grow by the next match. */
  #pending: Span | undefined;

  constructor(core: SearchCore) {
    this.#core = core;
  }

  *run(): Steps<void> {
    const core = this.#core;
    const { length } = core.bytes;
    while (core.position < length) {
      if (!(core.settings.invert ? yield* this.#stepInverted() : this.#step())) return;
      yield;
    }
    const last = this.#pending;
    if (last !== undefined && this.#context(last)) this.#matched(last);
    if (core.settings.passthru) core.otherLines(length);
    else core.contextAfter(length);
  }

  #step(): boolean {
    const core = this.#core;
    const match = this.#find();
    if (match === undefined) {
      core.position = core.bytes.length;
      return true;
    }
    this.#advance(match);
    const lines = linesAround(core.bytes, match);
    const last = this.#pending;
    if (last !== undefined && last.end >= lines.start) {
      this.#pending = { start: last.start, end: lines.end };
      return true;
    }
    this.#pending = lines;
    return last === undefined || (this.#context(last) && this.#matched(last));
  }

  *#stepInverted(): Steps<boolean> {
    const core = this.#core;
    const start = core.position;
    const match = this.#find();
    const lines = match && linesAround(core.bytes, match);
    if (lines === undefined) core.position = core.bytes.length;
    else this.#advance(lines);
    const end = lines?.start ?? core.bytes.length;
    if (end <= start) return true;
    if (!this.#context({ start, end })) return false;
    for (let at = start; at < end; ) {
      const next = lineEnd(core.bytes, at, end);
      if (!this.#matched({ start: at, end: next })) return false;
      at = next;
      yield;
    }
    return true;
  }

  #find(): Span | undefined {
    const core = this.#core;
    if (core.isFull) return undefined;
    const { position, bytes } = core;
    const match = core.matches.find(position, position, bytes.length);
    if (match !== undefined) core.countMatch();
    return match;
  }

  #advance({ start, end }: Span): void {
    this.#core.position = end === start && end < this.#core.bytes.length ? end + 1 : end;
  }

  /** A match behind the last newline is none. */
  #matched(lines: Span): boolean {
    return lines.end > lines.start && this.#core.matched(lines);
  }

  #context({ start }: Span): boolean {
    const core = this.#core;
    return core.settings.passthru ? core.otherLines(start) : core.contextAfter(start) && core.contextBefore(start);
  }
}
