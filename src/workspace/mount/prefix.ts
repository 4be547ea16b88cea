/** Absolute paths and the directories that they are under, by their text. */

/** The components of an absolute path below `prefix`, by its text; undefined where it is not at or under it. */
export function componentsBelow(prefix: string, absolute: string): readonly string[] | undefined {
  const plain = absolute.replace(/\/(\.?\/)+/g, "/");
  if (!plain.startsWith(prefix)) return undefined;
  if (plain.length === prefix.length) return [""];
  return plain[prefix.length] === "/" ? plain.slice(prefix.length + 1).split("/") : undefined;
}

/** The path of `place` below the directory `directory`, "" for itself; undefined elsewhere. Both are host paths without `.`, `..` and links. */
export function pathBelow(directory: string, place: string): string | undefined {
  if (place === directory) return "";
  const above = directory === "/" ? directory : `${directory}/`;
  return place.startsWith(above) ? place.slice(above.length) : undefined;
}
