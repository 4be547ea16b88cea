/** Text: its encoding, the ends of its lines, and what libmagic says of both. */
import { sequenceLength } from "../../src/io/text.ts";
import type { Sample } from "./sample.ts";

/** So many bytes are looked at. */
export const TEXT_BYTES = 65_536;
/** Lines longer than this are said to be very long, in characters. */
const LONG_LINE = 300;

export interface TextLook {
  /** "ASCII", "Unicode text, UTF-8" */
  readonly encoding: string;
  readonly charset: string;
  /** One number per character. */
  readonly characters: ArrayLike<number>;
  /** Where the characters are words to look for patterns in; for UTF-16 as UTF-8. One character per byte. */
  readonly searchable: string;
}

/** undefined for what is no text. */
export function lookAtText(sample: Sample): TextLook | undefined {
  const bytes = sample.bytes.subarray(0, TEXT_BYTES);
  if (bytes.length < 2) return undefined;
  const plain = (encoding: string, charset: string): TextLook => ({
    encoding,
    charset,
    characters: bytes,
    searchable: bytes.toString("latin1", 0, 8192),
  });
  const classes = classesIn(bytes);
  if (!classes.control && !classes.c1 && !classes.high) return plain("ASCII", "us-ascii");
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (!classes.control && isUtf8(bytes)) {
    const text = bytes.subarray(hasMark ? 3 : 0);
    const characters = Array.from(text.toString("utf8"), (character) => character.codePointAt(0) as number);
    const encoding = hasMark ? "Unicode text, UTF-8 (with BOM)" : "Unicode text, UTF-8";
    return { encoding, charset: "utf-8", characters, searchable: text.toString("latin1", 0, 8192) };
  }
  const wide = wideText(bytes);
  if (wide !== undefined) return wide;
  if (classes.control) return undefined;
  return classes.c1 ? plain("Non-ISO extended-ASCII", "unknown-8bit") : plain("ISO-8859", "iso-8859-1");
}

/** What kinds of bytes there are: BEL, BS, TAB, LF, VT, FF, CR, ESC and NEL are text. */
function classesIn(bytes: Uint8Array): { control: boolean; c1: boolean; high: boolean } {
  const found = { control: false, c1: false, high: false };
  for (const byte of bytes) {
    if (byte >= 0xa0) found.high = true;
    else if (byte >= 0x80) {
      if (byte !== 0x85) found.c1 = true;
    } else if (byte < 0x20 ? !((byte >= 7 && byte <= 13) || byte === 27) : byte === 0x7f) found.control = true;
  }
  return found;
}

/** A sequence that is cut off at the end is let pass. */
function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0)
      return at > bytes.length - 4 && (bytes[at] as number) >= 0xc2 && bytes.subarray(at + 1).every((byte) => (byte & 0xc0) === 0x80);
    at += length;
  }
  return true;
}

/** UTF-16 and UTF-32 with a byte order mark. */
function wideText(bytes: Buffer): TextLook | undefined {
  const [first, second, third, fourth] = bytes;
  const big = first === 0xfe && second === 0xff;
  const little = first === 0xff && second === 0xfe;
  const big32 = first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
  const little32 = little && third === 0 && fourth === 0;
  const isWide = big32 || little32;
  if (!isWide && !big && !little) return undefined;
  const width = isWide ? 4 : 2;
  const isBig = isWide ? big32 : big;
  const characters: number[] = [];
  for (let at = width; at + width <= bytes.length; at += width) {
    const code =
      width === 2 ? (isBig ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at)) : isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    if (code === 0xfffe || (code < 0x20 && !((code >= 7 && code <= 13) || code === 27)) || code === 0x7f) return undefined;
    characters.push(code);
  }
  const order = isBig ? "big" : "little";
  const text = String.fromCodePoint(
    ...characters.slice(0, 8192).map((code) => (code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code)),
  );
  return {
    encoding: `Unicode text, UTF-${width * 8}, ${order}-endian`,
    charset: `utf-${width * 8}${isBig ? "be" : "le"}`,
    characters,
    searchable: Buffer.from(text, "utf8").toString("latin1", 0, 8192),
  };
}

/** ", with very long lines (N)", ", with CRLF line terminators" and so on. */
export function lineWords({ characters }: TextLook, isCut: boolean): string {
  let [crlf, cr, lf, nel] = [0, 0, 0, 0];
  let escapes = false;
  let overstrikes = false;
  let longest = 0;
  let lastEnd = -1;
  for (let at = 0; at < characters.length; at++) {
    const code = characters[at] as number;
    if (code === 10) {
      if (characters[at - 1] === 13) crlf++;
      else lf++;
      lastEnd = at;
    } else if (code === 13) {
      if (characters[at + 1] !== 10 && (at + 1 < characters.length || !isCut)) cr++;
      lastEnd = at;
    } else if (code === 0x85) {
      nel++;
      lastEnd = at;
    } else if (code === 27) escapes = true;
    else if (code === 8) overstrikes = true;
    if (at - lastEnd > longest) longest = at - lastEnd;
  }
  let words = longest > LONG_LINE ? `, with very long lines (${longest})` : "";
  if (crlf + cr + lf + nel === 0) words += ", with no line terminators";
  else if (crlf + cr + nel > 0) {
    const ends = [crlf > 0 && "CRLF", cr > 0 && "CR", lf > 0 && "LF", nel > 0 && "NEL"].filter((end) => end !== false);
    words += `, with ${ends.join(", ")} line terminators`;
  }
  if (escapes) words += ", with escape sequences";
  if (overstrikes) words += ", with overstriking";
  return words;
}
