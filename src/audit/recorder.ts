/** Recorded writing: the one way in which a builtin changes a file. */
import type { Recorder, WriteMode, WriteReceipt, WriteTransaction } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import { NULL_DEVICE } from "../workspace/null-device.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write-access.ts";
import type { CommitTarget } from "./change.ts";
import { commitWrite } from "./commit.ts";
import { OversizeWrite } from "./oversize-write.ts";
import { ORDINARY_WRITES, WRITE_REFUSALS, WritePolicy, type WriteVerdict } from "./write-policy.ts";
import { findMirror } from "./record-paths.ts";
import { recoverWrites } from "./record-store.ts";
import { Spool } from "./spool.ts";

/** Who writes, and why: kept with every record. */
export interface RecordContext {
  readonly session: string;
  readonly client: string;
  /** The whole command line. */
  readonly line: string;
  /** Lets a write be larger than `oversizeBytes`. */
  readonly confirmOversize: boolean;
  /** Nanoseconds since the epoch, of which record ids are made. Default: the host's clock. */
  readonly nowNs?: () => bigint;
  /** Default OVERSIZE_BYTES. */
  readonly oversizeBytes?: number;
  /** Whether a path, canonical and relative to the root, may be written. Default: what its name says. */
  readonly writeVerdict?: (path: string) => WriteVerdict;
  /** Default MAX_WRITE_BYTES. */
  readonly maxBytes?: number;
}

/** More than this is not written unless it was confirmed: a runaway pipeline stops here, and a diff is still readable. */
const OVERSIZE_BYTES = 1 << 20;
/** More than this is never written: `yes | tee f` ends here even where it was confirmed. */
const MAX_WRITE_BYTES = 1 << 30;

/**
 * A recorder for one call in `workspace`. First finishes what a killed process left half done, if one did. Creates
 * nothing before the first commit.
 */
export function createRecorder(workspace: Workspace, given: RecordContext): Recorder {
  const ordinary = new WritePolicy(ORDINARY_WRITES);
  const context = {
    nowNs: systemNowNs,
    oversizeBytes: OVERSIZE_BYTES,
    maxBytes: MAX_WRITE_BYTES,
    writeVerdict: (path: string) => ordinary.verdict(path),
    ...given,
  };
  recoverWrites(workspace.writer(), context.nowNs);
  return {
    begin(targets, mode, currentDirectory) {
      const writer = workspace.at(currentDirectory).writer();
      const found = new Map<string, CommitTarget>();
      for (const typed of targets) {
        if (typed === NULL_DEVICE) continue;
        const target = checkedTarget(writer, typed, context);
        if (!found.has(target.canonical)) found.set(target.canonical, target);
      }
      return new Transaction(writer, context, mode, [...found.values()]);
    },
  };
}

/** Its clock counts milliseconds here. */
const systemNowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

function checkedTarget(writer: WorkspaceWriter, typed: string, { writeVerdict }: Required<RecordContext>): CommitTarget {
  const target = writer.target(typed);
  // A link that hides the name of a protected directory does not hide what was typed.
  const canonical = writeVerdict(target.canonical);
  const verdict = canonical === "ordinary" ? writeVerdict(typed) : canonical;
  if (verdict !== "ordinary" && verdict !== "pre-approved") throw new FileError("PROTECTED_PATH", typed, WRITE_REFUSALS[verdict]);
  findMirror(writer, target.canonical);
  return { ...target, typed };
}

class Transaction implements WriteTransaction {
  readonly #writer: WorkspaceWriter;
  readonly #context: Required<RecordContext>;
  readonly #mode: WriteMode;
  readonly #targets: readonly CommitTarget[];
  readonly #spool: Spool;
  #open = true;

  constructor(writer: WorkspaceWriter, context: Required<RecordContext>, mode: WriteMode, targets: readonly CommitTarget[]) {
    this.#writer = writer;
    this.#context = context;
    this.#mode = mode;
    this.#targets = targets;
    this.#spool = new Spool(writer);
  }

  write(bytes: Uint8Array): void {
    this.#requireOpen();
    const first = this.#targets[0];
    if (first === undefined) return;
    const { confirmOversize, oversizeBytes, maxBytes } = this.#context;
    const cap = confirmOversize ? maxBytes : oversizeBytes;
    const seen = this.#spool.size + bytes.length;
    if (seen > cap) {
      this.abort();
      throw new OversizeWrite(first.typed, cap, seen, !confirmOversize);
    }
    this.#spool.add(bytes);
  }

  commit(): readonly WriteReceipt[] {
    this.#requireOpen();
    try {
      return this.#targets.length === 0 ? [] : commitWrite(this.#writer, this.#context, this.#mode, this.#targets, this.#spool);
    } finally {
      this.abort();
    }
  }

  abort(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#spool.close();
  }

  #requireOpen(): void {
    if (!this.#open) throw new Error("the transaction has ended");
  }
}
