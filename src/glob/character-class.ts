/** The POSIX character classes of glibc's C.UTF-8 locale, by code point. A byte that is not valid UTF-8 is in no class. */

/** The test for `[:NAME:]`; undefined where there is no such class. */
export function characterClass(name: string): ((code: number) => boolean) | undefined {
  return Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
}

const unicode =
  (pattern: RegExp) =>
  (code: number): boolean =>
    !isEscapedByte(code) && pattern.test(String.fromCodePoint(code));
const isEscapedByte = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Without the combining letters above, which became alphabetic after the Unicode version of Debian 12. */
const isAlpha = unicode(/[\p{Alphabetic}\p{Nd}](?<![\u0363-\u036f])/u);
const alpha = (code: number): boolean => (code < 0x80 ? (code | 32) >= 97 && (code | 32) <= 122 : isAlpha(code));
const digit = (code: number): boolean => code >= 48 && code <= 57;
const alnum = (code: number): boolean => digit(code) || alpha(code);
/** White space without the no-break spaces, as in glibc. */
const space = unicode(/[\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/u);
const cntrl = unicode(/[\p{Cc}\u2028\u2029]/u);
const isPrint = unicode(/[^\p{Cc}\p{Cn}\p{Cs}\u2028\u2029]/u);
const graph = (code: number): boolean => isPrint(code) && !space(code);

const CLASSES: Readonly<Record<string, (code: number) => boolean>> = {
  alpha,
  digit,
  alnum,
  space,
  cntrl,
  graph,
  print: isPrint,
  blank: unicode(/[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/u),
  lower: unicode(/[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2\u0295]/u),
  upper: unicode(/[\p{Lu}\p{Uppercase}\p{Lt}]/u),
  punct: (code) => graph(code) && !alnum(code),
  xdigit: (code) => digit(code) || ((code | 32) >= 97 && (code | 32) <= 102),
};
