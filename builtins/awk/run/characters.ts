/**
 * Characters in text of one unit per byte: UTF-8, where a byte that is no part of it counts as a character. As for
 * mbrtowc(3), numbers past Unicode are characters too.
 */

const PAST_ASCII = /[^\x00-\x7f]/;

export const isAscii = (text: string): boolean => !PAST_ASCII.test(text);

/** Bytes of the character at `at`. */
export function characterWidth(text: string, at: number): number {
  const lead = text.charCodeAt(at);
  if (lead < 0xc2 || lead > 0xfd) return 1;
  const second = text.charCodeAt(at + 1);
  if (lead < 0xe0) return isContinuation(second) ? 2 : 1;
  const third = text.charCodeAt(at + 2);
  if (lead < 0xf0) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isContinuation(third) ? 3 : 1;
  }
  const width = lead < 0xf8 ? 4 : lead < 0xfc ? 5 : 6;
  // The least lead byte of each width asks for a second one without which fewer bytes would do.
  const low = lead === 0xf0 ? 0x90 : lead === 0xf8 ? 0x88 : lead === 0xfc ? 0x84 : 0x80;
  if (!(second >= low && second <= 0xbf)) return 1;
  for (let past = 2; past < width; past++) if (!isContinuation(text.charCodeAt(at + past))) return 1;
  return width;
}

const isContinuation = (unit: number): boolean => unit >= 0x80 && unit <= 0xbf;

export function characterCount(text: string): number {
  if (!PAST_ASCII.test(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += characterWidth(text, at)) count++;
  return count;
}

/** The byte at which character number `count` (from 0) begins, from byte `from` on; the length where there are fewer. */
export function byteOffset(text: string, count: number, from = 0): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left--) at += characterWidth(text, at);
  return Math.min(at, text.length);
}

/** Position of the first byte that is no part of a character; -1 if each byte is part of one. */
export function strayByteAt(text: string): number {
  for (let at = 0; at < text.length; ) {
    const width = characterWidth(text, at);
    if (width === 1 && text.charCodeAt(at) >= 0x80) return at;
    at += width;
  }
  return -1;
}

export const hasStrayByte = (text: string): boolean => strayByteAt(text) >= 0;

/** Every byte that is no part of a character as U+FFFD. */
export function withoutStrayBytes(text: string): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const width = characterWidth(text, at);
    out += width === 1 && text.charCodeAt(at) >= 0x80 ? "\xef\xbf\xbd" : text.slice(at, at + width);
    at += width;
  }
  return out;
}

/** UTF-8 of a code point, one unit per byte; of numbers past Unicode (below 2^31) as UTF-8 first was, in up to six bytes. */
export function encodedCharacter(code: number): string {
  if (code > 0x10ffff) {
    const count = code < 0x200000 ? 4 : code < 0x4000000 ? 5 : 6;
    let bytes = "";
    let rest = code;
    for (let left = count - 1; left > 0; left--) {
      bytes = String.fromCharCode(0x80 | (rest & 0x3f)) + bytes;
      rest = Math.floor(rest / 64);
    }
    return String.fromCharCode(((0xff00 >> count) & 0xff) | rest) + bytes;
  }
  return code < 0x80 ? String.fromCharCode(code) : Buffer.from(String.fromCodePoint(code)).toString("latin1");
}

/**
 * The order of two texts where case does not count, as gawk has it: they are compared as far as the shorter one has
 * bytes, and a byte that is no character then, as the first one of a character that was cut, is less than any.
 */
export function compareIgnoringCase(left: string, right: string): number {
  if (isAscii(left) && isAscii(right)) {
    const [a, b] = [left.toLowerCase(), right.toLowerCase()];
    return a === b ? 0 : a < b ? -1 : 1;
  }
  const length = Math.min(left.length, right.length);
  const [one, other] = [left.slice(0, length), right.slice(0, length)];
  for (let at = 0; at < length; ) {
    const width = characterWidth(one, at);
    const difference = foldedCode(one, at, width) - foldedCode(other, at, characterWidth(other, at));
    if (difference !== 0) return difference;
    at += width;
  }
  return left.length - right.length;
}

/** -1 for a byte that is no character. */
function foldedCode(text: string, at: number, width: number): number {
  const byte = text.charCodeAt(at);
  if (width === 1) return byte < 0x80 ? text.charAt(at).toLowerCase().charCodeAt(0) : -1;
  return (
    Buffer.from(text.slice(at, at + width), "latin1")
      .toString()
      .toLowerCase()
      .codePointAt(0) ?? -1
  );
}

export const toUpper = (text: string): string => mapped(text, ASCII_LOWER, (letters) => letters.toUpperCase());
export const toLower = (text: string): string => mapped(text, ASCII_UPPER, (letters) => letters.toLowerCase());

const ASCII_LOWER = /[a-z]+/g;
const ASCII_UPPER = /[A-Z]+/g;

/** towupper(3) or towlower(3) on every character: a character whose counterpart is not a single one stays. */
function mapped(text: string, ascii: RegExp, change: (text: string) => string): string {
  if (!PAST_ASCII.test(text)) return change(text);
  let out = "";
  for (let at = 0; at < text.length; ) {
    const width = characterWidth(text, at);
    const bytes = text.slice(at, at + width);
    at += width;
    if (width === 1) {
      out += bytes.replace(ascii, change);
      continue;
    }
    const character = Buffer.from(bytes, "latin1").toString("utf8");
    // Towards lower case I with a dot above is i: Unicode's own i with a dot above is two characters.
    const changed = ascii === ASCII_UPPER && character === "\u0130" ? "i" : change(character);
    out += [...changed].length === 1 ? Buffer.from(changed).toString("latin1") : bytes;
  }
  return out;
}
