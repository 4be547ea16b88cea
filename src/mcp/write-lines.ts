/** The lines of an answer about what was written: each change with its record, its differences, and the way to take it back. */
import type { ChangeSummary, WriteReceipt } from "../builtin/recorder.ts";
import { quoteWord } from "../display/quote.ts";
import { showName, showText } from "../display/visible.ts";

/** Most lines of differences in one answer, and changes that are told one by one. */
const MOST_DIFF_LINES = 40;
const MOST_CHANGES = 20;
const OURS = "[shelpa] ";

/** `offersUndo`: the builtin is there. Lines of differences begin with their sign, and so never as one of ours. */
export function writeLines(receipts: readonly WriteReceipt[], offersUndo: boolean): readonly string[] {
  const [first, ...others] = receipts;
  if (first === undefined) return [];
  const lines: string[] = [];
  let room = MOST_DIFF_LINES;
  for (const receipt of receipts.slice(0, MOST_CHANGES)) {
    lines.push(`${OURS}${changeText(receipt)} (${facts(receipt, offersUndo && others.length === 0)})`);
    // All that an emptied file held is in its record, and nothing of it is news.
    const { diff = [], more = 0 } = (isEmptied(receipt) ? undefined : receipt.change) ?? {};
    const shown = diff.slice(0, room);
    room -= shown.length;
    lines.push(...shown.map((line) => showText(line)));
    const left = diff.length - shown.length + more;
    if (left > 0) lines.push(`${OURS}${left} more ${left === 1 ? "line" : "lines"} of this difference`);
  }
  const untold = receipts.length - MOST_CHANGES;
  if (untold > 0) lines.push(`${OURS}${untold} more changes (history lists them)`);
  if (offersUndo && others.length > 0) lines.push(`${OURS}undo all of it: undo ${first.recordId}`);
  return lines;
}

const isEmptied = ({ mode, bytes, created }: WriteReceipt): boolean => mode === "overwrite" && bytes === 0 && !created;

/** "replaced app.py: 1 line changed". */
export function changeText(receipt: WriteReceipt): string {
  const { path, mode, bytes, created, change, directories = 0 } = receipt;
  const made = directories === 0 ? "" : ` and ${directories === 1 ? "a directory" : `${directories} directories`} for it`;
  const name = `${shownPath(path)}${made}`;
  if (mode !== "overwrite" && mode !== "append" && mode !== "remove") return `${CHANGES[mode]} ${name}`;
  const isRemoved = mode === "remove";
  const what = isRemoved
    ? "removed"
    : created
      ? "created"
      : isEmptied(receipt)
        ? "emptied"
        : mode === "append"
          ? "appended to"
          : "replaced";
  if (change === undefined) return isRemoved ? `removed ${name}` : `${what} ${name}: ${bytes} bytes`;
  return `${what} ${name}: ${created || isRemoved ? lineCount(change.added + change.removed) : changed(change)}`;
}

/** Bare where no character of it could stand for words of ours, else in single quotes. */
function shownPath(path: string): string {
  const shown = showName(path);
  return /^[\p{L}\p{N}\p{M}_@%+=:,./~-]+$/u.test(shown) ? shown : quoteWord(shown);
}

const CHANGES = {
  link: "linked",
  "make-directory": "made the directory",
  "remove-directory": "removed the directory",
  attributes: "set the mode and times of",
} as const;

function changed({ added, removed }: ChangeSummary): string {
  if (added === 0 && removed === 0) return "nothing changed";
  if (added === removed) return `${lineCount(added)} changed`;
  if (removed === 0) return `${lineCount(added)} added`;
  return added === 0 ? `${lineCount(removed)} removed` : `${lineCount(added)} added, ${removed} removed`;
}

const lineCount = (count: number): string => `${count} ${count === 1 ? "line" : "lines"}`;

function facts({ recordId, permittedBy }: WriteReceipt, namesUndo: boolean): string {
  const allowed = permittedBy === null ? [] : [`allowed by ${permittedBy === "human" ? "a human" : "the configuration"}`];
  return [`record ${recordId}`, ...allowed, ...(namesUndo ? [`undo: undo ${recordId}`] : [])].join(", ");
}
