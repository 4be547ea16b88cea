/** A record → one value for each name, as bash's read cuts it at the characters of IFS. */
import type { Record } from "./read-record.ts";

export function splitRecord({ text, escaped }: Record, ifs: string, names: number): readonly string[] {
  const separates = (at: number): boolean => at < text.length && !escaped.has(at) && ifs.includes(text[at] as string);
  const blank = (at: number): boolean => separates(at) && " \t\n".includes(text[at] as string);
  const skipBlanks = (from: number): number => {
    let at = from;
    while (blank(at)) at++;
    return at;
  };
  /** Where the word that begins at `from` ends, and where the next one begins. */
  const word = (from: number): { end: number; next: number } => {
    let end = from;
    while (end < text.length && !separates(end)) end++;
    let next = skipBlanks(end);
    if (separates(next)) next = skipBlanks(next + 1);
    return { end, next };
  };
  const values: string[] = [];
  let at = skipBlanks(0);
  while (values.length < names - 1) {
    const { end, next } = word(at);
    values.push(text.slice(at, end));
    at = next;
  }
  const { end, next } = word(at);
  if (next >= text.length) return [...values, text.slice(at, end)];
  let last = text.length;
  // Of several words in one, bash takes blanks from the end even where a backslash stood before them.
  while (last > at && ifs.includes(text[last - 1] as string) && " \t\n".includes(text[last - 1] as string)) last--;
  return [...values, text.slice(at, last)];
}
