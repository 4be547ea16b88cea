/** -R: keys in the order of their salted MD5, so that equal keys stand together. */
import { createHash } from "node:crypto";

/** Bytes of salt: what GNU sort reads from its random source. */
export const SALT_BYTES = 16;

/** The digest that decides; a NUL ends the key, as strxfrm leaves it. */
export function randomDigest(salt: Uint8Array, key: Uint8Array): Buffer {
  return createHash("md5").update(salt).update(key).update(NUL).digest();
}

const NUL = Buffer.of(0);
