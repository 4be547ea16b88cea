/**
 * The parts that head and tail share: the `==> name <==` lines above each of several files, and the messages for unreadable ones.
 */
import { quoteAlways } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { ExitStatus, Invocation } from "../../src/builtin/definition.ts";
import { inputOperands, openInput, type InputSource } from "../../src/builtin/inputs.ts";

export interface EachInput {
  readonly hasHeaders: boolean;
  readonly show: (source: InputSource) => AsyncGenerator<Uint8Array, void>;
  /** After a directory's header: say that it cannot be read, do not, or say it and end. */
  readonly atDirectory: "complain" | "pass over" | "end";
}

/** Shows each operand under its header. */
export async function* showEach(
  invocation: Pick<Invocation, "operands" | "stdin" | "files" | "warn">,
  { hasHeaders, show, atDirectory }: EachInput,
): AsyncGenerator<Uint8Array, ExitStatus> {
  const headers = new FileHeaders(hasHeaders);
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    let source: InputSource;
    try {
      source = openInput(invocation, operand);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      const isDirectory = thrown.code === "EISDIR";
      if (isDirectory) yield headers.next(operand);
      if (isDirectory && atDirectory === "pass over") continue;
      const action = isDirectory ? `error reading ${quoteAlways(operand)}` : `cannot open ${quoteAlways(operand)} for reading`;
      invocation.warn(`${action}: ${thrown.message}`);
      exit = 1;
      if (isDirectory && atDirectory === "end") return exit;
      continue;
    }
    try {
      yield headers.next(operand);
      yield* show(source);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      invocation.warn(`error reading ${quoteAlways(inputTitle(operand))}: ${thrown.message}`);
      exit = 1;
    } finally {
      source.close();
    }
  }
  return exit;
}

class FileHeaders {
  readonly #shown: boolean;
  #isFirst = true;

  constructor(shown: boolean) {
    this.#shown = shown;
  }

  /** The header for `operand`, with an empty line above all but the first; empty where headers are off. */
  next(operand: string): Uint8Array {
    if (!this.#shown) return new Uint8Array(0);
    const above = this.#isFirst ? "" : "\n";
    this.#isFirst = false;
    return toBytes(`${above}==> ${inputTitle(operand)} <==\n`);
  }
}

/** What head and tail call an operand: `-` is "standard input". */
function inputTitle(operand: string): string {
  return operand === "-" ? "standard input" : operand;
}
