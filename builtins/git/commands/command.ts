/** Interface of a git command: its flags, and the function that runs it in a repository. */
import type { Invocation } from "../../../src/builtin/definition.ts";
import type { DatePrinter } from "../refs/dates.ts";
import type { CommandFlags, Options } from "./options.ts";
import type { Repository } from "../repository.ts";

export interface CommandRun {
  readonly repository: Repository;
  readonly options: Options;
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

/** Each `yield` gives the caller the chance to pass on what was printed. Returns the exit status. */
export type Running = Generator<void | InputRequest, number, Buffer | undefined>;

export interface Command extends CommandFlags {
  /** Refuses arguments beyond the flags, before anything runs: the reason, and a command that works. */
  check?(options: Options): readonly [reason: string, suggestion: string] | undefined;
  run(run: CommandRun): Running;
}
