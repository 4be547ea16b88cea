/** The `==> name <==` lines that head and tail print above each of several files. */
import { toBytes } from "../io/text.ts";

export class FileHeaders {
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
export function inputTitle(operand: string): string {
  return operand === "-" ? "standard input" : operand;
}
