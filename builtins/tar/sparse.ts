/** Files with holes: where their data is, in GNU's old form and in the three of its extended headers (0.0, 0.1, 1.0). */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { BLOCK_SIZE, type ArchiveBlocks } from "./archive-blocks.ts";
import { UNEXPECTED_END } from "./archive-reader.ts";
import type { Complain } from "./header.ts";
import type { Member } from "./member.ts";
import { fieldNumber, TYPES } from "./numbers.ts";

export interface DataPart {
  readonly from: number;
  readonly bytes: number;
}

export interface SparseMap {
  readonly parts: readonly DataPart[];
  /** Bytes of the member's data that hold the map itself. */
  readonly mapBytes: number;
  /** Its message was given; nothing of the file is printed. */
  readonly isBroken: boolean;
}

/** The most parts that are held. */
const MOST_PARTS = 1_000_000;

export const isSparse = ({ header, sparse }: Member): boolean =>
  (header.type === "S" && header.format === "gnu") || sparse.major !== undefined || sparse.map.length > 0;

/** The map of a sparse member, behind whose header `blocks` is. */
export async function sparseMap(member: Member, blocks: ArchiveBlocks, complain: Complain): Promise<SparseMap> {
  const map = new PartList(member, complain);
  if (member.header.type === "S" && member.header.format === "gnu") return await oldMap(member, blocks, map, complain);
  if (member.sparse.major === 1n) return await textMap(member, blocks, map, complain);
  const numbers = member.sparse.map;
  for (let at = 0; at + 1 < numbers.length; at += 2) if (!map.add(numbers[at], numbers[at + 1])) break;
  return map.done(0);
}

class PartList {
  readonly #member: Member;
  readonly #complain: Complain;
  readonly #parts: DataPart[] = [];
  #isBroken = false;

  constructor(member: Member, complain: Complain) {
    this.#member = member;
    this.#complain = complain;
  }

  /** False for a part that cannot be, which is told. */
  add(from: bigint | undefined, bytes: bigint | undefined): boolean {
    if (from === undefined || bytes === undefined || from + bytes > this.#member.size) return this.fail("invalid");
    if (this.#parts.length === MOST_PARTS) throw new LimitReached("held", MOST_PARTS, "parts of a file with holes");
    this.#parts.push({ from: Number(from), bytes: Number(bytes) });
    return true;
  }

  fail(fault: "invalid" | "malformed"): false {
    this.#isBroken = true;
    this.#complain(`${this.#member.storedName}: ${fault} sparse archive member`);
    return false;
  }

  done(mapBytes: number): SparseMap {
    return { parts: this.#parts, mapBytes, isBroken: this.#isBroken };
  }
}

/** Pairs in the header, and in blocks behind it as long as each says that there is one more. */
async function oldMap(member: Member, blocks: ArchiveBlocks, map: PartList, complain: Complain): Promise<SparseMap> {
  const { block } = member.header;
  let goesOn = addPairs(block.subarray(386, 386 + 4 * 24), map, complain);
  for (let more = block[482]; more !== 0 && goesOn; ) {
    const next = await blocks.next();
    if (next === undefined) {
      complain(UNEXPECTED_END);
      break;
    }
    more = next[504];
    goesOn = addPairs(next.subarray(0, 21 * 24), map, complain);
  }
  return map.done(0);
}

/** False where the map ends. */
function addPairs(pairs: Buffer, map: PartList, complain: Complain): boolean {
  for (let at = 0; at < pairs.length; at += 24) {
    if (pairs[at + 12] === 0) return false;
    const number = (from: number): bigint | undefined => fieldNumber(pairs.subarray(from, from + 12), TYPES.size, complain);
    if (!map.add(number(at), number(at + 12))) return false;
  }
  return true;
}

/** Form 1.0: the map is the beginning of the data, decimal numbers one a line, up to the end of a block. */
async function textMap({ storedBytes }: Member, blocks: ArchiveBlocks, map: PartList, complain: Complain): Promise<SparseMap> {
  let mapBytes = 0;
  let text = "";
  let count: number | undefined;
  const numbers: bigint[] = [];
  for (;;) {
    if (mapBytes >= Number(storedBytes)) break;
    const block = await blocks.next();
    if (block === undefined) {
      complain(UNEXPECTED_END);
      break;
    }
    mapBytes += BLOCK_SIZE;
    const lines = (text + block.toString("latin1")).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      if (count === 0) break;
      if (!/^\d{1,19}$/.test(line)) {
        map.fail("malformed");
        return map.done(mapBytes);
      }
      if (count === undefined) count = Number(line);
      else if (numbers.push(BigInt(line)) === 2) {
        if (!map.add(numbers.shift(), numbers.shift())) return map.done(mapBytes);
        count--;
      }
    }
    if (count === 0) break;
    if (text.length > BLOCK_SIZE) {
      map.fail("malformed");
      break;
    }
  }
  return map.done(mapBytes);
}
