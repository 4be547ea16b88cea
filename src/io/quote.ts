/** Text quoted for people and for shells, in the styles the real tools use. */

/** `text` as one word of a command line: bare where that is safe, else in single quotes. */
export function quoteWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** gnulib quote() in a UTF-8 locale: ‘text’, as in "invalid number of lines: ‘x’". */
export function quoteCurly(text: string): string {
  return `\u2018${escapeControls(text)}\u2019`;
}

/**
 * gnulib quotef(): a file name in a message, bare where a shell would read it as one word, else in shell-escape
 * style: `a b` → 'a b', a newline → 'a'$'\n''b'.
 */
export function quoteName(name: string): string {
  if (!needsShellQuotes(name)) return name;
  return quoteAlways(name);
}

/** gnulib quoteaf(): as `quoteName`, but always quoted. */
export function quoteAlways(name: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/.test(name) || isPrintable(name)) {
    if (name.includes("'") && !/["\\$`!]/.test(name)) return `"${name}"`;
    return `'${name.replaceAll("'", `'\\''`)}'`;
  }
  return escapedQuotes(name);
}

function escapedQuotes(name: string): string {
  let out = "";
  let mode: "plain" | "dollar" | undefined;
  const enter = (wanted: "plain" | "dollar"): void => {
    if (mode === wanted) return;
    if (mode !== undefined) out += "'";
    out += wanted === "plain" ? "'" : "$'";
    mode = wanted;
  };
  if (!/^[^\p{Cc}\p{Cs}]/u.test(name)) enter("plain");
  for (const character of name) {
    const escape = controlEscape(character);
    if (escape !== undefined) {
      enter("dollar");
      out += escape;
    } else if (character === "'") {
      enter("plain");
      out += "'\\''";
    } else {
      enter("plain");
      out += character;
    }
  }
  return `${out}'`;
}

const isPrintable = (name: string): boolean => [...name].every((character) => controlEscape(character) === undefined);

function controlEscape(character: string): string | undefined {
  const code = character.codePointAt(0) as number;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\${(code - 0xdc00).toString(8)}`;
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  if (code < 0x20 || code === 0x7f) return `\\${code.toString(8).padStart(3, "0")}`;
  if (code >= 0x80 && code < 0xa0) {
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8)}`).join("");
  }
  return undefined;
}

function escapeControls(text: string): string {
  return [...text].map((character) => (character === "'" ? character : (controlEscape(character) ?? character))).join("");
}

/** Whether gnulib's shell-escape style puts quotes around `name`. */
function needsShellQuotes(name: string): boolean {
  if (name === "") return true;
  if (/^[#~]/.test(name)) return true;
  return /[\s!"$&'()*;<=>?[\\^`|\u0000-\u001f\u007f-\u009f\udc80-\udcff]/.test(name) || name === "{" || name === "}";
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
};
