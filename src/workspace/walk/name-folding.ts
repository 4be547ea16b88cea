/**
 * Spellings of one name on file systems that compare names without regard to case (APFS, NTFS, exFAT, CIFS, ext4 with casefold),
 * to the composition of accents (APFS, HFS+), or to characters that do not show (HFS+, ext4 with casefold).
 */

/** `text` composed (Unicode NFC), without the characters that do not show. Two spellings of one name that look alike become one. */
export const composed = (text: string): string =>
  BEYOND_ASCII.test(text)
    ? text
        .normalize("NFD")
        .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
        .normalize("NFC")
    : text;

/**
 * `text` as the least careful of these file systems compares it: all spellings of one name, and of a few others (ß and ss), become one.
 * Full case folding, as ext4's (Unicode, CaseFolding.txt, C + F), by way of the capital letters.
 */
export const folded = (text: string): string =>
  BEYOND_ASCII.test(text) ? composed(composed(text).normalize("NFD").toLowerCase().toUpperCase().toLowerCase()) : text.toLowerCase();

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * `name` with capital letters in the place of small ones and the reverse; undefined where it has no letters of two cases. ASCII letters
 * alone, if it has any: no file system that folds case leaves those, and many leave others.
 */
export function inOtherCase(name: string): string | undefined {
  if (/[a-z]/i.test(name)) return name.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
  const other = name.replace(/\p{Cased}/gu, (letter) => {
    const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
    // Letters whose other case is several (ß) or none stay: few file systems fold them.
    if (small.length !== letter.length || capital.length !== letter.length) return letter;
    return letter === small ? capital : small;
  });
  return other === name ? undefined : other;
}

/** `name` decomposed where it is composed, and composed where it is not; undefined where the two are one. */
export function inOtherComposition(name: string): string | undefined {
  if (!BEYOND_ASCII.test(name)) return undefined;
  return [name.normalize("NFC"), name.normalize("NFD")].find((other) => other !== name);
}
