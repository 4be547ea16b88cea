/** zlib streams of a repository, unpacked with a known size: never more than was announced, never more than is held. */
import { inflateSync } from "node:zlib";

/** What the zlib stream at the start of `packed` holds, exactly `size` bytes; undefined where it is broken or of another size. */
export function inflated(packed: Uint8Array, size: number): Buffer | undefined {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: Math.max(size, 1) });
    return bytes.length === size ? bytes : undefined;
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    return undefined;
  }
}

/** The first bytes of a zlib stream, `most` at most (the header of a loose object); undefined where it is broken. */
export function inflatedAll(packed: Uint8Array, most: number): Buffer | "broken" | "too large" {
  try {
    return inflateSync(packed, { maxOutputLength: most });
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    return thrown.code === "ERR_BUFFER_TOO_LARGE" ? "too large" : "broken";
  }
}

function isZlibError(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && "code" in thrown && (String(thrown.code).startsWith("Z_") || thrown.code === "ERR_BUFFER_TOO_LARGE");
}
