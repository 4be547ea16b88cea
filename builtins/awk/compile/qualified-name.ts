/** Errors in a name that has `::` in it, in gawk's words; undefined if the name is right. */
export function mistakeOfQualified(word: string): string | undefined {
  if (/^[A-Za-z_][A-Za-z_0-9]*::[A-Za-z_][A-Za-z_0-9]*$/.test(word)) return undefined;
  if (/^[A-Za-z_][A-Za-z_0-9]*::[A-Za-z_][A-Za-z_0-9]*::/.test(word)) {
    return `identifier \`${word}': namespace separator can only appear once in a qualified name`;
  }
  return `qualified identifier \`${word}' is badly formed`;
}
