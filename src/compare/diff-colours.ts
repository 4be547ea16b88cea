/** Colours of a difference on a terminal, as GNU diff has them: its lines are known by where they stand, and not by how they begin. */
import { colourSequence } from "../display/colour.ts";

const HEADER = "1";
const PLACE = "36";
const REMOVED = "31";
const ADDED = "32";
const NEWLINE = 10;

/** The same `output` of a diff in `format` with colours of `mark` (colourSequence), and what it returns. */
export async function* withColours<T>(
  output: AsyncGenerator<Uint8Array, T>,
  format: "normal" | "unified",
  mark: string,
): AsyncGenerator<Uint8Array, T> {
  const colours = format === "unified" ? new UnifiedColours() : NORMAL;
  const coloured = (line: string): string => {
    const { codes, length = line.length } = colours.of(line);
    return codes === "" ? line : colourSequence(mark, codes) + line.slice(0, length) + colourSequence(mark, "0") + line.slice(length);
  };
  // Bytes as characters of their numbers: a line may be in any encoding.
  let rest = "";
  try {
    for (;;) {
      const next = await output.next();
      if (next.done === true) {
        if (rest !== "") yield Buffer.from(coloured(rest), "latin1");
        return next.value;
      }
      const end = next.value.lastIndexOf(NEWLINE) + 1;
      const whole = end === 0 ? "" : rest + latin1(next.value.subarray(0, end));
      rest = (end === 0 ? rest : "") + latin1(next.value.subarray(end));
      if (whole !== "") yield Buffer.from(whole.slice(0, -1).split("\n").map(coloured).join("\n").concat("\n"), "latin1");
    }
  } finally {
    await output.return(undefined as never);
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** `length`: that of the coloured beginning of the line; default: all of it. */
interface Colour {
  readonly codes: string;
  readonly length?: number;
}

const NORMAL = {
  of(line: string): Colour {
    if (line.startsWith("<")) return { codes: REMOVED };
    if (line.startsWith(">")) return { codes: ADDED };
    if (/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line)) return { codes: PLACE };
    return { codes: line.startsWith("diff ") ? HEADER : "" };
  },
};

class UnifiedColours {
  /** Lines of either file that the hunk at hand still has. */
  #old = 0;
  #new = 0;

  of(line: string): Colour {
    if (this.#old > 0 || this.#new > 0) {
      if (line.startsWith("-")) this.#old--;
      else if (line.startsWith("+")) this.#new--;
      else if (!line.startsWith("\\")) {
        this.#old--;
        this.#new--;
      }
      return { codes: line.startsWith("-") ? REMOVED : line.startsWith("+") ? ADDED : "" };
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk === null) return { codes: /^(?:diff|---|\+\+\+) /.test(line) ? HEADER : "" };
    this.#old = Number(hunk[1] ?? 1);
    this.#new = Number(hunk[2] ?? 1);
    return { codes: PLACE, length: hunk[0].length };
  }
}
