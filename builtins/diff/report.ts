/** Two contents compared and printed in the chosen format, with the header that goes above. */
import { formatTime, localTimes } from "../../src/dates/date-format.ts";
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { toBytes } from "../../src/io/text.ts";
import { changesBetween, type Change } from "../../src/compare/changes.ts";
import {
  contextFormat,
  edFormat,
  forwardEdFormat,
  normalFormat,
  rcsFormat,
  unifiedFormat,
  type Comparison,
} from "../../src/compare/formats.ts";
import { mergedFormat } from "./group-format.ts";
import { hunksAround, isIgnored, type TextPair } from "../../src/compare/hunks.ts";
import { lineText, withoutCarriageReturns } from "../../src/compare/line-text.ts";
import { LineWriter } from "../../src/compare/line-writer.ts";
import type { DiffSettings } from "./settings.ts";
import { sideBySide } from "./side-by-side.ts";

export interface ReportedSide {
  readonly name: string;
  readonly label: string | undefined;
  readonly modifiedNs: bigint;
}

export interface Outcome extends Comparison {
  /** Whether there is a change that counts. */
  readonly differs: boolean;
  /** Which of the two lacks its last newline. */
  readonly incomplete: readonly [boolean, boolean];
}

export class Report {
  readonly #settings: DiffSettings;
  readonly #optionWords: readonly string[];
  readonly #timeZone: string;

  constructor(settings: DiffSettings, optionWords: readonly string[], timeZone: string) {
    this.#settings = settings;
    this.#optionWords = optionWords;
    this.#timeZone = timeZone;
  }

  compare(oldBytes: Buffer, newBytes: Buffer): Outcome {
    const incomplete: [boolean, boolean] = [lacksNewline(oldBytes), lacksNewline(newBytes)];
    const texts: TextPair = { old: lineText(this.#prepared(oldBytes)), now: lineText(this.#prepared(newBytes)) };
    const changes = changesBetween(texts.old, texts.now, this.#settings.comparison);
    const ignored = (change: Change): boolean => isIgnored(change, texts, this.#settings.ignore);
    return { texts, changes, ignored, incomplete, differs: changes.some((change) => !ignored(change)) };
  }

  /** `isInside`: both stand in directories that are compared, and the output says which files they are. */
  *print(outcome: Outcome, sides: readonly [ReportedSide, ReportedSide], isInside: boolean): Generator<Uint8Array, void> {
    const settings = this.#settings;
    const writer = new LineWriter(settings.lines);
    if (isInside) {
      const options = this.#optionWords.map((word) => ` ${quoteInStyle(word, "shell", "=")}`).join("");
      writer.out.add(toBytes(`diff${options} ${sides.map(({ name, label }) => quotedName(label ?? name)).join(" ")}\n`));
    }
    switch (settings.format) {
      case "normal":
        yield* normalFormat(outcome, writer);
        break;
      case "unified":
      case "context": {
        const { context } = settings;
        if (hunksAround(outcome.changes, outcome.texts, context, outcome.ignored).length > 0) this.#header(writer, sides);
        yield* settings.format === "unified" ? unifiedFormat(outcome, writer, settings) : contextFormat(outcome, writer, settings);
        break;
      }
      case "ed":
        yield* edFormat(outcome, writer);
        break;
      case "forward-ed":
        yield* forwardEdFormat(outcome, writer);
        break;
      case "rcs":
        yield* rcsFormat(outcome, writer);
        break;
      case "side-by-side":
        yield* sideBySide(outcome, writer, settings.columns);
        break;
      case "merged":
        if (settings.groups !== undefined) yield* mergedFormat(outcome, writer, settings.groups);
        break;
    }
    if (!writer.out.empty) yield writer.out.take();
  }

  #header(writer: LineWriter, sides: readonly [ReportedSide, ReportedSide]): void {
    const marks = this.#settings.format === "unified" ? ["---", "+++"] : ["***", "---"];
    const timeAt = localTimes(this.#timeZone);
    for (const [which, { name, label, modifiedNs }] of sides.entries()) {
      const time = formatTime(timeAt(modifiedNs), "%Y-%m-%d %H:%M:%S.%N %z");
      const shown = label === undefined ? `${quotedName(name)}\t${time}` : label;
      writer.out.add(toBytes(`${marks[which]} ${shown}\n`));
    }
  }

  #prepared(bytes: Buffer): Buffer {
    const { stripCarriageReturns, comparison } = this.#settings;
    // A carriage return that no newline stands behind stays.
    const kept = stripCarriageReturns ? withoutCarriageReturns(bytes) : bytes;
    return comparison.completesLines && lacksNewline(kept) ? Buffer.concat([kept, NEWLINE]) : kept;
  }
}

const NEWLINE = Buffer.from("\n");
const lacksNewline = (bytes: Buffer): boolean => bytes.length > 0 && bytes[bytes.length - 1] !== 10;

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/** A file name as patch(1) reads it back: in double quotes where it holds a space, a quote, a control or a high byte. */
function quotedName(name: string): string {
  const bytes = toBytes(name);
  if (bytes.every((byte) => byte > 0x20 && byte < 0x80 && byte !== 0x22 && byte !== 0x5c)) return name;
  const escaped = [...bytes].map(
    (byte) => ESCAPES[byte] ?? (byte < 0x20 || byte >= 0x80 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte)),
  );
  return `"${escaped.join("")}"`;
}
