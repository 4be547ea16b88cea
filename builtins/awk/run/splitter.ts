/** Splits a record into fields: by blanks, a byte, a regular expression, characters, widths, a pattern of fields, or as CSV. */
import { latin1 } from "./latin1.ts";
import { sequenceLength } from "../../../src/io/text.ts";
import type { FieldTable } from "./field-table.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { AwkRegex } from "./regex.ts";

export interface Splitter {
  /** Finds fields in `bytes` up to `to` until there are `wanted` of them or no more. */
  split(bytes: Buffer, to: number, table: FieldTable, wanted: number): void;
}

const NEWLINE = 10;

/** Runs of blanks, tabs and newlines; those around the fields do not count. */
export const BLANKS: Splitter = {
  split(bytes, to, table, wanted) {
    let { at } = table;
    while (table.count < wanted) {
      let byte = 0;
      while (at < to && ((byte = bytes[at] as number) === 32 || byte === 9 || byte === 10)) at++;
      if (at >= to) {
        table.isComplete = true;
        break;
      }
      const start = at;
      while (at < to && (byte = bytes[at] as number) !== 32 && byte !== 9 && byte !== 10) at++;
      table.add(start, at);
    }
    table.at = at;
  },
};

/** One byte between fields; a newline too where records are paragraphs. */
export function byteSplitter(separator: number, newlineToo: boolean): Splitter {
  return {
    split(bytes, to, table, wanted) {
      let { at } = table;
      if (at >= to && table.count === 0) {
        table.isComplete = true;
        return;
      }
      while (table.count < wanted) {
        const start = at;
        let byte = 0;
        while (at < to && (byte = bytes[at] as number) !== separator && !(newlineToo && byte === NEWLINE)) at++;
        table.add(start, at);
        if (at >= to) {
          table.isComplete = true;
          break;
        }
        at++;
      }
      table.at = at;
    },
  };
}

/** Every character is a field. */
export function characterSplitter(bytesAreCharacters: boolean): Splitter {
  return {
    split(bytes, to, table, wanted) {
      let { at } = table;
      while (table.count < wanted && at < to) {
        const width = bytesAreCharacters ? 1 : sequenceLength(bytes, at);
        const end = width < 2 || at + width > to ? at + 1 : at + width;
        table.add(at, end);
        at = end;
      }
      table.at = at;
      table.isComplete = at >= to;
    },
  };
}

/**
 * Splits at matches of `regex`; an empty match separates nothing. With `trims`, blanks before the first field and the text behind
 * the last one separate nothing either.
 */
export function regexSplitter(regex: AwkRegex, trims = false): Splitter {
  return {
    split(bytes, to, table) {
      if (trims) while (table.at < to && /[ \t\n]/.test(String.fromCharCode(bytes[table.at] as number))) table.at++;
      if (table.at >= to) {
        table.isComplete = true;
        return;
      }
      regex.loadBytes(bytes, table.at, to);
      let start = table.at;
      for (let at = start; at <= to && regex.find(at); ) {
        const [from = 0, end = 0] = [regex.offsets[0], regex.offsets[1]];
        if (end === from) {
          at = from + 1;
          continue;
        }
        table.add(start, from);
        start = end;
        at = end;
      }
      if (!trims || start < to) table.add(start, to);
      table.isComplete = true;
    },
  };
}

/** FPAT: what matches is a field. An empty match right behind a field is none. */
export function patternSplitter(regex: AwkRegex): Splitter {
  return {
    split(bytes, to, table) {
      table.isComplete = true;
      if (table.at >= to) return;
      regex.loadBytes(bytes, table.at, to);
      let lastEnd = -1;
      for (let at = table.at; at <= to && regex.find(at); ) {
        const [from = 0, end = 0] = [regex.offsets[0], regex.offsets[1]];
        if (end > from || from !== lastEnd) table.add(from, end);
        lastEnd = end;
        at = end > from ? end : end + 1;
      }
    },
  };
}

interface Width {
  readonly skip: number;
  /** Infinity: all that is left. */
  readonly width: number;
}

/** FIELDWIDTHS: `5 2:3 *`. Throws FatalError. */
export function widthSplitter(text: string, bytesAreCharacters: boolean): Splitter {
  const words = text.split(/[ \t]+/).filter((word) => word !== "");
  const widths = words.map((word, index): Width => {
    const found = /^(?:([0-9]+):)?([0-9]+|\*)$/.exec(word);
    const width = found?.[2] === "*" ? Infinity : Number(found?.[2]);
    if (found === null || !(width > 0) || (width === Infinity && index < words.length - 1)) {
      if (found?.[2] === "*") throw new FatalError("`*' must be the last designator in FIELDWIDTHS");
      throw new FatalError(`invalid FIELDWIDTHS value, for field ${index + 1}, near \`${word}'`);
    }
    return { skip: Number(found[1] ?? 0), width };
  });
  return {
    split(bytes, to, table) {
      let { at } = table;
      const step = (from: number, count: number): number => {
        if (bytesAreCharacters) return Math.min(to, from + count);
        let here = from;
        for (let left = count; left > 0 && here < to; left--) here += Math.max(1, sequenceLength(bytes, here));
        return Math.min(here, to);
      };
      for (const { skip, width } of widths) {
        if (at >= to) break;
        at = step(at, skip);
        const end = width === Infinity ? to : step(at, width);
        table.add(at, end);
        at = end;
      }
      table.isComplete = true;
    },
  };
}

/** --csv: commas between fields, which may be in double quotes, doubled within. */
export const CSV: Splitter = {
  split(bytes, to, table) {
    let { at } = table;
    table.isComplete = true;
    if (at >= to) return;
    for (;;) {
      if (bytes[at] === 0x22) {
        let text = "";
        let from = ++at;
        for (;;) {
          if (at >= to) {
            text += latin1(bytes, from, to);
            break;
          }
          if (bytes[at] !== 0x22) {
            at++;
            continue;
          }
          text += latin1(bytes, from, at);
          at++;
          from = at;
          if (at === to || bytes[at] === 0x2c) break;
          // Doubled, or followed by what may not follow it: either way it is part of the field.
          text += '"';
          if (bytes[at] === 0x22) from = ++at;
        }
        table.decoded ??= new Map();
        table.decoded.set(table.count, text);
        table.add(at, at);
      } else {
        const start = at;
        while (at < to && bytes[at] !== 0x2c) at++;
        table.add(start, at);
      }
      if (at >= to) return;
      at++;
      if (at >= to) {
        table.add(to, to);
        return;
      }
    }
  },
};
