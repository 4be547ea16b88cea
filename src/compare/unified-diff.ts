/** Two texts as `diff -u` prints them, for our own displays. */
import { changesBetween, type ComparisonOptions } from "./changes.ts";
import { unifiedFormat } from "./formats.ts";
import { lineText } from "./line-text.ts";
import { LineWriter } from "./line-writer.ts";

/** GNU diff's own defaults. */
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

/** `names` stand in the header as they are. Empty where the texts are the same; a sentence where one is binary. */
export function unifiedDiff(old: Buffer, now: Buffer, names: readonly [string, string], contextLines = 3): Buffer {
  if (old.equals(now)) return Buffer.alloc(0);
  if (old.includes(0) || now.includes(0)) return Buffer.from(`Binary files ${names[0]} and ${names[1]} differ\n`);
  const texts = { old: lineText(old), now: lineText(now) };
  const changes = changesBetween(texts.old, texts.now, ORDINARY_COMPARISON);
  const writer = new LineWriter(PLAIN_LINES);
  writer.text(`--- ${names[0]}\n+++ ${names[1]}\n`);
  const blocks: Uint8Array[] = [
    ...unifiedFormat({ texts, changes, ignored: () => false }, writer, { context: contextLines, functionLine: undefined }),
  ];
  if (!writer.out.empty) blocks.push(writer.out.take());
  return Buffer.concat(blocks);
}
