/** Regular expressions of a script: between their delimiters, and compiled. */
import { BufferSearch } from "../../src/search/buffer-search.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { toText } from "../../src/io/text.ts";
import { patternText, readEscape } from "./escapes.ts";
import { posixPattern } from "./posix-pattern.ts";
import type { Pattern } from "./program.ts";
import { ScriptError, type ScriptReader } from "./script-reader.ts";

/**
 * The text up to `delimiter`, which is passed over; undefined where none follows. A delimiter after a backslash is
 * plain text, and in a pattern so is one in brackets.
 */
export function readDelimited(reader: ScriptReader, delimiter: string, isPattern: boolean): string | undefined {
  let text = "";
  for (;;) {
    if (reader.atEnd || reader.peek() === "\n") return undefined;
    const byte = reader.next();
    if (byte === delimiter) return text;
    if (byte === "\\") {
      if (reader.atEnd) return undefined;
      const escaped = reader.next();
      if (escaped !== delimiter || (escaped === "&" && !isPattern)) text += "\\";
      text += escaped;
    } else if (byte === "[" && isPattern) {
      const bracket = bracketAt(reader);
      if (bracket === undefined) return undefined;
      text += byte + bracket;
    } else {
      text += byte;
    }
  }
}

/** A bracket expression after its `[`, with its `]`. */
function bracketAt(reader: ScriptReader): string | undefined {
  const { text } = reader;
  const from = reader.at;
  let at = from;
  if (text[at] === "^") at++;
  if (text[at] === "]") at++;
  for (;;) {
    const byte = text[at];
    if (byte === undefined || byte === "\n") {
      reader.at = at;
      return undefined;
    }
    at++;
    if (byte === "]") break;
    const mark = text[at] ?? "";
    if (byte !== "[" || mark === "" || !":.=".includes(mark)) continue;
    at = classEnd(text, at + 1, mark);
  }
  reader.at = at;
  return text.slice(from, at);
}

/** End of a class, behind its `:]`; the end of the line if it has none. A second `:` before the `]` ends nothing. */
function classEnd(text: string, from: number, mark: string): number {
  let isMarked = false;
  for (let at = from; ; at++) {
    const byte = text[at];
    if (byte === undefined || byte === "\n") return at;
    if (byte === "]" && isMarked) return at + 1;
    isMarked = byte === mark && !isMarked;
  }
}

/** Compiles what `readDelimited` gave. The empty pattern is undefined: the last one used. */
export function compilePattern(
  reader: ScriptReader,
  raw: string,
  dialect: { readonly extended: boolean; readonly separator: number; readonly posix: boolean; readonly bytesAreCharacters: boolean },
  flags: { readonly foldCase: boolean; readonly multiline: boolean },
): Pattern {
  if (raw === "") {
    if (flags.foldCase || flags.multiline) throw reader.error("cannot specify modifiers on empty regexp");
    return undefined;
  }
  try {
    const text = dialect.posix ? posixPattern(raw, dialect.extended, readEscape) : patternText(raw);
    return new BufferSearch(toText(Buffer.from(text, "latin1")), {
      syntax: dialect.extended ? "extended" : "basic",
      foldCase: flags.foldCase,
      bytesAreCharacters: dialect.bytesAreCharacters,
      ...(flags.multiline && { lineSeparator: dialect.separator }),
    });
  } catch (thrown) {
    if (thrown instanceof ScriptError) throw reader.error(thrown.message);
    if (!(thrown instanceof PatternError)) throw thrown;
    // gnulib's dfa ends the program itself for this one.
    if (thrown.message.startsWith("character class syntax")) throw new ScriptError(thrown.message, 4);
    throw reader.error(thrown.message);
  }
}
