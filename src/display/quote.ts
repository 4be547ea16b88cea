/** Text quoted for people and for shells, as the real tools do it in their messages. */
import { quoteInStyle } from "./quoting-style.ts";

/** `text` as one word of a command line: bare where that is safe, else in single quotes. */
export function quoteWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** gnulib quote() in a UTF-8 locale: ‘text’, as in "invalid number of lines: ‘x’". */
export function quoteCurly(text: string): string {
  return quoteInStyle(text, "locale");
}

/**
 * gnulib quotef(): a file name in a message, bare where a shell would read it as one word, else in shell-escape
 * style: `a b` → 'a b', a newline → 'a'$'\n''b'. A colon is quoted too, for one stands behind the name.
 */
export function quoteName(name: string): string {
  return quoteInStyle(name, "shell-escape", ":");
}

/** gnulib quoteaf(): as `quoteName`, but always quoted. */
export function quoteAlways(name: string): string {
  return quoteInStyle(name, "shell-escape-always");
}
