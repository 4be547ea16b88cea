/** The character classes of the C locale, which are those of single bytes in C.UTF-8 too: no byte past 0x7F is in any. */

/** The bytes of `[:name:]` in ascending order, or undefined where there is no such class. */
export function classBytes(name: string): readonly number[] | undefined {
  return CLASSES.get(name);
}

/** `pattern` is tested against each ASCII character. */
function matching(pattern: RegExp): readonly number[] {
  return Array.from({ length: 128 }, (_, byte) => byte).filter((byte) => pattern.test(String.fromCharCode(byte)));
}

const CLASSES: ReadonlyMap<string, readonly number[]> = new Map([
  ["alnum", matching(/[A-Za-z0-9]/)],
  ["alpha", matching(/[A-Za-z]/)],
  ["blank", matching(/[ \t]/)],
  ["cntrl", matching(/[\x00-\x1f\x7f]/)],
  ["digit", matching(/[0-9]/)],
  ["graph", matching(/[!-~]/)],
  ["lower", matching(/[a-z]/)],
  ["print", matching(/[ -~]/)],
  ["punct", matching(/[!-/:-@[-`{-~]/)],
  ["space", matching(/[ \t\n\v\f\r]/)],
  ["upper", matching(/[A-Z]/)],
  ["xdigit", matching(/[0-9A-Fa-f]/)],
]);
