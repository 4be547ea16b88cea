/** The data of a member of a zip archive, in blocks. */
import { Inflater, SLICE_BYTES } from "../../src/io/inflater.ts";
import type { ByteFile } from "./byte-file.ts";

/** Data as it stands. Returns true where all of it was there. */
export async function* stored(file: ByteFile, from: number, bytes: number): AsyncGenerator<Uint8Array, boolean> {
  for (let at = from; at < from + bytes; ) {
    const slice = file.at(at, Math.min(1 << 16, from + bytes - at));
    if (slice === undefined) return false;
    yield slice;
    at += slice.length;
  }
  return true;
}

/** Unpacked data. Returns true where it ended where it should. */
export async function* inflated(file: ByteFile, from: number, bytes: number): AsyncGenerator<Uint8Array, boolean> {
  const inflater = new Inflater();
  try {
    for (let at = from; at < from + bytes; ) {
      const slice = file.at(at, Math.min(SLICE_BYTES, from + bytes - at));
      if (slice === undefined) return false;
      const { chunks, state } = await inflater.step(Buffer.from(slice));
      yield* chunks;
      if (state !== "more") return state === "ended";
      at += slice.length;
    }
    // Whether the data has ended shows only where a byte follows it.
    const { state, usedBytes } = await inflater.step(Buffer.alloc(1));
    return state === "ended" && usedBytes === 0;
  } finally {
    inflater.close();
  }
}
