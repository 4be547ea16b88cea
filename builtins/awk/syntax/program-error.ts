/** Errors in a program, in gawk's words, with their place. */

/** A program that cannot be run as it is written. `lines` are what is still to be told of it, each without the name of the tool. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly lines: readonly string[];
  readonly exit: number;

  constructor(lines: readonly string[], exit = 1) {
    super(lines.join("\n"));
    this.lines = lines;
    this.exit = exit;
  }
}

/** A running program that cannot go on: `fatal: …`, exit status 2. */
export class FatalError extends Error {
  override readonly name = "FatalError";
  /** Place of the error, if it is not the one at which the program stands. */
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.place = place;
  }
}

/** A source that a program includes and that cannot be included: why. `isFatal`: as gawk says it, with exit status 2. */
export class CannotInclude extends Error {
  override readonly name = "CannotInclude";
  readonly isFatal: boolean;

  constructor(message: string, isFatal: boolean) {
    super(message);
    this.isFatal = isFatal;
  }
}

/** Message where closures run alone: a function that sorts, BEGINFILE and ENDFILE, an indirect call, the patterns of a range. */
export const NO_WAITING = "a command cannot be waited for here";
