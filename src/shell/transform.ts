/** `${x@Q}` and its relatives (bash manual §3.5.3). */
import { readAnsiC } from "./ansi-c.ts";
import { recased } from "./parameter.ts";
import type { TransformLetter } from "./tree.ts";
import { quotedValue } from "./value-quote.ts";

/** Letters that change each value by itself. */
export type ValueLetter = Exclude<TransformLetter, "A" | "a">;

export function transformed(text: string, letter: ValueLetter): string {
  switch (letter) {
    case "Q":
    case "K":
    case "k":
      return quotedValue(text);
    case "U":
      return recased(text, undefined, { kind: "case", to: "upper", all: true, pattern: undefined });
    case "u":
      return recased(text, undefined, { kind: "case", to: "upper", all: false, pattern: undefined });
    case "L":
      return recased(text, undefined, { kind: "case", to: "lower", all: true, pattern: undefined });
    case "E": {
      const source = text.replace(/\\[^]|'/g, (found) => (found === "'" ? "\\'" : found)).replace(/(^|[^\\])((\\\\)*)\\$/, "$1$2\\\\");
      return readAnsiC(`${source}'`, 0)?.text ?? text;
    }
  }
}
