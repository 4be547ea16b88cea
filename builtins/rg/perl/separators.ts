/** Separators as they are typed: `\t`, `\n`, `\r`, `\0`, `\\`, `\x7F`; any other backslash is itself (grep-cli, escape.rs). */
import { toBytes } from "../../../src/io/text.ts";
import type { PerlSettings } from "./settings.ts";

const NAMED: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, "0": 0, "\\": 0x5c };

export function unescaped(text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const found of text.matchAll(/\\(?:([tnr0\\])|x([0-9A-Fa-f]{2}))/g)) {
    parts.push(toBytes(text.slice(from, found.index)));
    from = found.index + found[0].length;
    parts.push(Buffer.of(NAMED[found[1] ?? ""] ?? parseInt(found[2] ?? "0", 16)));
  }
  return Buffer.concat([...parts, toBytes(text.slice(from))]);
}

/** The line between two files; undefined: none. */
export function fileSeparator({ output, heading, passthru, before, after, contextSeparator }: PerlSettings): Buffer | undefined {
  if (output !== "standard") return undefined;
  if (heading) return Buffer.from("\n");
  return passthru || before + after === 0 || contextSeparator === undefined
    ? undefined
    : Buffer.concat([contextSeparator, Buffer.from("\n")]);
}
