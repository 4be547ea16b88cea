/** All operands as one stream, as expand and unexpand read them: a line may begin in one file and end in the next. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { eachInput } from "../../src/builtin/inputs.ts";
import { BlockBuilder } from "../../src/io/output.ts";

/** Turns one byte into what it stands for; -1 is the end. */
export interface ByteMachine {
  /** Adds the block's output, and gives the builder's block away each time it is full. */
  block(bytes: Uint8Array, output: BlockBuilder): Generator<Uint8Array, void>;
  end(output: BlockBuilder): void;
}

export async function* throughMachine(
  invocation: Pick<Invocation, "operands" | "stdin" | "files" | "warn">,
  machine: ByteMachine,
): AsyncGenerator<Uint8Array, number> {
  const output = new BlockBuilder();
  const exit = yield* eachInput(invocation, output, async function* (source) {
    for await (const bytes of source) {
      yield* machine.block(bytes, output);
      if (output.full) yield output.take();
    }
  });
  machine.end(output);
  if (!output.empty) yield output.take();
  return exit;
}
