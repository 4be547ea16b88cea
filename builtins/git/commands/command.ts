/** Interface of a git command: its flags, and the function that runs it in a repository. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import type { DatePrinter } from "../dates/date-printer.ts";
import type { FlagTable, NamesRead, Refusal } from "./flags.ts";
import type { ArgumentRules, Options } from "./options.ts";
import type { Repository } from "../repository.ts";

/** A run of a command; `Name`: the flags that may be asked for. */
export interface CommandRun<in Name extends string = never> {
  readonly repository: Repository;
  readonly options: Options<Name>;
  readonly invocation: Invocation;
  readonly dates: DatePrinter;
  readonly print: (text: string) => void;
  /** To standard error, after what was printed before. */
  readonly complain: (text: string) => void;
}

/** Yielded by a command to get the next block of standard input, which ends at a separator; undefined at its end. */
export interface InputRequest {
  readonly separator: number;
}

/** Yielded to go on once code that few lines need is loaded. */
export interface LoadRequest {
  readonly loading: Promise<void>;
}

/** Each `yield` gives the caller the chance to pass on what was printed. Returns the exit status. */
export type Running = Generator<void | InputRequest | LoadRequest, number, Buffer | undefined>;

/** `Name`: the flags that it reads. */
export interface Reading<out Name extends string> extends ArgumentRules {
  /** Runs where there is no repository, too. */
  readonly worksOutside?: boolean;
  /** Refuses arguments beyond the flags, before anything runs: the reason, and a command that works. */
  readonly check?: (options: Options<Name>) => Refusal | undefined;
  readonly run: (run: CommandRun<Name>) => Running;
}

type CommandOf<Table extends FlagTable> = Reading<NamesRead<Table>> & { readonly flags: Table };

/** Some command. */
export type Command = Reading<string> & { readonly flags: FlagTable };

/** A command that may ask for those flags of its table that are marked as read. */
export const command = <Table extends FlagTable>(definition: CommandOf<Table>): CommandOf<Table> => definition;
