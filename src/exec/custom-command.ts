/** Commands that a program defines for its own shells: stages like any other, whose work is done by a function of the program. */
import { builtins } from "../../builtins/registry.ts";
import type { ExitStatus } from "../builtin/definition.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { thrownText } from "../display/thrown-text.ts";
import { showName } from "../display/visible.ts";
import { toBytes, toText } from "../io/text.ts";
import { isOfBash } from "../shell/bash-builtins.ts";
import { RESERVED_WORDS } from "../shell/source-items.ts";
import type { CommandHost, HostCall } from "./command-host.ts";

/** A call of a command, as its function gets it. */
export interface CommandCall {
  /** Its arguments, expanded. Bytes that are no UTF-8 are single surrogates (U+DC80 to U+DCFF), here and in all text. */
  readonly args: readonly string[];
  /** Standard input, read as far as it is asked for. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** All of standard input as text. Rejects where it is longer than the policy's `heldBytes`. */
  text(): Promise<string>;
  /**
   * The content of a file of the workspace, under the policy, from the current directory. Rejects with FileError: one that is not caught is the
   * stage's message.
   */
  readFile(path: string): Promise<Uint8Array>;
  /** Writes to standard error. */
  stderr(output: string | Uint8Array): void;
  /** Relative to the root ("" is the root), or absolute in a mount. */
  readonly currentDirectory: string;
  /** Aborted when nobody reads the output any more: its reader has left, or the line was stopped. */
  readonly signal: AbortSignal;
}

/**
 * Standard output of a call: text or bytes, or blocks of them as they come; a number alone is the exit status, and so is what a
 * generator returns. Default: 0.
 */
export type CommandResult =
  | void
  | string
  | Uint8Array
  | number
  | AsyncIterable<string | Uint8Array>
  | AsyncGenerator<string | Uint8Array, number | void>;

/** Does a command's work. What it throws is the stage's message on standard error, with exit status 1. */
export type CommandRun = (call: CommandCall) => CommandResult | Promise<CommandResult>;

export interface CommandOptions {
  /** One sentence for `help`, ending in a full stop. */
  readonly summary: string;
  /** "paths": its arguments are files to read, checked before the line runs. Default: "values", text of any meaning. */
  readonly operands?: "values" | "paths";
  /** A line that uses it, for `help NAME`. Default: its name. */
  readonly example?: string;
}

/** What is known of a command without its function. Plain data: it crosses a process boundary. */
export interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly operands: "values" | "paths";
  readonly example: string;
}

/** A command that a program has defined. */
export interface CustomCommand {
  readonly facts: CommandFacts;
  readonly run: CommandRun;
}

const NAME = /^[A-Za-z_][\w.+-]*$/;

/** Defines a command, for `commands` of a shell's options. Throws ConfigurationError for a name or a summary that cannot be. */
export function defineCommand(
  name: string,
  run: CommandRun,
  { summary, operands = "values", example = name }: CommandOptions,
): CustomCommand {
  if (!NAME.test(name))
    throw new ConfigurationError(`'${name}' is no name of a command: it begins with a letter and is of letters, digits and _ . + -`);
  if (typeof run !== "function") throw new ConfigurationError(`the command ${name} has no function`);
  if (!/^[^\n]+\.$/.test(summary)) throw new ConfigurationError(`the command ${name}: its summary is a sentence that ends in a full stop`);
  return { facts: { name, summary, operands, example }, run };
}

/** Throws ConfigurationError where a command has the name of another, of a builtin or of the shell language. */
export function checkCommands(commands: readonly CustomCommand[]): void {
  const taken = new Set(builtins.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  for (const { facts } of commands) {
    const { name } = facts;
    if (RESERVED_WORDS.has(name) || isOfBash(name))
      throw new ConfigurationError(`the command ${name}: the shell itself has a meaning for that name`);
    if (taken.has(name)) throw new ConfigurationError(`the command ${name}: there is a command of that name`);
    taken.add(name);
  }
}

/** `host` for the commands that the policy leaves: what an executor asks for is not believed. */
export function onlyAllowed(host: CommandHost, isAllowed: (name: string) => boolean): CommandHost {
  return async function* (call) {
    if (isAllowed(call.name)) return yield* host(call);
    call.stderr(toBytes(`${showName(call.name)}: command not found\n`));
    return NOT_FOUND;
  };
}

/** Runs commands in this process. */
export function hostOf(commands: readonly CustomCommand[]): CommandHost {
  const byName = new Map(commands.map((command) => [command.facts.name, command]));
  return async function* (call) {
    const command = byName.get(call.name);
    try {
      if (command === undefined) throw new Error("command not found");
      return yield* outputOf(await command.run(callOf(call)));
    } catch (thrown) {
      if (!call.signal.aborted) call.stderr(toBytes(`${call.name}: ${messageOf(thrown)}\n`));
      return FAILED;
    }
  };
}

const FAILED = 1;
const NOT_FOUND = 127;
const MOST_STATUS = 255;
/** Bytes of one block of output. */
const BLOCK_BYTES = 256 << 10;

function callOf({ args, stdin, heldBytes, readFile, stderr, currentDirectory, signal }: HostCall): CommandCall {
  async function* blocks(): AsyncGenerator<Uint8Array, void> {
    // Copies: the function may keep what it got, and the next block may be in the place of this one.
    for (let block = await stdin(); block !== undefined; block = await stdin()) yield Buffer.from(block);
  }
  const input = blocks();
  return {
    args,
    stdin: input,
    async text() {
      const held: Uint8Array[] = [];
      let bytes = 0;
      for await (const block of input) {
        bytes += block.length;
        if (bytes > heldBytes) throw new Error(`more than ${heldBytes} bytes of standard input`);
        held.push(block);
      }
      return toText(Buffer.concat(held));
    },
    readFile,
    stderr: (output) => stderr(bytesOf(output)),
    currentDirectory,
    signal,
  };
}

async function* outputOf(result: CommandResult): AsyncGenerator<Uint8Array, ExitStatus> {
  if (result === undefined || typeof result === "number") return statusOf(result);
  if (typeof result === "string" || result instanceof Uint8Array) {
    yield* inBlocks(bytesOf(result));
    return 0;
  }
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result))
    throw new Error("what it returned is neither text, bytes, a stream of them nor an exit status");
  const blocks: AsyncIterator<string | Uint8Array, unknown> = result[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const step = await blocks.next();
      isDone = step.done === true;
      if (step.done === true) return statusOf(step.value);
      yield* inBlocks(bytesOf(step.value));
    }
  } finally {
    if (!isDone) await blocks.return?.();
  }
}

function* inBlocks(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
}

function bytesOf(output: unknown): Uint8Array {
  if (typeof output === "string") return toBytes(output);
  if (output instanceof Uint8Array) return output;
  throw new Error("its output is neither text nor bytes");
}

function statusOf(status: unknown): ExitStatus {
  if (status === undefined) return 0;
  if (typeof status === "number" && Number.isInteger(status) && status >= 0 && status <= MOST_STATUS) return status;
  throw new Error(`its exit status is not of 0 to ${MOST_STATUS}`);
}

/** On one line, whatever is in it. */
function messageOf(thrown: unknown): string {
  return showName(`${pathOf(thrown)}${thrownText(thrown)}`);
}

function pathOf(thrown: unknown): string {
  try {
    return thrown instanceof Error && "path" in thrown && typeof thrown.path === "string" ? `${thrown.path}: ` : "";
  } catch {
    // Looking at it threw.
    return "";
  }
}
