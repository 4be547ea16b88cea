/**
 * Text of a name, a value or a file → text that is safe to stand among ours. The one escape for everything that we
 * print: answers, questions, receipts, notes, logs, diffs, a terminal. Characters that cannot be seen, or that move other text,
 * are spelled out; and no text that is not ours can begin a line that reads as ours.
 */

/** A name, or any other value that belongs on one line: line breaks and tabs are spelled out as well. */
export function showName(text: string): string {
  return showText(text.replace(/[\n\t\r]/g, (character) => NAMED[character] as string));
}

/** The same, cut to `most` UTF-16 units; no character is cut in two. */
export function shortName(text: string, most: number): string {
  const shown = showName(text);
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Text of several lines. Tabs, newlines and CR LF stay; a line that begins as one of ours is marked as data. */
export function showText(text: string): string {
  return markedAsData(text.replace(INVISIBLE, escapeOf));
}

/** The same, with each line after the first indented, so that none of them passes for a message or an entry of its own. */
export const hanging = (text: string): string => showText(text).replace(/\n(?=[^])/g, "\n  ");

/** `text` with the first character spelled out of each line that begins as lines of ours do. */
export function markedAsData(text: string): string {
  return text.replace(BEGINS_AS_OURS, escapeOf);
}

/** `character` by its number: a byte that is no text (io/text.ts keeps it as a lone surrogate) as `\xNN`, all else as `\u{…}`. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  return code >= 0xdc80 && code <= 0xdcff ? `\\x${(code - 0xdc00).toString(16)}` : `\\u{${code.toString(16)}}`;
}

/** JSON in which characters that cannot be seen, or that a terminal would obey, are JSON escapes: a parser gets the same value. */
export const showJson = (value: unknown, indentation?: number): string =>
  JSON.stringify(value, undefined, indentation).replace(INVISIBLE, jsonEscapes);

const jsonEscapes = (characters: string): string =>
  Array.from({ length: characters.length }, (_, at) => `\\u${characters.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** Beginnings of lines of ours: notices, the exit status, and the text in place of an empty output. */
export const BEGINS_AS_OURS = /^[[(](?=shelpa|exit \d|no output\b)/gim;

/**
 * Controls but tab, newline and the CR of CR LF; every code point that renderers ignore (zero-width, bidirectional
 * and tag characters, fillers: Unicode's Default_Ignorable_Code_Point); line and paragraph separators; interlinear
 * annotation; code points that are no character at all. Kept where they do visible work: one variation selector after a character,
 * and the joiner inside an emoji.
 */
export const INVISIBLE = new RegExp(
  [
    String.raw`\r(?!\n)`,
    String.raw`[\p{Cc}--[\t\n\r]]`,
    String.raw`(?<=^|\s|\p{Variation_Selector})[\uFE0E\uFE0F]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D`,
    String.raw`\u200D(?!\p{Extended_Pictographic})`,
    String.raw`[\p{Default_Ignorable_Code_Point}--[\u200D\uFE0E\uFE0F]]`,
    String.raw`[\u2028\u2029\uFFF9-\uFFFB]`,
    String.raw`\p{Surrogate}`,
  ].join("|"),
  "gv",
);
