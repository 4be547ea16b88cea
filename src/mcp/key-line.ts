/**
 * One line of a private key as tools and programs print it: with file names, numbers, quotes, colours and comment marks
 * before it and after it. The time is linear in the line.
 */

/** Text beside each line of a key, as far as its BEGIN or END shows it. */
export interface Trim {
  readonly prefixes: readonly string[];
  readonly suffix: string;
  /** True if a line of the key has one of them beside it: a line without any belongs to something else. */
  readonly required: boolean;
}

/** Breaks of lines: as bytes, as strings of programs, addresses and HTML spell them. More backslashes before one are of its line. */
export const CUTS = /\r\n|[\r\n]|(?:\\r\\{1,8}|\\)n|\\r|%0D%0A|%0[AD]|&#(?:10|13|x0?[AD]);|<br ?\/?>/gi;

/** A line of a key is of 64 or 76 characters; what is shorter may be a word. */
export const LEAST_RUN = 16;
/** Text that tools and quotes put before a line. */
const BEFORE = /^[ \t"'`>|,]{0,80}(?:\d{1,9}[:\t -][ \t]{0,20})?[+-]?[ \t"'`\\]{0,80}/;
/** Characters that quotes, a `cat -E` and a spelled-out break put after a line. */
const AFTER = " \t\r\"'`+,;.$\\";
const HEADER = /^[A-Za-z][A-Za-z0-9-]{1,40}: [^\r\n]{1,200}$/;
const COLOUR = /(?:\u001b|\\u\{1b\}|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}[A-Za-z]/gi;

/** "run": base64 of a key. "other": a header, the short last line or its checksum. "gap": nothing but what stands beside. */
export type LineKind = "run" | "other" | "gap" | "none";

export function kindOf(line: string, { prefixes, suffix, required }: Trim): LineKind {
  if (line === "") return "gap";
  const bare = bareText(line);
  const withoutSuffix = suffix !== "" && bare.endsWith(suffix) ? bare.slice(0, -suffix.length) : bare;
  const ends = prefixes.map((prefix) => prefixEnd(withoutSuffix, prefix)).filter((end) => end >= 0);
  const has = ends.length > 0 || withoutSuffix.length < bare.length;
  if (!required || has) {
    const kind = kindOfInner(withoutSuffix);
    if (kind === "run") return kind;
    for (const end of ends) {
      const own = kindOfInner(withoutSuffix.slice(end));
      if (own !== "none") return own;
    }
    return kind;
  }
  return trimmed(bare) === "" ? "gap" : "none";
}

/** The line without colours, and with escaped slashes as plain ones. */
export function bareText(line: string): string {
  const plain = line.includes("[") ? line.replace(COLOUR, "") : line;
  return plain.includes("\\/") ? plain.replace(/\\{1,8}\//g, "/") : plain;
}

function kindOfInner(text: string): LineKind {
  const inner = trimmed(text);
  if (inner === "") return "gap";
  if (/^[A-Za-z0-9+/=]*$/.test(inner)) return inner.length >= LEAST_RUN ? "run" : "other";
  // A key whose line breaks have become blanks.
  if (
    /^[A-Za-z0-9+/= \t]*$/.test(inner) &&
    inner.split(/[ \t]/).every((run, index, runs) => run.length >= LEAST_RUN || index === runs.length - 1)
  )
    return "run";
  return HEADER.test(inner) ? "other" : "none";
}

/** The text without anything that a tool may put beside a line. */
function trimmed(text: string): string {
  const inner = text.replace(BEFORE, "");
  let end = inner.length;
  while (end > 0 && AFTER.includes(inner.charAt(end - 1))) end--;
  return inner.slice(0, end);
}

/**
 * The place in `line` at which its `prefix` ends; -1 if the line has another prefix. Numbers and the width of blanks may
 * differ, and `grep -C` writes `-` beside a line where it writes `:` beside a match.
 */
function prefixEnd(line: string, prefix: string): number {
  let at = 0;
  for (let place = 0; place < prefix.length; ) {
    const set = setOf(prefix.charAt(place));
    if (set === undefined) {
      if (line[at] !== prefix[place]) return at === line.trimEnd().length && prefix.slice(place).trim() === "" ? at : -1;
      at++;
      place++;
      continue;
    }
    const from = at;
    while (set.includes(prefix.charAt(place)) && place < prefix.length) place++;
    while (set.includes(line.charAt(at)) && at < line.length && at < from + MOST_VARYING) at++;
    if (from === at && set !== BLANKS) return -1;
  }
  return at;
}

/** The most of a number or of blanks in a prefix. */
const MOST_VARYING = 80;
const DIGITS = "0123456789";
const BLANKS = " \t";
const SEPARATORS = ":-";

function setOf(character: string): string | undefined {
  return [DIGITS, BLANKS, SEPARATORS].find((set) => set.includes(character));
}
