/** `wc -l {}` → `wc -l "$1"`: a script that takes what would have been put in the place of `{}` as its first argument. */

/** Undefined where `{}` stands in single quotes, beside a backslash or not at all, or the script has arguments of its own. */
export function withArgument(script: string): string | undefined {
  if (/\$[@*#\d{]|\\/.test(script)) return undefined;
  let quote = "";
  let written = "";
  let isFound = false;
  for (const [piece] of script.matchAll(/\{\}|[^]/g)) {
    if (piece === "{}") {
      if (quote === "'") return undefined;
      written += quote === '"' ? "$1" : '"$1"';
      isFound = true;
      continue;
    }
    if (piece === quote) quote = "";
    else if (quote === "" && (piece === "'" || piece === '"')) quote = piece;
    written += piece;
  }
  return isFound ? written : undefined;
}
