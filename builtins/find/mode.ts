/** The argument of -perm: gnulib's mode_compile() and mode_adjust() with no umask, for a file that has no bits yet. */

export interface ModeTest {
  readonly match: "exactly" | "all" | "any";
  /** The bits for anything but a directory, and for a directory (`X`). */
  readonly bits: number;
  readonly directoryBits: number;
}

/** undefined where `text` is none. */
export function readModeTest(text: string): ModeTest | undefined {
  // Once the spelling of `/600`, withdrawn.
  if (/^\+[0-7]/.test(text)) return undefined;
  const prefix = text.charAt(0);
  const match = prefix === "-" ? "all" : prefix === "/" ? "any" : "exactly";
  const mode = match === "exactly" ? text : text.slice(1);
  const bits = modeBits(mode, false);
  const directoryBits = modeBits(mode, true);
  if (bits === undefined || directoryBits === undefined) return undefined;
  const everything = match === "any" && bits === 0 && directoryBits === 0;
  return { match: everything ? "all" : match, bits, directoryBits };
}

const ALL_BITS = 0o7777;
const WHO: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: ALL_BITS };

function modeBits(mode: string, isDirectory: boolean): number | undefined {
  if (/^[0-7]+$/.test(mode)) {
    const value = Number.parseInt(mode, 8);
    return value > ALL_BITS ? undefined : value;
  }
  let bits = 0;
  for (const clause of mode.split(",")) {
    const parts = /^([ugoa]*)((?:[-+=](?:[ugo]|[rwxXst]*|[0-7]+))+)$/.exec(clause);
    if (parts === null) return undefined;
    const [, who, changes] = parts as unknown as [string, string, string];
    let affected = 0;
    for (const letter of who) affected |= WHO[letter] as number;
    for (const [, operator, what] of changes.matchAll(/([-+=])([^-+=]*)/g) as Iterable<[string, string, string]>) {
      if (/[0-7]/.test(what) && (who !== "" || Number.parseInt(what, 8) > ALL_BITS)) return undefined;
      bits = changed(bits, affected === 0 ? ALL_BITS : affected, operator, what, isDirectory);
    }
  }
  return bits;
}

function changed(bits: number, affected: number, operator: string, what: string, isDirectory: boolean): number {
  const value = valueOf(bits, what, isDirectory) & affected;
  if (operator === "+") return bits | value;
  if (operator === "-") return bits & ~value;
  return (bits & ~affected) | value;
}

function valueOf(bits: number, what: string, isDirectory: boolean): number {
  if (/^[0-7]+$/.test(what)) return Number.parseInt(what, 8);
  if (/^[ugo]$/.test(what)) {
    const copied = (bits >> (what === "u" ? 6 : what === "g" ? 3 : 0)) & 7;
    return copied * 0o111;
  }
  let value = 0;
  for (const letter of what) {
    if (letter === "r") value |= 0o444;
    if (letter === "w") value |= 0o222;
    if (letter === "x" || (letter === "X" && (isDirectory || (bits & 0o111) !== 0))) value |= 0o111;
    if (letter === "s") value |= 0o6000;
    if (letter === "t") value |= 0o1000;
  }
  return value;
}
