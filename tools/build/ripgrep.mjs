/**
 * Extracts ripgrep's WebAssembly module, compressed as it is, from the npm package `ripgrep`, which has it as text (z85 of brotli) in a source
 * file. That file is read and never run: the package's own code grants directories and reads a cached module from the
 * temporary directory unchecked. src/wasm/wasm-tool.ts checks the module's SHA-256 before it is compiled.
 */
import { readFileSync, writeFileSync } from "node:fs";

export function writeRipgrepModule(path) {
  const source = readFileSync(new URL("../../node_modules/ripgrep/lib/_rg.wasm.mjs", import.meta.url), "latin1");
  const part = (shape) => {
    const found = shape.exec(source)?.[1];
    if (found === undefined) throw new Error(`node_modules/ripgrep is not version 0.3.1: no ${shape}`);
    return found;
  };
  const digits = part(/const Z85 = "([^"]+)"/);
  const text = part(/getEncoded = \(\) => "([^"]+)"/);
  const compressed = z85(digits, text).subarray(0, Number(part(/compressedByteLength = (\d+)/)));
  writeFileSync(path, compressed);
}

/** https://rfc.zeromq.org/spec/32/: five digits are four bytes. */
function z85(digits, text) {
  const bytes = Buffer.alloc((text.length / 5) * 4);
  for (let at = 0; at < text.length; at += 5) {
    let value = 0;
    for (const digit of text.slice(at, at + 5)) value = value * 85 + digits.indexOf(digit);
    bytes.writeUInt32BE(value, (at / 5) * 4);
  }
  return bytes;
}
