/** A pack held against its index: every checksum, and every object by its id. */
import { crc32 } from "../../../src/io/crc32.ts";
import { GitError } from "../git-error.ts";
import type { Disk } from "./disk.ts";
import type { ObjectFormat } from "./object-format.ts";
import type { ObjectType, Pack } from "./pack.ts";

/** An entry of a pack. */
export interface PackedObject {
  readonly id: string;
  readonly type: ObjectType;
  /** Of its content, or of the delta that it is stored as. */
  readonly size: number;
  readonly bytes: number;
  readonly offset: number;
  /** Number of deltas on the way to a whole object, and the first base. */
  readonly depth: number;
  readonly base: string | undefined;
}

const HEADER_BYTES = 12;
const IDS_AT = 8 + 4 * 256;

/** All objects in the order of the pack. Throws GitError where something does not fit. Yields now and then: it takes long. */
export function* checkedObjects(disk: Disk, pack: Pack, path: string, format: ObjectFormat): Generator<void, readonly PackedObject[]> {
  const { idBytes } = format;
  const hasChecksum = (file: Buffer): boolean => format.checksumOf(file.subarray(0, -idBytes)).equals(file.subarray(-idBytes));
  const broken = (what: string): GitError =>
    new GitError(`${path}.pack: ${what}; the messages of git verify-pack for a broken pack are not made here`, { exit: 1 });
  const content = disk.readStore(`${path}.pack`);
  const index = disk.readStore(`${path}.idx`);
  if (content === undefined || index === undefined) throw broken("it is not there");
  const { count } = pack.index;
  if (!hasChecksum(content) || !hasChecksum(index)) throw broken("a checksum does not fit");
  const named = index.subarray(-2 * idBytes, -idBytes);
  if (!named.equals(content.subarray(-idBytes))) throw broken("its index is of another pack");
  if (content.toString("latin1", 0, 4) !== "PACK" || content.readUInt32BE(4) !== 2 || content.readUInt32BE(8) !== count)
    throw broken("its header does not fit");
  const found: PackedObject[] = [];
  const depths = new Map<string, number>();
  const places = pack.index.offsets();
  let next = HEADER_BYTES;
  for (const { id, offset } of places) {
    const object = pack.read(offset, {}, () => undefined);
    const { bytes, size, base } = pack.storageAt(offset);
    if (offset !== next || object === undefined || format.idOf(object.type, object.data) !== id)
      throw broken(`its object ${id} does not fit`);
    const crc = index.readUInt32BE(IDS_AT + idBytes * count + 4 * pack.index.lowerBound(id));
    if (crc32(content.subarray(offset, offset + bytes), 0) !== crc) throw broken(`the checksum of ${id} does not fit`);
    next = offset + bytes;
    found.push({ id, type: object.type, size, bytes, offset, depth: 0, base });
    yield;
  }
  if (next !== content.length - idBytes) throw broken("it goes on behind its objects");
  const bases = new Map(found.map(({ id, base }) => [id, base]));
  const depthOf = (id: string): number => {
    const chain: string[] = [];
    for (let at: string | undefined = id; at !== undefined && !depths.has(at); at = bases.get(at)) chain.push(at);
    for (const at of chain.reverse()) {
      const base = bases.get(at);
      depths.set(at, base === undefined ? 0 : (depths.get(base) ?? 0) + 1);
    }
    return depths.get(id) ?? 0;
  };
  return found.map((object) => ({ ...object, depth: depthOf(object.id) }));
}
