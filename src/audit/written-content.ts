/** Content of one file that is written little by little, while others are: its extents in a spool that they share. */
import { createHash } from "node:crypto";
import type { GivenContent } from "./desired-entry.ts";
import type { Digest } from "./journal-lines.ts";
import type { Spool } from "./spool.ts";

export class WrittenContent implements GivenContent {
  readonly #spool: Spool;
  readonly #hash = createHash("sha256");
  /** Offsets in the spool, from inclusive to exclusive. */
  readonly #extents: { readonly from: number; to: number }[] = [];
  #bytes = 0;
  #writers = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** True while some output writes it. */
  get isOpen(): boolean {
    return this.#writers > 0;
  }

  open(): void {
    this.#writers++;
  }

  close(): void {
    this.#writers--;
  }

  add(bytes: Uint8Array): void {
    const from = this.#spool.size;
    this.#spool.add(bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    const last = this.#extents.at(-1);
    if (last?.to === from) last.to = this.#spool.size;
    else this.#extents.push({ from, to: this.#spool.size });
  }

  get digest(): Digest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  *blocks(): Generator<Uint8Array, void> {
    for (const { from, to } of this.#extents) yield* this.#spool.part(from, to);
  }
}
