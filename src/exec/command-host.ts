/** The side of a custom command that does its work: this process, or that of the program, across the channel to the supervisor. */
import type { ExitStatus } from "../builtin/definition.ts";

/** Runs a call of a command: its standard output in blocks, and its exit status. */
export type CommandHost = (call: HostCall) => AsyncGenerator<Uint8Array, ExitStatus>;

export interface HostCall {
  readonly name: string;
  readonly args: readonly string[];
  /** As Files.currentDirectory. */
  readonly currentDirectory: string;
  /** Most bytes that a command may hold of its input. */
  readonly heldBytes: number;
  /** The next block of standard input; undefined at its end. One at a time. */
  readonly stdin: () => Promise<Uint8Array | undefined>;
  /** Rejects with FileError. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly stderr: (bytes: Uint8Array) => void;
  /** Aborted when the stage has ended. */
  readonly signal: AbortSignal;
}
