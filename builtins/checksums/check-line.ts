/** A line of a checksum list: `HEX  NAME`, `HEX *NAME`, `HEX NAME` or `TAG (NAME) = HEX`. */
import { HASHES, type HashAlgorithm } from "./algorithm.ts";

export interface CheckLine {
  readonly hex: string;
  readonly name: string;
  readonly algorithm: HashAlgorithm;
  readonly bits: number;
}

/** Reads the lines of one list; whether a lone space stands before a name is decided by the first line that shows it. */
export class CheckLineReader {
  /** The algorithm asked for; undefined where tagged lines say it (`cksum -c`). */
  readonly #fixed: HashAlgorithm | undefined;
  #named: HashAlgorithm | undefined;
  #spacing: "unknown" | "single" | "double" = "unknown";

  constructor(fixed: HashAlgorithm | undefined) {
    this.#fixed = fixed;
  }

  /** What a message calls the lines: the tag of the algorithm, that of the last tagged line where none was asked for. */
  get tag(): string {
    return (this.#fixed ?? this.#named)?.tag ?? "CRC";
  }

  /** undefined where the line is not a proper one. */
  read(line: string): CheckLine | undefined {
    const [, escape = "", rest = ""] = /^[ \t]*(\\?)([^]*)$/.exec(line) ?? [];
    const isEscaped = escape !== "";
    const algorithm = this.#fixed ?? this.#algorithmOf(rest);
    if (algorithm === undefined) return undefined;
    if (rest.startsWith(algorithm.tag)) return tagged(rest.slice(algorithm.tag.length), algorithm, isEscaped);
    if (this.#fixed === undefined) return undefined;
    return this.#plain(rest, algorithm, isEscaped);
  }

  #algorithmOf(text: string): HashAlgorithm | undefined {
    const tag = /^[A-Za-z0-9]+/.exec(text)?.[0];
    const found = Object.values<HashAlgorithm>(HASHES).find((algorithm) => algorithm.tag === tag);
    if (found !== undefined) this.#named = found;
    return found;
  }

  #plain(text: string, algorithm: HashAlgorithm, isEscaped: boolean): CheckLine | undefined {
    const hex = /^[0-9a-fA-F]*/.exec(text)?.[0] ?? "";
    const fits = algorithm.varies
      ? hex.length >= 2 && hex.length % 2 === 0 && hex.length * 4 <= algorithm.bits
      : hex.length * 4 === algorithm.bits;
    const after = text.slice(hex.length);
    if (!fits || !/^[ \t]/.test(after) || after.length < 2) return undefined;
    let name = after.slice(1);
    if (name.length === 1 || (name[0] !== " " && name[0] !== "*")) {
      if (this.#spacing === "double") return undefined;
      this.#spacing = "single";
    } else if (this.#spacing !== "single") {
      this.#spacing = "double";
      name = name.slice(1);
    }
    return entry(hex, name, algorithm, isEscaped);
  }
}

/** `(NAME) = HEX` behind the tag; a length may stand between. */
function tagged(text: string, algorithm: HashAlgorithm, isEscaped: boolean): CheckLine | undefined {
  const [, length, rest] = /^(?:-(\d+))? ?\(([^]*)$/.exec(text) ?? [];
  if (rest === undefined || (length !== undefined && !algorithm.varies)) return undefined;
  const bits = length === undefined ? algorithm.bits : Number(length);
  if (bits === 0 || bits > algorithm.bits || bits % 8 !== 0) return undefined;
  const close = rest.lastIndexOf(")");
  const hex = /^[ \t]*=[ \t]*([0-9a-fA-F]*)$/.exec(rest.slice(close + 1))?.[1];
  if (close < 0 || hex === undefined || hex.length * 4 !== bits) return undefined;
  return entry(hex, rest.slice(0, close), algorithm, isEscaped);
}

function entry(hex: string, written: string, algorithm: HashAlgorithm, isEscaped: boolean): CheckLine | undefined {
  const name = isEscaped ? unescaped(written) : written;
  return name === undefined ? undefined : { hex, name, algorithm, bits: hex.length * 4 };
}

/** Undoes `escapedName`; undefined where another letter is behind a backslash. */
function unescaped(name: string): string | undefined {
  if (!/^(?:[^\\\0]|\\[nr\\])*$/.test(name)) return undefined;
  return name.replace(/\\([nr\\])/g, (_, letter: string) => (letter === "n" ? "\n" : letter === "r" ? "\r" : "\\"));
}

/** A name on one line: newline, carriage return and backslash behind a backslash, and then one before the whole line. */
export function escapedName(name: string): { readonly prefix: string; readonly name: string } {
  if (!/[\n\r\\]/.test(name)) return { prefix: "", name };
  const escaped = name.replace(/[\n\r\\]/g, (letter) => (letter === "\n" ? "\\n" : letter === "\r" ? "\\r" : "\\\\"));
  return { prefix: "\\", name: escaped };
}
