/** -D and the --*-format flags: both texts as one, each group of lines and each line through a format. */
import type { Occurrence } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import type { Comparison } from "../../src/compare/formats.ts";
import { isCutLine, type LineText } from "../../src/compare/line-text.ts";
import type { LineWriter } from "../../src/compare/line-writer.ts";
import type { FLAGS } from "./diff.ts";

type GroupKind = "old" | "new" | "unchanged" | "changed";
type LineKind = "old" | "new" | "unchanged";

export interface GroupFormats {
  readonly groups: Readonly<Record<GroupKind, string>>;
  readonly lines: Readonly<Record<LineKind, string>>;
}

/** Throws UsageError where one format is given twice and differently. */
export function readGroupFormats(occurrences: readonly Occurrence<typeof FLAGS>[]): GroupFormats {
  const groups = new Map<GroupKind, string>();
  const lines = new Map<LineKind, string>();
  const set = <K extends GroupKind>(into: Map<K, string>, kind: K, format: string, spelling: string): void => {
    const before = into.get(kind);
    if (before !== undefined && before !== format) {
      throw new UsageError("bad-value", `conflicting ${spelling} option value '${format}'`, { pointsToHelp: true });
    }
    into.set(kind, format);
  };
  for (const { key, value, spelling } of occurrences) {
    if (key === "ifdef") {
      for (const kind of GROUP_KINDS) set(groups, kind, ifdefFormats(value ?? "")[kind], "-D");
    } else if (key === "lineFormat") {
      for (const kind of LINE_KINDS) set(lines, kind, value ?? "", spelling);
    } else if (key === "oldLineFormat" || key === "newLineFormat" || key === "unchangedLineFormat") {
      set(lines, LINE_KIND_OF[key], value ?? "", spelling);
    } else if (key === "oldGroupFormat" || key === "newGroupFormat" || key === "unchangedGroupFormat" || key === "changedGroupFormat") {
      set(groups, GROUP_KIND_OF[key], value ?? "", spelling);
    }
  }
  const old = groups.get("old") ?? groups.get("changed") ?? "%<";
  const now = groups.get("new") ?? groups.get("changed") ?? "%>";
  return {
    groups: { old, new: now, unchanged: groups.get("unchanged") ?? "%=", changed: groups.get("changed") ?? old + now },
    lines: { old: lines.get("old") ?? "%l\n", new: lines.get("new") ?? "%l\n", unchanged: lines.get("unchanged") ?? "%l\n" },
  };
}

const LINE_KINDS: readonly LineKind[] = ["unchanged", "old", "new"];
const GROUP_KINDS: readonly GroupKind[] = [...LINE_KINDS, "changed"];
const LINE_KIND_OF = { oldLineFormat: "old", newLineFormat: "new", unchangedLineFormat: "unchanged" } as const;
const GROUP_KIND_OF = {
  oldGroupFormat: "old",
  newGroupFormat: "new",
  unchangedGroupFormat: "unchanged",
  changedGroupFormat: "changed",
} as const;

function ifdefFormats(name: string): Record<GroupKind, string> {
  return {
    unchanged: "%=",
    old: `#ifndef ${name}\n%<#endif /* ! ${name} */\n`,
    new: `#ifdef ${name}\n%>#endif /* ${name} */\n`,
    changed: `#ifndef ${name}\n%<#else /* ${name} */\n%>#endif /* ${name} */\n`,
  };
}

export function* mergedFormat(
  { texts, changes, ignored }: Comparison,
  writer: LineWriter,
  formats: GroupFormats,
): Generator<Uint8Array, void> {
  const { old, now } = texts;
  let [oldAt, newAt] = [0, 0];
  const group = (kind: GroupKind, oldTo: number, newTo: number): void => {
    const sides: Sides = { old: { text: old, from: oldAt, to: oldTo }, now: { text: now, from: newAt, to: newTo }, formats };
    writeGroup(writer, formats.groups[kind], sides);
    [oldAt, newAt] = [oldTo, newTo];
  };
  for (const change of changes) {
    if (ignored(change)) continue;
    const { oldFrom, removed, newFrom, added } = change;
    if (oldAt < oldFrom || newAt < newFrom) group("unchanged", oldFrom, newFrom);
    group(removed === 0 ? "new" : added === 0 ? "old" : "changed", oldFrom + removed, newFrom + added);
    if (writer.out.full) yield writer.out.take();
  }
  if (oldAt < old.lineCount || newAt < now.lineCount) group("unchanged", old.lineCount, now.lineCount);
}

interface Side {
  readonly text: LineText;
  readonly from: number;
  readonly to: number;
}

interface Sides {
  readonly old: Side;
  readonly now: Side;
  readonly formats: GroupFormats;
}

