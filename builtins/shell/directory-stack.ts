/** The stack of directories of `pushd`, `popd` and `dirs` as bash prints it, and places in it. */

/** Directories of a line's stack. */
export const MOST_DIRECTORIES = 10_000;

/** `~` for the home directory at the start of `path`. */
function abbreviated(path: string, home: string | undefined): string {
  if (home === undefined || home.length < 2 || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === "" || rest.startsWith("/") ? `~${rest}` : path;
}

/** `directories` are from the current one down. */
export function shownStack(
  directories: readonly string[],
  home: string | undefined,
  { numbered = false, lines = false }: { readonly numbered?: boolean; readonly lines?: boolean } = {},
): string {
  const shown = directories.map((path, at) => (numbered ? numberedEntry(at, path, home) : abbreviated(path, home)));
  return `${shown.join(numbered || lines ? "\n" : " ")}\n`;
}

/** The one directory at `at`. */
export const shownEntry = (path: string, home: string | undefined, numberedAt: number | undefined): string =>
  `${numberedAt === undefined ? abbreviated(path, home) : numberedEntry(numberedAt, path, home)}\n`;

const numberedEntry = (at: number, path: string, home: string | undefined): string =>
  `${String(at).padStart(2)}  ${abbreviated(path, home)}`;

/** `+N` and `-N`: the Nth directory from the top or from the bottom, of `size` below the current one. */
export function placeOf(word: string, size: number): number | "no number" {
  if (!/^[+-]\d{1,15}$/.test(word)) return "no number";
  const number = Number(word.slice(1));
  return word.startsWith("-") ? size - number : number;
}

/** Error of a place that the stack has not. */
export const outOfRange = (word: string, size: number): string =>
  size === 0 ? "directory stack empty" : `${word}: directory stack index out of range`;
