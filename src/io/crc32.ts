/** The CRC of RFC 1952, section 8. node:zlib has one only from Node 22 on. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) !== 0 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The checksum of what gave `before` followed by `bytes`; of nothing it is 0. */
export function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
