/** The file's name in a header line of a difference, by diffstat's guesses: with a date behind it, or git's, or alone. */

const NUMBER = "\\s*[+-]?\\d+(?!\\d)";
const CLOCK_YEAR = new RegExp(`^${NUMBER}${NUMBER}:${NUMBER}:${NUMBER}${NUMBER}`);
const DATE_CLOCK = new RegExp(`^${NUMBER}([^])${NUMBER}([^])${NUMBER}${NUMBER}:${NUMBER}:${NUMBER}`);

/** A version number as of RCS, which is no name. */
const isVersion = (text: string): boolean => /^\s*[+-]?\d+\.\s*[+-]?\d+$/.test(text);
/** A range of lines, which is no name. */
const isRange = (text: string): boolean => /^\s*[+-]?\d+(?:,\s*[+-]?\d+)?$/.test(text);

/** `text` is what follows "*** ", "--- " or "+++ ". */
export function headerName(text: string): string | undefined {
  const tab = text.indexOf("\t");
  const name = tab > 0 ? text.slice(0, tab) : undefined;
  if (name !== undefined && hasDate(name, text.slice(tab))) return name;
  const git = gitName(text);
  if (git !== undefined) return git;
  const word = /^[^\t ]+/.exec(text)?.[0];
  return word !== undefined && !isVersion(word) && !word.includes("*") && !isRange(word) ? word : undefined;
}

/** `rest` begins with the tab behind the name. */
function hasDate(name: string, rest: string): boolean {
  const words = /^[^ ]+ [^ ]+(?= )/.exec(rest.slice(1))?.[0];
  if (words !== undefined && CLOCK_YEAR.test(rest.slice(1 + words.length))) return true;
  const date = DATE_CLOCK.exec(rest);
  if (date !== null && date[1] === date[2] && (date[1] === "/" || date[1] === "-") && !isVersion(name)) return true;
  const first = /^\t\([^)]*\)/.exec(rest)?.[0];
  if (first === undefined) return false;
  const behind = rest.slice(first.length);
  return (/^\t\([^)]*\)/.test(behind) && !isVersion(name)) || /^\s*$/.test(behind);
}

/** Name in `a/` or `b/`, in quotes where it has odd characters. */
function gitName(text: string): string | undefined {
  const isQuoted = text.startsWith('"');
  const written = isQuoted ? text.slice(1) : text;
  if (!/^[ab]\//.test(written)) return undefined;
  if (!isQuoted) {
    const name = /^[\x20-\x7e]*/.exec(written)?.[0] ?? "";
    return /^\s*$/.test(written.slice(name.length)) ? name : undefined;
  }
  const inside = /^(?:[^"\\]|\\(?:[0-7]{3}|[\\"bnrt]))*/.exec(written)?.[0] ?? "";
  const rest = written.slice(inside.length);
  if (rest !== '"' && rest !== "") return undefined;
  return inside.replace(/\\([0-7]{3}|.)/g, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff) : (ESCAPES[escaped] ?? escaped),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", n: "\n", r: "\r", t: "\t" };

/** The name in perforce's `==== NAME#REVISION …`; `text` is what follows the signs. */
export function perforceName(text: string): string | undefined {
  const found = /^([^\t #]+)#\s*(?:[+-]?\d+)?( .*)$/s.exec(text);
  const [, name = "", rest = ""] = found ?? [];
  if (found === null || !/^ (?:\([^)]*\) )?- [^\t ]+[\t ]/.test(rest)) return undefined;
  return isVersion(name) || name.includes("*") || isRange(name) ? undefined : name;
}

/** Without quotes around it. */
export function dequoted(name: string): string {
  const quote = name.startsWith("'") ? "'" : '"';
  return name.length > 2 && name.startsWith(quote) && name.endsWith(quote) ? name.slice(1, -1) : name;
}
