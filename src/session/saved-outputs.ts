/** What recent calls of each session printed, for the stage `@out N`. The least recently used go first. */

export interface SavedOutput {
  /** At most what the service keeps of one call (8 MiB). */
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  readonly totalLines: number;
}

/** Most kept for one session, and bytes for all of them. */
const MOST_OF_A_SESSION = 16;
const MOST_BYTES = 64 << 20;

export class SavedOutputs {
  readonly #outputs = new Map<string, SavedOutput>();
  readonly #lastNumbers = new Map<string, number>();
  #heldBytes = 0;

  /** Keeps `output` and gives its number in the session. */
  add(session: string, output: SavedOutput): number {
    const number = (this.#lastNumbers.get(session) ?? 0) + 1;
    this.#lastNumbers.set(session, number);
    this.#outputs.set(keyOf(session, number), output);
    this.#heldBytes += output.bytes.length;
    this.#drop(keyOf(session, number - MOST_OF_A_SESSION));
    for (const oldest of this.#outputs.keys()) {
      if (this.#heldBytes <= MOST_BYTES || this.#outputs.size === 1) break;
      this.#drop(oldest);
    }
    return number;
  }

  get(session: string, number: number): SavedOutput | undefined {
    const key = keyOf(session, number);
    const output = this.#outputs.get(key);
    if (output === undefined) return undefined;
    this.#outputs.delete(key);
    this.#outputs.set(key, output);
    return output;
  }

  #drop(key: string): void {
    this.#heldBytes -= this.#outputs.get(key)?.bytes.length ?? 0;
    this.#outputs.delete(key);
  }
}

const keyOf = (session: string, number: number): string => `${number} ${session}`;
