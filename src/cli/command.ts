/**
 * Definition of one of our commands, as data: arguments are read by it (read-command.ts), help, manual pages and
 * completions are made from it, so that a fact is written once.
 */
export interface Command<O extends OptionTable = OptionTable> {
  /** Its name with that of the program: "shelpa-mcp audit log". */
  readonly name: string;
  /** Further forms of it, below its own. */
  readonly usages?: readonly string[];
  /** One sentence that says what it does, with a full stop. */
  readonly summary: string;
  /** The option that must be given, as in a usage line. */
  readonly needs?: string;
  readonly operands: {
    /** Their names as in a usage line: "RECORD [RECORD|current]". */
    readonly names: string;
    readonly min: number;
    readonly max: number;
    readonly completes?: Completion;
  };
  /** Options by long name, without --help, which every command has. */
  readonly options: O;
  /** Paragraphs below the options; as they are to be printed, at most 80 columns wide. */
  readonly details?: string;
  /** The text after "Exit status: ". */
  readonly exits: string;
  /** Options after the first operand are not ours: `shelpa grep -n x`. */
  readonly firstOperandEndsOptions?: true;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** A switch, or an option with a value where it has `arg`. */
export interface Option {
  /** The letter after `-`. */
  readonly short?: string;
  /** There is the letter only. */
  readonly shortOnly?: true;
  /** The name of its value: "DIR". */
  readonly arg?: string;
  /** The value where none is given, which may then be left out: `--http`. */
  readonly ifBare?: string;
  /** May be empty, or begin with a dash. */
  readonly anyValue?: true;
  readonly repeats?: true;
  /** Value in the command that is shown to somebody who left it out. */
  readonly example?: string;
  readonly completes?: Completion;
  /** A phrase without a capital or a full stop. */
  readonly help: string;
}

/** Completions that a shell offers for a value: names of directories, of files, of builtins, or one of these words. */
export type Completion = "directory" | "file" | "builtin" | readonly string[];

/** The values given for each option of a table; a switch that was not given is false. */
export type Values<O extends OptionTable> = {
  readonly [K in keyof O]: O[K] extends { readonly arg: string }
    ? O[K] extends { readonly repeats: true }
      ? readonly string[]
      : string | undefined
    : boolean;
};

/** Arguments as a command's code gets them. */
export interface Given<O extends OptionTable = OptionTable> {
  readonly values: Values<O>;
  readonly operands: readonly string[];
  /** The arguments as typed, for a record of the command. */
  readonly argv: readonly string[];
}

/** Gives the compiler the exact table. */
export function defineCommand<const O extends OptionTable>(command: Command<O>): Command<O> {
  return command;
}
