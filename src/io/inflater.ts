/** Raw DEFLATE data (RFC 1951), unpacked a slice at a time: as much is held as one slice unpacks to. */
import { createInflateRaw, type InflateRaw } from "node:zlib";

/** At most so many packed bytes are unpacked at a time: a byte may become a thousand. */
export const SLICE_BYTES = 16 << 10;

export interface InflateStep {
  readonly chunks: readonly Uint8Array[];
  /** How much of the slice belonged to the packed data. */
  readonly usedBytes: number;
  readonly state: "more" | "ended" | "broken";
}

/** node:zlib, a slice at a time. */
export class Inflater {
  readonly #stream: InflateRaw = createInflateRaw({ chunkSize: 1 << 16 });
  #chunks: Uint8Array[] = [];
  #given = 0;
  #settle: (state: InflateStep["state"]) => void = () => {};

  constructor() {
    this.#stream.on("data", (chunk: Uint8Array) => void this.#chunks.push(chunk));
    this.#stream.on("end", () => this.#settle("ended"));
    this.#stream.on("error", () => this.#settle("broken"));
  }

  async step(slice: Uint8Array): Promise<InflateStep> {
    const state = await new Promise<InflateStep["state"]>((resolve) => {
      this.#settle = resolve;
      this.#stream.write(slice, () => setImmediate(() => resolve("more")));
    });
    const chunks = this.#chunks;
    this.#chunks = [];
    const usedBytes = this.#stream.bytesWritten - this.#given;
    this.#given += slice.length;
    return { chunks, usedBytes, state };
  }

  close(): void {
    this.#stream.destroy();
  }
}
