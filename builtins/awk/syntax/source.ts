/** Program text: where it came from, and how a place in it is named in a message. */

export interface Source {
  /** "cmd. line", or the name of the file. */
  readonly label: string;
  /** The program text, one unit per byte. */
  readonly text: string;
  /** True if the text is the operand of the command line. */
  readonly isOperand: boolean;
  /** True if the text stands in a file: gawk ends the text of an argument with a newline. */
  readonly isFile: boolean;
  /** Place at which `@include` names it, or "command line" (-i); undefined for a source of its own. */
  readonly includedFrom?: Place | "command line" | undefined;
}

/** A place in a source. */
export interface Place {
  readonly source: Source;
  readonly line: number;
}

export const placeText = ({ source, line }: Place): string => `${source.label}:${line}:`;

/** Lines that gawk prints before an error in a file that another one includes. */
export function includedFromLines({ includedFrom }: Source): string[] {
  const lines: string[] = [];
  for (let from = includedFrom; from !== undefined && from !== "command line"; from = from.source.includedFrom) {
    const { source, line } = from;
    if (!source.isFile) break;
    const before = lines.length === 0 ? "In file included from" : "                 from";
    lines.push(`${before} ${source.label}:${line}${source.includedFrom === undefined ? ":" : ","}`);
  }
  return lines;
}
