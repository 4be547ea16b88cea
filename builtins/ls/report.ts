/** Output of a listing, in its order: text for standard output, and complaints where they fell. */
import { toBytes } from "../../src/io/text.ts";
import { quoteAlways } from "../../src/display/quote.ts";

/** Text is turned into a block at this many characters. */
const BLOCK_CHARACTERS = 64 * 1024;

export class Report {
  #text = "";
  #bytesDone = 0;
  #invisible = 0;
  #parts: (Uint8Array | { readonly complaint: string })[] = [];
  /** 0; 1 for minor problems, 2 for an operand that could not be shown. */
  exit = 0;

  print(text: string): void {
    this.#text += text;
    if (this.#text.length >= BLOCK_CHARACTERS) this.#cut();
  }

  /** Prints what changes colors, in ASCII, which --dired does not count. */
  printColor(text: string): void {
    this.print(text);
    this.#invisible += text.length;
  }

  /** True once there is enough to be handed on. */
  get full(): boolean {
    return this.#parts.length > 0;
  }

  /** How many bytes were printed so far, for the offsets of --dired. */
  get bytes(): number {
    if (this.#text !== "") this.#cut();
    return this.#bytesDone - this.#invisible;
  }

  /** `doing 'file': why`; an operand's failure weighs more than that of something found. */
  fail(doing: string, file: string, why: string, isOperand: boolean): void {
    this.complain(`${doing} ${quoteAlways(file)}: ${why}`, isOperand);
  }

  complain(complaint: string, isOperand: boolean): void {
    this.#cut();
    this.#parts.push({ complaint });
    this.exit = Math.max(this.exit, isOperand ? 2 : 1);
  }

  /** Everything so far: complaints go to `warn` after the text before them. */
  *drain(warn: (message: string) => void): Generator<Uint8Array, void> {
    this.#cut();
    const parts = this.#parts;
    this.#parts = [];
    for (const part of parts) {
      if ("complaint" in part) warn(part.complaint);
      else yield part;
    }
  }

  #cut(): void {
    if (this.#text === "") return;
    const bytes = toBytes(this.#text);
    this.#bytesDone += bytes.length;
    this.#parts.push(bytes);
    this.#text = "";
  }
}
