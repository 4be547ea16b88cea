/** Names relative to the current directory. */

/** `prefix`: the current directory below the worktree, with a slash at its end, or "". */
export function relativePath(prefix: string, path: string): string {
  if (prefix === "") return path;
  const from = prefix.replace(/\/$/, "").split("/");
  const isDirectory = path.endsWith("/");
  const to = path.replace(/\/$/, "").split("/");
  let same = 0;
  while (same < from.length && same < to.length - (isDirectory ? 0 : 1) && from[same] === to[same]) same++;
  const text = [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
  return text === "" ? "./" : isDirectory ? `${text}/` : text;
}
