/** `wc -l {}` → `wc -l "$1"`: a script that takes what would have been put in the place of `{}` as its first argument. */

/** Pieces of a script that matter here: `{}`, the begin of a substitution, an escaped character, any other. */
const PIECES = /\{\}|\$\(\(?|\\[^]|[^]/g;

/** Undefined where `{}` stands in single quotes, beside a backslash or not at all, or the script has arguments of its own. */
export function withArgument(script: string): string | undefined {
  if (/\$(?:[@*#\d]|\{[#!]?[@*\d]|\{#\})|`|\\\{\}/.test(script)) return undefined;
  /** The quote that is open in each substitution, the innermost last; "" for none. */
  const quotes = [""];
  let written = "";
  let isFound = false;
  for (const [piece] of script.matchAll(PIECES)) {
    const quote = quotes.at(-1) ?? "";
    if (piece === "{}") {
      if (quote === "'") return undefined;
      written += quote === '"' ? "$1" : '"$1"';
      isFound = true;
      continue;
    }
    written += piece;
    if (quote === "'") {
      if (piece.endsWith("'")) quotes[quotes.length - 1] = "";
    } else if (piece.startsWith("$(")) quotes.push(...(piece === "$((" ? ["(", ""] : [""]));
    else if (piece === '"') quotes[quotes.length - 1] = quote === '"' ? "" : '"';
    else if (piece === "'" && quote === "") quotes[quotes.length - 1] = "'";
    else if (piece === "(" && quote === "") quotes.push("");
    else if (piece === ")" && quote === "" && quotes.length > 1) quotes.pop();
    else if (piece === ")" && quote === "(" && quotes.length > 1) quotes.pop();
  }
  return isFound ? written : undefined;
}
