/** Bash's backslash escapes and their meanings, in `echo -e` and `printf` alike. */

/** Those of one letter. */
export const LETTER_ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/**
 * UTF-8 as bash's `\u` and `\U` write it: surrogates included, up to six bytes as in RFC 2279, and nothing at all
 * past 31 bits.
 */
export function bashUtf8(code: number): Buffer {
  if (code < 0x80) return Buffer.of(code);
  if (code > 0x7fffffff) return Buffer.alloc(0);
  const length = code < 0x800 ? 2 : code < 0x10000 ? 3 : code < 0x200000 ? 4 : code < 0x4000000 ? 5 : 6;
  const bytes = Buffer.alloc(length);
  let left = code;
  for (let at = length - 1; at > 0; at--) {
    bytes[at] = 0x80 | (left & 0x3f);
    left = Math.floor(left / 64);
  }
  bytes[0] = ((0xff00 >> length) & 0xff) | left;
  return bytes;
}
