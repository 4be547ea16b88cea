/** Whole outputs of recent calls, for `shelpa://output/{id}`. The least recently used go first. */
import { randomBytes } from "node:crypto";

export const OUTPUT_URI = "shelpa://output/";

/** Most kept in all, in bytes and in outputs. One output is at most the service's capture (8 MiB). */
const MAX_HELD_BYTES = 64 << 20;
const MAX_OUTPUTS = 64;

export interface RetainedOutput {
  readonly uri: string;
  /** The line that printed it. */
  readonly command: string;
  readonly bytes: Uint8Array;
}

export class OutputStore {
  readonly #outputs = new Map<string, RetainedOutput>();
  readonly #newId: () => string;
  #heldBytes = 0;

  /** `newId` gives an identifier nobody can guess. */
  constructor(newId: () => string = () => randomBytes(9).toString("base64url")) {
    this.#newId = newId;
  }

  /** Keeps `bytes` and returns their URI. */
  add(command: string, bytes: Uint8Array): string {
    const uri = OUTPUT_URI + this.#newId();
    this.#outputs.set(uri, { uri, command, bytes });
    this.#heldBytes += bytes.length;
    for (const [oldest, { bytes: dropped }] of this.#outputs) {
      if (this.#outputs.size === 1 || (this.#heldBytes <= MAX_HELD_BYTES && this.#outputs.size <= MAX_OUTPUTS)) break;
      this.#outputs.delete(oldest);
      this.#heldBytes -= dropped.length;
    }
    return uri;
  }

  get(uri: string): RetainedOutput | undefined {
    const output = this.#outputs.get(uri);
    if (output === undefined) return undefined;
    this.#outputs.delete(uri);
    this.#outputs.set(uri, output);
    return output;
  }

  /** Newest last. */
  list(): readonly RetainedOutput[] {
    return [...this.#outputs.values()];
  }
}
