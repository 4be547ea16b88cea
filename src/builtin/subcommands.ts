/** The commands of a tool that has several (`git log`), for its help and its page. */

/** One of them, or a family of flags that several share. */
export interface Subcommand {
  readonly name: string;
  /** As they are typed: "--skip=VALUE". */
  readonly flags: readonly string[];
  /** Families whose flags it has besides. */
  readonly families: readonly string[];
  /** Taken, since here the tool does the same without them. */
  readonly withoutEffect: readonly FlagReason[];
  readonly refused: readonly FlagReason[];
}

export interface FlagReason {
  readonly flags: readonly string[];
  readonly why: string;
  /** A line that runs. */
  readonly instead?: string;
}

export interface Subcommands {
  readonly families: readonly Subcommand[];
  readonly commands: readonly Subcommand[];
  /** Commands of the tool that are not here. */
  readonly refused: readonly { readonly names: readonly string[]; readonly why: string; readonly instead: string }[];
}

/** Rows of the page that `NAME --help` prints: the name, and its flags in lines of about `width` characters. */
export function subcommandRows({ families, commands }: Subcommands, width: number): readonly (readonly [name: string, text: string])[] {
  return [...commands, ...families].map(({ name, flags, families: shared, refused }) => {
    const without = refused.flatMap((reason) => reason.flags);
    const words = [...flags, ...shared.map((family) => `[${family}]`), ...(without.length === 0 ? [] : ["not:", ...without])];
    return [families.some((family) => family.name === name) ? `[${name}]` : name, wrapped(words, width)];
  });
}

function wrapped(words: readonly string[], width: number): string {
  let text = "";
  let column = 0;
  for (const word of words) {
    const fits = column === 0 || column + 1 + word.length <= width;
    text += column === 0 ? word : fits ? ` ${word}` : `\n${word}`;
    column = fits ? column + word.length + (column === 0 ? 0 : 1) : word.length;
  }
  return text;
}
