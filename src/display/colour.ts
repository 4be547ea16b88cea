/** Sequences of a terminal that set colours (ECMA-48, SGR), told from those that data holds. */

/**
 * The sequence that sets `codes` ("01;31"; "0" ends them). `mark` is what a terminal's sequences begin with that shows none but ours: no data
 * can know it. "" for the sequences as they are, which `--color=always` asks for.
 */
export const colourSequence = (mark: string, codes: string): string => `\u001b[${mark}${codes}m`;
