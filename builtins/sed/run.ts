/** Joins input, machine and output. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { isStandardInput } from "../../src/builtin/inputs.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import type { TextFiles } from "./append-queue.ts";
import { InputEnd, LineInput } from "./line-input.ts";
import { Machine, type MachineOptions } from "./machine.ts";
import { Printer } from "./printer.ts";
import { skipperFor } from "./line-skipper.ts";
import type { Program } from "./program.ts";

export interface RunOptions extends Omit<MachineOptions, "spaceBytes"> {
  readonly separate: boolean;
  readonly followSymlinks: boolean;
}

/** Runs `program` over `operands` and yields what it prints; returns the exit status. */
export async function* runProgram(
  program: Program,
  operands: readonly string[],
  invocation: Pick<Invocation, "stdin" | "files" | "warn" | "stderr" | "limits">,
  options: RunOptions,
): AsyncGenerator<Uint8Array, number> {
  const { separator } = options;
  const input = new LineInput(invocation, { ...options, operands, separator });
  const printer = new Printer(new BlockBuilder(), separator, invocation.stderr);
  const texts: TextFiles = { files: invocation.files, standardInput: undefined };
  if (readsStandardInput(program) && !operands.some(isStandardInput)) texts.standardInput = await wholeInput(invocation);
  const machine = new Machine(program, input, printer, texts, { ...options, spaceBytes: invocation.limits.heldBytes });
  const { output } = printer;
  const skipper = options.separate && operands.length > 1 ? undefined : skipperFor(program, machine.ranges, machine.quiet, separator);
  try {
    for (;;) {
      if (skipper !== undefined && machine.isBetweenLines && skipper.skip(input, printer)) {
        input.openRest();
        break;
      }
      if (output.full) yield output.take();
      const pause = machine.run(skipper !== undefined);
      if (pause === "done") break;
      if (pause === "input" || pause === "look") {
        machine.settle();
        if (options.unbuffered && !output.empty) yield output.take();
        await input.fill(pause === "look");
      } else if (pause === "output" && !output.empty) {
        yield output.take();
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof InputEnd)) throw thrown;
    return 4;
  } finally {
    if (!output.empty) yield output.take();
    machine.close();
    await input.close();
  }
  return input.exit === 0 ? machine.exit : input.exit;
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
