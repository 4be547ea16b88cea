/**
 * Outputs of recent calls, kept for `@out N` in their session and for `shelpa://output/{id}`. The least recently used go
 * first.
 */
import { randomBytes } from "node:crypto";
import type { CapturedOutput, KeptOutput } from "./shell-service.ts";

/** Most kept for one session, and bytes for all of them. One output is at most the service's capture (8 MiB). */
const MOST_OF_A_SESSION = 64;
const MOST_BYTES = 64 << 20;

/** A bound on what the workspaces of a server keep together: whoever keeps most gives way. */
export class OutputRoom {
  readonly #mostBytes: number;
  readonly #keepers = new Set<KeptOutputs>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  join(keeper: KeptOutputs): void {
    this.#keepers.add(keeper);
  }

  leave(keeper: KeptOutputs): void {
    this.#keepers.delete(keeper);
  }

  /** Lets the oldest outputs go of those who keep most, until there is room. */
  make(): void {
    let held = 0;
    for (const keeper of this.#keepers) held += keeper.heldBytes;
    while (held > this.#mostBytes) {
      const [most] = [...this.#keepers].sort((one, other) => other.heldBytes - one.heldBytes);
      const before = most?.heldBytes ?? 0;
      if (most === undefined || before === 0) return;
      most.dropOldest();
      held -= before - most.heldBytes;
    }
  }
}

/** The session whose lines print, and which numbers what they do. */
export interface PrintingSession {
  readonly handle: string;
  /** Numbers the outputs of its lines, from 1. */
  nextOutputNumber(): number;
}

export class KeptOutputs {
  /** The one used last is last. */
  readonly #byId = new Map<string, KeptOutput>();
  readonly #ids = new Map<string, string>();
  readonly #newId: () => string;
  readonly #room: OutputRoom | undefined;
  #heldBytes = 0;

  /** `newId` gives an identifier nobody can guess. `room`: a bound that is shared with other workspaces. */
  constructor(newId: () => string = () => randomBytes(9).toString("base64url"), room?: OutputRoom) {
    this.#newId = newId;
    this.#room = room;
    room?.join(this);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  dropOldest(): void {
    const [oldest] = this.#byId.keys();
    this.#drop(oldest);
  }

  close(): void {
    this.#room?.leave(this);
  }

  /** `callerKey`: see CallOptions. */
  add(session: PrintingSession, command: string, { bytes, totalLines }: CapturedOutput, callerKey?: string): KeptOutput {
    const output: KeptOutput = {
      id: this.#newId(),
      session: session.handle,
      callerKey,
      number: session.nextOutputNumber(),
      command,
      bytes,
      totalLines,
    };
    this.#byId.set(output.id, output);
    this.#ids.set(keyOf(output), output.id);
    this.#heldBytes += bytes.length;
    this.#drop(this.#ids.get(keyOf({ session: output.session, number: output.number - MOST_OF_A_SESSION })));
    for (const oldest of this.#byId.keys()) {
      if (this.#heldBytes <= MOST_BYTES || this.#byId.size === 1) break;
      this.#drop(oldest);
    }
    this.#room?.make();
    return output;
  }

  /** The output with this address, where the caller of this key has printed it; it becomes the one used last. */
  get(id: string, callerKey?: string): KeptOutput | undefined {
    const output = this.#byId.get(id);
    if (output === undefined || output.callerKey !== callerKey) return undefined;
    this.#byId.delete(id);
    this.#byId.set(id, output);
    return output;
  }

  /** The output with this number in the session; it becomes the one used last. */
  ofSession(session: string, number: number): KeptOutput | undefined {
    const output = this.#byId.get(this.#ids.get(keyOf({ session, number })) ?? "");
    return output === undefined ? undefined : this.get(output.id, output.callerKey);
  }

  /** The one used last is last. */
  list(): readonly KeptOutput[] {
    return [...this.#byId.values()];
  }

  #drop(id: string | undefined): void {
    const output = id === undefined ? undefined : this.#byId.get(id);
    if (output === undefined) return;
    this.#byId.delete(output.id);
    this.#ids.delete(keyOf(output));
    this.#heldBytes -= output.bytes.length;
  }
}

const keyOf = ({ session, number }: Pick<KeptOutput, "session" | "number">): string => `${number} ${session}`;
