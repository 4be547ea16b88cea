/** A file's type and permissions in ten characters, as in `ls -l` (gnulib's filemodestring). */

/** The letters of `-type` and `%y`, by the kinds of the workspace. */
const KIND_LETTERS = {
  file: "f",
  directory: "d",
  symlink: "l",
  fifo: "p",
  socket: "s",
  "character-device": "c",
  "block-device": "b",
} as const;
type Kind = keyof typeof KIND_LETTERS;

/** `permissions`: the low twelve bits of st_mode. */
export function modeText({ kind, permissions }: { readonly kind: Kind; readonly permissions: number }): string {
  return (
    kindLetter(kind).replace("f", "-") +
    triple(permissions >> 6, permissions & 0o4000, "s") +
    triple(permissions >> 3, permissions & 0o2000, "s") +
    triple(permissions, permissions & 0o1000, "t")
  );
}

function triple(bits: number, special: number, letter: string): string {
  const execute = (bits & 1) !== 0;
  const last = special === 0 ? (execute ? "x" : "-") : execute ? letter : letter.toUpperCase();
  return ((bits & 4) === 0 ? "-" : "r") + ((bits & 2) === 0 ? "-" : "w") + last;
}

export const kindLetter = (kind: Kind): string => KIND_LETTERS[kind];
