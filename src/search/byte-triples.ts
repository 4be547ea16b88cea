/**
 * Finds every place in a block where one of several texts may stand: by three neighbouring bytes of each, in up to eight
 * groups, sixteen places at a time, in one pass however many texts there are. A byte is looked up by its two halves, so a
 * place found is only likely, and the caller compares the text there.
 */
import { placesBefore, vectorModule } from "../io/vector-functions.ts";

/** Places examined by one call, in bytes. */
export const TRIPLE_BLOCK = 32 * 1024;
const LENGTH = 3;
const MOST_GROUPS = 8;

/** Bytes that a text may have at three neighbouring places: `has(place, byte)`, place 0 to 2. */
export interface Triple {
  has(place: number, byte: number): boolean;
}

/** Groups whose texts may have a byte, by place, half of the byte (the lower first) and the half's value. */
export type TripleTable = Uint8Array;

/** The table of `triples`; neighbours in the list are put into one group, so like should stand beside like. */
export function tripleTable(triples: readonly Triple[]): TripleTable {
  const table = new Uint8Array(LENGTH * 32);
  for (const [index, triple] of triples.entries()) {
    const group = 1 << Math.floor((index * Math.min(MOST_GROUPS, triples.length)) / triples.length);
    for (let place = 0; place < LENGTH; place++) {
      for (let byte = 0; byte < 256; byte++) {
        if (!triple.has(place, byte)) continue;
        table[place * 32 + (byte & 15)] = (table[place * 32 + (byte & 15)] as number) | group;
        table[place * 32 + 16 + (byte >> 4)] = (table[place * 32 + 16 + (byte >> 4)] as number) | group;
      }
    }
  }
  return table;
}

/**
 * The places from `from` to `to` (at most TRIPLE_BLOCK on) where a text of `table` may stand, as offsets from `from`, in
 * order, into `into`; returns how many. Near the end of `bytes` some may be wrong: the rest of a text lies past it.
 */
export function findTriples(bytes: Uint8Array, from: number, to: number, table: TripleTable, into: Int32Array): number {
  const end = Math.min(to, bytes.length);
  SCRATCH.set(bytes.subarray(from, Math.min(end + LENGTH, bytes.length)));
  TABLE.set(table);
  const count = functions.collect(end - from);
  return placesBefore(end - from, FOUND, count, into);
}

/**
 * Memory: what is searched, the table, then what was found. For each sixteen places: of the bytes at the place, after it
 * and after that, `swizzle(low table, byte & 15) & swizzle(high table, byte >> 4)`, the three of them and-ed; a place where
 * a bit is left goes to 0x10000. The loop around it is that of byte-pairs.ts.
 */
const { memory, functions } = vectorModule(3, {
  // (func (export "collect") (param $end i32) (result i32))
  collect: {
    parameters: 1,
    code:
      "02037f097b4100fd000080800321044100fd000090800321054100fd0000a0800321064100fd0000b0800321074100fd0000c080032108" +
      "4100fd0000d080032109410ffd0f210a02400340200120004f0d012001fd000000210b2004200b200afd4efd0e2005200b4104fd6dfd0e" +
      "fd4e210c2001fd000001210b2006200b200afd4efd0e2007200b4104fd6dfd0efd4e200cfd4e210c2001fd000002210b2008200b200afd" +
      "4efd0e2009200b4104fd6dfd0efd4e200cfd4e210c200cfd0c00000000000000000000000000000000fd24fd642103024003402003450d" +
      "01200220012003686a3602808004200241046a21022003200341016b7121030c000b0b200141106a21010c000b0b20024102760b",
  },
});

/** Nothing in the memory outlives a call. */
const SCRATCH = new Uint8Array(memory, 0, 0xc000);
const TABLE = new Uint8Array(memory, 0xc000, LENGTH * 32);
const FOUND = new Int32Array(memory, 0x10000, TRIPLE_BLOCK);
