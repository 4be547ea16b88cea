/** Subscripts in the text of arithmetic, which bash expands once more when it evaluates them. */
import { ExpansionError } from "./variables.ts";

/** The bracket that closes one just before `from`; undefined where none does. */
export function closingBracket(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "'" || character === '"') {
      const close = text.indexOf(character, at + 1);
      if (close < 0) return undefined;
      at = close;
    } else if (character === "[") depth++;
    else if (character === "]" && depth-- === 0) return at;
  }
  return undefined;
}

/** The subscript without its quotes. Throws where bash would expand something in it. */
export function unquotedSubscript(subscript: string): string {
  if (!/[\\'"$`]/.test(subscript)) return subscript;
  return subscript.replace(/\\([^])|'([^']*)'|"([^"\\$`]*)"|[$`"']/g, (found, escaped, single, double) => {
    if (/^[$`]$/.test(found)) {
      throw new ExpansionError(
        `${subscript}: ${found} in a subscript that is a value would be read as text of the shell, which is not done here`,
      );
    }
    return (escaped ?? single ?? double ?? found) as string;
  });
}
