/** Two texts as `diff -u` prints them, for our own displays. */
import { quoteInStyle } from "../display/quoting-style.ts";
import { changesBetween, type ComparisonOptions } from "./changes.ts";
import { unifiedFormat } from "./formats.ts";
import { lineText } from "./line-text.ts";
import { LineWriter } from "./line-writer.ts";

/** A name, or a name and the time of its text. */
export type DiffSide = string | { readonly name: string; readonly when: string };

/** Default options of GNU diff. */
export const ORDINARY_COMPARISON: ComparisonOptions = {
  minimal: false,
  speedLarge: false,
  horizonLines: 0,
  whiteSpace: { kind: "exact" },
  ignoreCase: false,
  tabColumns: 8,
  completesLines: false,
};

const PLAIN_LINES = { expandTabs: false, initialTab: false, tabColumns: 8, suppressBlankEmpty: false };

/**
 * The difference of two texts; empty where they are the same, a sentence where one is binary. `sides` stand in the header:
 * names, quoted as in C where they hold text that could be taken for a line, and after a tab the time of each.
 */
export function unifiedDiff(old: Buffer, now: Buffer, sides: readonly [DiffSide, DiffSide], contextLines = 3): Buffer {
  if (old.equals(now)) return Buffer.alloc(0);
  const names = sides.map((side) => quoteInStyle(typeof side === "string" ? side : side.name, "c-maybe"));
  if (old.includes(0) || now.includes(0)) return Buffer.from(`Binary files ${names[0]} and ${names[1]} differ\n`);
  const texts = { old: lineText(old), now: lineText(now) };
  const changes = changesBetween(texts.old, texts.now, ORDINARY_COMPARISON);
  const writer = new LineWriter(PLAIN_LINES);
  const [before = "", after = ""] = names.map((name, index) => `${name}${whenOf(sides[index])}`);
  writer.text(`--- ${before}\n+++ ${after}\n`);
  const blocks: Uint8Array[] = [];
  // Copies: the writer fills a block anew once the next one is asked for.
  for (const block of unifiedFormat({ texts, changes, ignored: () => false }, writer, { context: contextLines, functionLine: undefined })) {
    blocks.push(Uint8Array.from(block));
  }
  if (!writer.out.empty) blocks.push(writer.out.take());
  return Buffer.concat(blocks);
}

const whenOf = (side: DiffSide | undefined): string => (side === undefined || typeof side === "string" ? "" : `\t${side.when}`);
