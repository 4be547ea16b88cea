/** Patterns of workspaces' names, in which `*` stands for any characters. */

/** Tells of a name whether one of `patterns` matches the whole of it. In time linear in both, for an issuer's tokens may hold any. */
export function workspacesNamed(patterns: readonly string[]): (name: string) => boolean {
  const split = patterns.map((pattern) => pattern.split("*"));
  return (name) => split.some((pieces) => isMatch(pieces, name));
}

/** The key of `table`, a name or a pattern, that holds for the workspace `name`: the name itself, else the longest pattern; undefined for none. */
export function keyFor(name: string, table: readonly string[]): string | undefined {
  if (table.includes(name)) return name;
  const matching = table.filter((pattern) => workspacesNamed([pattern])(name));
  return matching.sort((one, other) => other.length - one.length || (one < other ? -1 : 1))[0];
}

/** The pieces between the stars, in their order: the first at the beginning, the last at the end. */
function isMatch([first = "", ...others]: readonly string[], name: string): boolean {
  const last = others.at(-1);
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others.slice(0, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
