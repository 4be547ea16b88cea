/** `s` and `y` after their letters. */
import { toText } from "../../src/io/text.ts";
import { readEscape } from "./escapes.ts";
import type { ScriptParser } from "./parser.ts";
import { compilePattern, readDelimited } from "./pattern-parser.ts";
import type { Action, Channel, Translation } from "./program.ts";
import { highestGroup, parseReplacement } from "./replacement.ts";
import { ScriptError, type ScriptReader } from "./script-reader.ts";

/** `s/PATTERN/REPLACEMENT/FLAGS`; undefined where it writes or runs what is refused. */
export function readSubstitution(parser: ScriptParser): Action | undefined {
  const { reader } = parser;
  const [rawPattern, rawReplacement] = readHalves(reader, "s", true);
  const flags = readFlags(parser);
  reader.isPastLine = true;
  const pattern = compilePattern(reader, rawPattern, parser.dialect, flags);
  const replacement = inPlace(reader, () => parseReplacement(rawReplacement, parser.dialect.posix));
  const highest = highestGroup(replacement);
  if (pattern !== undefined && highest > pattern.groupCount && !parser.dialect.posix) {
    throw reader.error(`invalid reference \\${highest} on \`s' command's RHS`);
  }
  reader.isPastLine = false;
  if (flags.isRefused) return undefined;
  return {
    kind: "substitute",
    substitution: {
      pattern,
      replacement,
      isGlobal: flags.isGlobal,
      occurrence: flags.occurrence ?? 1,
      prints: flags.prints,
      writesTo: flags.writesTo,
      usesGroups: highest > 0,
    },
  };
}

interface Flags {
  foldCase: boolean;
  multiline: boolean;
  isGlobal: boolean;
  prints: boolean;
  occurrence: number | undefined;
  writesTo: Channel | undefined;
  isRefused: boolean;
}

function readFlags(parser: ScriptParser): Flags {
  const { reader } = parser;
  const flags: Flags = {
    foldCase: false,
    multiline: false,
    isGlobal: false,
    prints: false,
    occurrence: undefined,
    writesTo: undefined,
    isRefused: false,
  };
  for (;;) {
    const letter = reader.peek();
    if (letter === "}" || letter === "#") return flags;
    const start = reader.at;
    reader.next();
    if (parser.dialect.posix && letter !== "" && "iImMe".includes(letter)) throw reader.error("unknown option to `s'");
    switch (letter) {
      case "":
      case "\n":
      case ";":
        return flags;
      case " ":
      case "\t":
      case "\r":
        break;
      case "i":
      case "I":
        flags.foldCase = true;
        break;
      case "m":
      case "M":
        flags.multiline = true;
        break;
      case "g":
        if (flags.isGlobal) throw reader.error("multiple `g' options to `s' command");
        flags.isGlobal = true;
        break;
      case "p":
        if (flags.prints) throw reader.error("multiple `p' options to `s' command");
        flags.prints = true;
        break;
      case "e":
        parser.requireNoSandbox();
        flags.isRefused = true;
        parser.refuse("run", "", start);
        break;
      case "w":
        parser.requireNoSandbox();
        flags.writesTo = parser.channel(start);
        reader.next();
        return flags;
      default: {
        if (!/^[0-9]$/.test(letter)) throw reader.error("unknown option to `s'");
        reader.at--;
        const number = reader.number();
        if (flags.occurrence !== undefined) throw reader.error("multiple number options to `s' command");
        if (number === 0) throw reader.error("number option to `s' command may not be zero");
        flags.occurrence = number;
      }
    }
  }
}

/** `y/ABC/XYZ/` */
export function readTranslation(reader: ScriptReader, bytesAreCharacters: boolean): Translation {
  const [from, to] = readHalves(reader, "y", false).map((half) => {
    const text = inPlace(reader, () => plainText(half));
    return bytesAreCharacters ? [...text] : charactersOf(text);
  }) as [string[], string[]];
  if (from.length !== to.length) throw reader.error("strings for `y' command are different lengths");
  const characters = new Map<string, Buffer>();
  for (const [at, character] of from.entries()) {
    if (!characters.has(character)) characters.set(character, Buffer.from(to[at] as string, "latin1"));
  }
  const most = bytesAreCharacters ? 0xff : 0x7f;
  const areBytes = [...from, ...to].every((character) => character.length === 1 && character.charCodeAt(0) <= most);
  if (!areBytes) return { bytes: undefined, characters };
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => characters.get(String.fromCharCode(byte))?.[0] ?? byte);
  return { bytes, characters };
}

function readHalves(reader: ScriptReader, command: "s" | "y", hasPattern: boolean): [string, string] {
  const delimiter = reader.next();
  if (delimiter >= "\x80") throw reader.error("delimiter character is not a single-byte character");
  const unterminated = `unterminated \`${command}' command`;
  const first = delimiter === "" ? undefined : readDelimited(reader, delimiter, hasPattern);
  const second = first === undefined ? undefined : readDelimited(reader, delimiter, false);
  if (first === undefined || second === undefined) throw reader.error(unterminated);
  return [first, second];
}

/** An escape that is wrong is reported where the reader is. */
function inPlace<T>(reader: ScriptReader, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof ScriptError ? reader.error(thrown.message) : thrown;
  }
}

function plainText(raw: string): string {
  let text = "";
  for (let at = 0; at < raw.length; ) {
    if (raw[at] !== "\\" || at + 1 === raw.length) {
      text += raw[at++];
      continue;
    }
    const escape = readEscape(raw, at);
    text += escape?.byte ?? (raw[at + 1] as string);
    at = escape?.next ?? at + 2;
  }
  return text;
}

/** Bytes → the bytes of each character. */
function charactersOf(bytes: string): string[] {
  return Array.from(toText(Buffer.from(bytes, "latin1")), (character) => {
    const code = character.charCodeAt(0);
    return code >= 0xdc80 && code <= 0xdcff ? String.fromCharCode(code - 0xdc00) : Buffer.from(character).toString("latin1");
  });
}
