/** Reads the hunks of a diff, one at a time: unified, context or normal. Throws PatchError for a malformed one. */
import { contextHunk } from "./context-hunk.ts";
import type { Hunk } from "./hunk.ts";
import { checkLines, malformed } from "./malformed.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchLines } from "./patch-lines.ts";

export type DiffKind = "unified" | "context" | "normal";

/** The hunk at hand; undefined where none begins, and then `lines` stands where it stood. */
export function readHunk(lines: PatchLines, kind: DiffKind): Hunk | undefined {
  switch (kind) {
    case "unified":
      return unifiedHunk(lines);
    case "context":
      return contextHunk(lines);
    case "normal":
      return normalHunk(lines);
  }
}

/** Line numbers past this one are none. */
const MOST_NUMBER = 2 ** 52;

function unifiedHunk(lines: PatchLines): Hunk | undefined {
  const before = lines.place;
  const head = lines.next();
  if (head === undefined || !head.subarray(0, 4).equals(UNIFIED)) {
    lines.place = before;
    return undefined;
  }
  const found = /^@@ -(\d+)(?:,(\d+))? ?\+(\d+)(?:,(\d+))? ?@/.exec(head.toString("latin1"));
  if (found === null) throw malformed(lines, head);
  const [oldFirst, oldCount, newFirst, newCount] = [found[1], found[2] ?? "1", found[3], found[4] ?? "1"].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (oldFirst + oldCount > MOST_NUMBER || newFirst + newCount > MOST_NUMBER) throw malformed(lines, head);
  checkLines(oldCount);
  checkLines(newCount);
  const [oldLines, newLines]: [Buffer[], Buffer[]] = [[], []];
  let [oldMarks, newMarks] = ["", ""];
  let prefixContext = -1;
  let context = 0;
  while (oldLines.length < oldCount || newLines.length < newCount) {
    const line = lines.next() ?? chopped(newCount - newLines.length);
    const isEaten = line[0] === 0x09 || line[0] === 0x0a;
    const mark = isEaten ? " " : String.fromCharCode(line[0] as number);
    const rest = isEaten ? line : line.subarray(1);
    const isOld = mark === "-" || mark === " " || mark === "=";
    const isNew = mark === "+" || mark === " " || mark === "=";
    if ((!isOld && !isNew) || (isOld && oldLines.length >= oldCount) || (isNew && newLines.length >= newCount))
      throw malformed(lines, line);
    if (isOld) {
      oldLines.push(oldLines.length + 1 === oldCount && lines.skipsIncomplete() ? rest.subarray(0, -1) : rest);
      oldMarks += isNew ? " " : "-";
    }
    if (isNew) {
      const last = isOld ? (oldLines.at(-1) as Buffer) : rest;
      newLines.push(newLines.length + 1 === newCount && lines.skipsIncomplete() ? rest.subarray(0, -1) : last);
      newMarks += isOld ? " " : "+";
    }
    if (isOld && isNew) {
      context++;
    } else {
      if (prefixContext < 0) prefixContext = context;
      context = 0;
    }
    if (prefixContext < 0 && oldLines.length === oldCount && newLines.length === newCount) throw malformed(lines, line);
  }
  if (prefixContext < 0) throw malformed(lines, head);
  return {
    old: { first: oldFirst + (oldCount === 0 ? 1 : 0), marks: oldMarks, lines: oldLines },
    new: { first: newFirst + (newCount === 0 ? 1 : 0), marks: newMarks, lines: newLines },
    prefixContext,
    suffixContext: context,
  };
}

/** An empty line for one that was cut from the end of the patch: up to three may be. */
function chopped(missing: number): Buffer {
  if (missing > 3) throw new PatchError("unexpected end of file in patch");
  return Buffer.from(" \n");
}

function normalHunk(lines: PatchLines): Hunk | undefined {
  const before = lines.place;
  const head = lines.next();
  const text = head?.toString("latin1") ?? "";
  if (head === undefined || !/^\d/.test(text)) {
    lines.place = before;
    return undefined;
  }
  const found = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?/.exec(text);
  if (found === null) throw malformed(lines, head);
  const [, from = "", to = from, kind, newFrom = "", newTo = newFrom] = found;
  const oldCount = kind === "a" ? 0 : Number(to) - Number(from) + 1;
  const newCount = kind === "d" ? 0 : Number(newTo) - Number(newFrom) + 1;
  if (oldCount < 0 || newCount < 0 || Number(to) > MOST_NUMBER || Number(newTo) > MOST_NUMBER) throw malformed(lines, head);
  checkLines(oldCount);
  checkLines(newCount);
  const oldLines = normalLines(lines, oldCount, "<");
  if (kind === "c" && nextOf(lines)[0] !== 0x2d) throw new PatchError(`'---' expected at line ${lines.lineNumber} of patch`);
  const newLines = normalLines(lines, newCount, ">");
  return {
    old: { first: Number(from) + (kind === "a" ? 1 : 0), marks: "-".repeat(oldCount), lines: oldLines },
    new: { first: Number(newFrom) + (kind === "d" ? 1 : 0), marks: "+".repeat(newCount), lines: newLines },
    prefixContext: 0,
    suffixContext: 0,
  };
}

function normalLines(lines: PatchLines, count: number, mark: string): Buffer[] {
  return Array.from({ length: count }, (_, at) => {
    const line = nextOf(lines);
    if (line[0] !== mark.charCodeAt(0) || (line[1] !== 0x20 && line[1] !== 0x09))
      throw new PatchError(`'${mark}' followed by space or tab expected at line ${lines.lineNumber} of patch`);
    return at + 1 === count && lines.skipsIncomplete() ? line.subarray(2, -1) : line.subarray(2);
  });
}

function nextOf(lines: PatchLines): Buffer {
  const line = lines.next();
  if (line === undefined) throw new PatchError(`unexpected end of file in patch at line ${lines.lineNumber}`);
  return line;
}

const UNIFIED = Buffer.from("@@ -");