function writeGroup(writer: LineWriter, format: string, sides: Sides): void {
  const { out } = writer;
  for (let at = 0; at < format.length; ) {
    if (format[at] !== "%") {
      at = literal(out, format, at);
      continue;
    }
    const rest = format.slice(at);
    const condition = CONDITION.exec(rest);
    if (condition !== null) {
      const [whole, left = "", right = ""] = condition;
      const { ifEqual, otherwise, next } = branches(format, at + whole.length);
      writeGroup(writer, numberOf(left, sides) === numberOf(right, sides) ? ifEqual : otherwise, sides);
      at = next;
    } else if (rest[1] === "<" || rest[1] === ">" || rest[1] === "=") {
      const kind: LineKind = rest[1] === "<" ? "old" : rest[1] === ">" ? "new" : "unchanged";
      const side = kind === "new" ? sides.now : sides.old;
      for (let line = side.from; line < side.to; line++) writeLine(writer, sides.formats.lines[kind], side.text, line);
      at += 2;
    } else {
      at = common(out, format, at, (letter) => groupNumber(letter, sides));
    }
  }
}

const CONDITION = /^%\((\d+|[EFLMNeflmn])=(\d+|[EFLMNeflmn])\?/;

/** `T:E)` from `at` on, nested conditions skipped over. */
function branches(format: string, at: number): { ifEqual: string; otherwise: string; next: number } {
  const colon = partEnd(format, at, ":");
  const close = partEnd(format, colon + 1, ")");
  return { ifEqual: format.slice(at, colon), otherwise: format.slice(colon + 1, close), next: close + 1 };
}

function partEnd(format: string, from: number, end: ":" | ")"): number {
  for (let at = from; at < format.length; at++) {
    if (format[at] === end) return at;
    if (format[at] !== "%") continue;
    const rest = format.slice(at);
    const condition = CONDITION.exec(rest);
    if (condition !== null) at = branches(format, at + condition[0].length).next - 1;
    else at += (CHARACTER.exec(rest)?.[0].length ?? 2) - 1;
  }
  return format.length;
}

function writeLine(writer: LineWriter, format: string, text: LineText, line: number): void {
  const { out } = writer;
  for (let at = 0; at < format.length; ) {
    if (format[at] !== "%") {
      at = literal(out, format, at);
    } else if (format[at + 1] === "l" || format[at + 1] === "L") {
      writer.content(text, line, undefined);
      if (format[at + 1] === "L" && !isCutLine(text, line)) out.addByte(10);
      at += 2;
    } else {
      at = common(out, format, at, (letter) => (letter === "n" ? line + 1 : undefined));
    }
  }
}

const CHARACTER = /^%c'(?:\\([0-7]{1,3})|([^\\]))'/;
const NUMBER = /^%(['-]*)(\d*)(?:\.(\d*))?([doxX])([A-Za-z])/;
/** The widest number that is written. */
const WIDEST = 1 << 12;

/** `%%`, `%c'C'` and numbers; anything else stands for itself. Returns where the format goes on. */
function common(out: BlockBuilder, format: string, at: number, numberFor: (letter: string) => number | undefined): number {
  const rest = format.slice(at);
  if (rest[1] === "%") {
    out.addByte(0x25);
    return at + 2;
  }
  const character = CHARACTER.exec(rest);
  if (character !== null) {
    const [whole, octal, plain] = character;
    if (octal !== undefined) out.addByte(Number.parseInt(octal, 8) & 0xff);
    else out.add(toBytes(plain as string));
    return at + whole.length;
  }
  const [whole, flags = "", width = "", precision, conversion = "d", letter = ""] = NUMBER.exec(rest) ?? [];
  const number = numberFor(letter);
  if (whole !== undefined && number !== undefined) {
    out.addText(shown(number, conversion, flags.includes("-"), Number(width), precision));
    return at + whole.length;
  }
  out.addByte(0x25);
  return at + 1;
}

function shown(number: number, conversion: string, left: boolean, width: number, precision: string | undefined): string {
  const base = conversion === "o" ? 8 : conversion === "d" ? 10 : 16;
  const digits = conversion === "X" ? number.toString(base).toUpperCase() : number.toString(base);
  const padded = digits.padStart(Math.min(WIDEST, Number(precision ?? 0)), "0");
  return left ? padded.padEnd(Math.min(WIDEST, width)) : padded.padStart(Math.min(WIDEST, width));
}

function literal(out: BlockBuilder, format: string, at: number): number {
  const next = format.indexOf("%", at);
  const end = next < 0 ? format.length : next;
  out.add(toBytes(format.slice(at, end)));
  return end;
}

function numberOf(text: string, sides: Sides): number {
  return /^\d/.test(text) ? Number(text) : (groupNumber(text, sides) ?? 0);
}

/** Lower case for the old lines, upper case for the new. */
function groupNumber(letter: string, { old, now }: Sides): number | undefined {
  const { from, to } = letter === letter.toLowerCase() ? old : now;
  switch (letter.toLowerCase()) {
    case "e":
      return from;
    case "f":
      return from + 1;
    case "l":
      return to;
    case "m":
      return to + 1;
    case "n":
      return to - from;
    default:
      return undefined;
  }
}
