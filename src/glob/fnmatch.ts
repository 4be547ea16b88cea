/** fnmatch(3) of glibc 2.36: a name matches as text or, where it does not, as bytes. */
import { toBytes } from "../io/text.ts";
import { compileGlob, type Glob } from "./glob-match.ts";
import type { GlobOptions } from "./glob-pattern.ts";

const ASCII = /^[\0-\x7f]*$/;

/** Compiles `pattern`. Never throws. */
export function compileFnmatch(pattern: string, options: GlobOptions = {}): Glob {
  const asText = compileGlob(pattern, options);
  if (!/[?[]/.test(pattern)) return asText;
  let asBytes: Glob | undefined;
  return {
    matches(name) {
      if (asText.matches(name)) return true;
      if (ASCII.test(name)) return false;
      asBytes ??= compileGlob(spread(pattern), options);
      return asBytes.matches(spread(name));
    },
  };
}

/** `text` with every byte beyond ASCII as an escaped byte (src/io/text.ts), which is in no class and has no other case. */
function spread(text: string): string {
  if (ASCII.test(text)) return text;
  return String.fromCharCode(...Array.from(toBytes(text), (byte) => (byte < 0x80 ? byte : 0xdc00 + byte)));
}
