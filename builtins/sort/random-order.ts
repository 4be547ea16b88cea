/** -R: keys in the order of their salted MD5, so that equal keys stand together. */
import { createHash } from "node:crypto";

/** Bytes of salt: what GNU sort reads from its random source. */
export const SALT_BYTES = 16;

/** The digest that decides. A NUL ends each stretch of the key, as strxfrm(3) leaves it. */
export function randomDigest(salt: Uint8Array, key: Uint8Array): Buffer {
  const hash = createHash("md5").update(salt).update(key);
  if (key.length > 0 && key[key.length - 1] !== 0) hash.update(NUL);
  return hash.digest();
}

const NUL = Buffer.of(0);
