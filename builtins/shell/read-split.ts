/** A record → one value for each name, as bash's read cuts it at the characters of IFS. */
import type { Record } from "./read-record.ts";

/** All words of a record, as `read -a` takes them. */
export function wordsOf(record: Record, ifs: string): readonly string[] {
  const cutting = cutter(record, ifs);
  const words: string[] = [];
  for (let at = cutting.skipBlanks(0); at < record.text.length; ) {
    const { end, next } = cutting.word(at);
    words.push(record.text.slice(at, end));
    at = next;
  }
  return words;
}

export function splitRecord(record: Record, ifs: string, names: number): readonly string[] {
  const { text } = record;
  const { word, skipBlanks } = cutter(record, ifs);
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

interface Cutter {
  readonly skipBlanks: (from: number) => number;
  /** End of the word that begins at `from`, and the start of the next one. */
  readonly word: (from: number) => { readonly end: number; readonly next: number };
}

function cutter({ text, escaped }: Record, ifs: string): Cutter {
  const separates = (at: number): boolean => at < text.length && !escaped.has(at) && ifs.includes(text[at] as string);
  const blank = (at: number): boolean => separates(at) && " \t\n".includes(text[at] as string);
  const skipBlanks = (from: number): number => {
    let at = from;
    while (blank(at)) at++;
    return at;
  };
  const word: Cutter["word"] = (from) => {
    let end = from;
    while (end < text.length && !separates(end)) end++;
    let next = skipBlanks(end);
    if (separates(next)) next = skipBlanks(next + 1);
    return { end, next };
  };
  return { skipBlanks, word };
}
