/** The parser library's tree of a text. */
import { parse, type ParsedScript } from "unbash";

/** Undefined where the text is nested too deeply for the library's own recursion (`coproc coproc …`). */
export function parseSource(text: string): ParsedScript | undefined {
  try {
    return parse(text);
  } catch (thrown) {
    if (thrown instanceof RangeError && /call stack/.test(thrown.message)) return undefined;
    throw thrown;
  }
}
