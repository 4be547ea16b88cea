/** Joins input, machine and output. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput } from "../../src/builtin/inputs.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import type { TextFiles } from "./append-queue.ts";
import type { EditedFiles } from "./edited-files.ts";
import { InputEnd, LineInput } from "./line-input.ts";
import { Machine, type MachineOptions } from "./machine.ts";
import { Printer } from "./printer.ts";
import { WrittenFiles } from "./written-files.ts";
import { skipperFor } from "./line-skipper.ts";
import type { Program } from "./program.ts";

export interface RunOptions extends Omit<MachineOptions, "spaceBytes"> {
  readonly separate: boolean;
  readonly followSymlinks: boolean;
  /** -i: output goes to these files, and `w /dev/stdout` alone to standard output. */
  readonly edits: EditedFiles | undefined;
}

/** Runs `program` over `operands` and yields what it prints; returns the exit status. */
export async function* runProgram(
  program: Program,
  operands: readonly string[],
  invocation: Pick<Invocation, "stdin" | "files" | "warn" | "stderr" | "limits" | "outputs">,
  options: RunOptions,
): AsyncGenerator<Uint8Array, number> {
  const { separator, edits } = options;
  const { output, stdout } = edits ?? gathered();
  const { outputs } = invocation;
  const written = new WrittenFiles(program, outputs, separator);
  const printer = new Printer(output, separator, invocation.stderr, written, stdout);
  const beginsFile = (): void => {
    edits?.begin();
    if (edits !== undefined) printer.beginFile();
  };
  const input = new LineInput(invocation, { ...options, operands, separator, beginsFile });
  const opens = (path: string): void => {
    // GNU sed keeps what is written to files in its buffers, too.
    if (options.unbuffered) written.flush();
    outputs?.checkRead(path);
  };
  const texts: TextFiles = { files: invocation.files, standardInput: undefined, opens };
  if (readsStandardInput(program) && !operands.some(isStandardInput)) texts.standardInput = await wholeInput(invocation);
  const machine = new Machine(program, input, printer, texts, { ...options, spaceBytes: invocation.limits.heldBytes });
  const skipper = options.separate && operands.length > 1 ? undefined : skipperFor(program, machine.ranges, machine.quiet, separator);
  try {
    for (;;) {
      if (skipper !== undefined && machine.isBetweenLines && skipper.skip(input, printer)) {
        input.openRest();
        break;
      }
      if (output.full) yield* taken(printer, edits);
      const pause = machine.run(skipper !== undefined);
      if (pause === "done") break;
      if (pause === "input" || pause === "look") {
        machine.settle();
        if (options.unbuffered) yield* taken(printer, edits);
        await input.fill(pause === "look");
      } else if (pause === "output") {
        yield* taken(printer, edits);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof InputEnd)) throw thrown;
    input.exit = 4;
  } finally {
    try {
      // First: a reader that leaves ends this block where it yields.
      written.close();
    } finally {
      yield* taken(printer, edits);
      machine.close();
      await input.close();
    }
  }
  if (edits !== undefined) yield* edits.end();
  return input.exit === 0 ? machine.exit : input.exit;
}

/** One output for all that is printed. */
function gathered(): { readonly output: BlockBuilder; readonly stdout: BlockBuilder } {
  const output = new BlockBuilder();
  return { output, stdout: output };
}

/** The gathered output; the part of it that belongs to a file which is edited is kept there, and the rest until its end. */
function* taken(printer: Printer, edits: EditedFiles | undefined): Generator<Uint8Array, void> {
  if (edits !== undefined) edits.take();
  else if (!printer.output.empty) yield printer.output.take();
}

function readsStandardInput({ commands }: Program): boolean {
  return commands.some(({ action }) => action.kind === "read" && action.path === "/dev/stdin");
}

async function wholeInput({ stdin, limits }: Pick<Invocation, "stdin" | "limits">): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (let block = await stdin.read(); block !== undefined && length < limits.heldBytes; block = await stdin.read()) {
    parts.push(Buffer.from(block));
    length += block.length;
  }
  return Buffer.concat(parts);
}
