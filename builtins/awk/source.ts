/** Program text: where it came from, and how a place in it is named in a message. */
import { ProgramError } from "./program-error.ts";

export interface Source {
  /** "cmd. line", or the name of the file. */
  readonly label: string;
  /** The program text, one unit per byte. */
  readonly text: string;
  /** Index of the operand that holds the text, where it is the operand of the command line. */
  readonly isOperand: boolean;
}

/** A place in a source. */
export interface Place {
  readonly source: Source;
  readonly line: number;
}

export const placeText = ({ source, line }: Place): string => `${source.label}:${line}:`;

/** The two lines gawk prints for a mistake at `at`: the line of the program, and a caret below it with the message. */
export function syntaxError(source: Source, line: number, at: number, message: string): ProgramError {
  const { text } = source;
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", start);
  const shown = text.slice(start, newline < 0 ? text.length : newline);
  const where = `${source.label}:${line}:`;
  const before = text.slice(start, at).replace(/[^\t]/g, " ");
  return new ProgramError([`${where} ${shown}`, `${where} ${before}^ ${message}`]);
}
