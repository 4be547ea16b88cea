/** Recorded writing: the one way in which a builtin changes a file. */
import type { AgreedWrites, Recorder, WriteMode, WriteReceipt, WriteTransaction } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import { NOT_APPROVED, type CommitTarget } from "./change.ts";
import { commitWrite } from "./commit.ts";
import { byteAmount } from "../numbers/byte-amount.ts";
import { checkGitDirectory } from "./git-directory.ts";
import { holdsOurBytes } from "./own-bytes.ts";
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
  /** The line with its named pipelines written out. Default: `line`. */
  readonly expandedLine?: string;
  /** The caller lets a write be larger than `oversizeBytes`. */
  readonly confirmOversize: boolean;
  /**
   * Whose word that must be. Default "agent": the caller's own, as long as it does not write over what somebody else
   * wrote; "human": only that of `approved`.
   */
  readonly oversizeNeeds?: "agent" | "human";
  /** What a human has agreed to: these writes, and where this is given no other. */
  readonly approved?: AgreedWrites | undefined;
  /** Instead of writing: for a preview. */
  readonly commit?: typeof commitToDisk;
  /** Nanoseconds since the epoch, of which record ids are made. Default: the host's clock. */
  readonly nowNs?: () => bigint;
  /** Default OVERSIZE_BYTES. */
  readonly oversizeBytes?: number;
  /** Whether a path, canonical and relative to the root, may be written. Default: what its name says. */
  readonly writeVerdict?: (path: string) => WriteVerdict;
  /** Default MAX_WRITE_BYTES. */
  readonly maxBytes?: number;
}

/** With every default. */
type CompleteContext = Required<Omit<RecordContext, "approved">> & Pick<RecordContext, "approved">;

/** More than this is not written unless it was confirmed: a runaway pipeline stops here, and a diff is still readable. */
const OVERSIZE_BYTES = 1 << 20;
/** More than this is never written: `yes | tee f` ends here even where it was confirmed. */
const MAX_WRITE_BYTES = 1 << 30;

/**
 * A recorder for one call in `workspace`. A call that writes first finishes what a killed process left half done, if one did;
 * one that only reads changes nothing. Creates nothing before the first commit.
 */
export function createRecorder(workspace: Workspace, given: RecordContext): Recorder {
  const ordinary = new WritePolicy(ORDINARY_WRITES);
  const context = {
    nowNs: systemNowNs,
    oversizeBytes: OVERSIZE_BYTES,
    maxBytes: MAX_WRITE_BYTES,
    writeVerdict: (path: string) => ordinary.verdict(path),
    oversizeNeeds: "agent" as const,
    approved: undefined,
    commit: commitToDisk,
    expandedLine: given.line,
    ...given,
  };
  return {
    begin(targets, mode, currentDirectory) {
      if (context.commit === commitToDisk) recoverWrites(workspace.writer(), context.nowNs);
      const writer = workspace.at(currentDirectory).writer();
      const found = new Map<string, CommitTarget>();
      for (const typed of targets) {
        if (typed === NULL_DEVICE) continue;
        const target = checkedTarget(writer, typed, context);
        if (!found.has(target.canonical)) found.set(target.canonical, target);
      }
      for (const { canonical, typed } of found.values()) checkGitDirectory(writer, canonical, typed, [...found.keys()]);
      return new Transaction(writer, context, mode, [...found.values()]);
    },
  };
}

/** Writes the spooled bytes to every target, or to none. */
function commitToDisk(
  writer: WorkspaceWriter,
  mode: WriteMode,
  targets: readonly CommitTarget[],
  content: Spool,
  context: CompleteContext,
): readonly WriteReceipt[] {
  return commitWrite(writer, context, mode, targets, content);
}

/** Its clock counts milliseconds here. */
export const systemNowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

function checkedTarget(writer: WorkspaceWriter, typed: string, { writeVerdict, approved }: CompleteContext): CommitTarget {
  const target = writer.target(typed);
  // A link that hides the name of a protected directory does not hide what was typed.
  const canonical = writeVerdict(target.canonical);
  const verdict = canonical === "ordinary" ? writeVerdict(typed) : canonical;
  if (verdict !== "ordinary" && verdict !== "pre-approved") {
    throw new FileError(verdict === "approval" ? "NEEDS_APPROVAL" : "PROTECTED_PATH", typed, WRITE_REFUSALS[verdict]);
  }
  findMirror(writer, target.canonical);
  const agreed = approved?.get(target.canonical);
  const permittedBy = agreed !== undefined ? "human" : verdict === "pre-approved" ? "configuration" : null;
  return { ...target, typed, permittedBy, ...(agreed === undefined ? {} : { agreed }) };
}

class Transaction implements WriteTransaction {
  readonly #writer: WorkspaceWriter;
  readonly #context: CompleteContext;
  readonly #mode: WriteMode;
  readonly #targets: readonly CommitTarget[];
  readonly #spool: Spool;
  /** Set once there is more to write than needs no word. */
  #refusal: FileError | "none" | undefined;
  #open = true;

  constructor(writer: WorkspaceWriter, context: CompleteContext, mode: WriteMode, targets: readonly CommitTarget[]) {
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
    const { oversizeBytes, maxBytes } = this.#context;
    const seen = this.#spool.size + bytes.length;
    if (seen > oversizeBytes && this.#refusal === undefined) this.#refusal = this.#oversizeRefusal(first.typed, seen);
    const refusal = seen > maxBytes ? new OversizeWrite(first.typed, maxBytes, seen, false) : this.#refusal;
    if (refusal !== undefined && refusal !== "none") {
      this.abort();
      throw refusal;
    }
    this.#spool.add(bytes);
  }

  commit(): readonly WriteReceipt[] {
    this.#requireOpen();
    try {
      if (this.#targets.length === 0) return [];
      this.#checkApproved();
      return this.#context.commit(this.#writer, this.#mode, this.#targets, this.#spool, this.#context);
    } finally {
      this.abort();
    }
  }

  /** Why as much as this may not be written; "none" where it may. Asked once, when there is more than needs no word. */
  #oversizeRefusal(typed: string, seen: number): FileError | "none" {
    const { confirmOversize, oversizeNeeds, oversizeBytes, approved, commit } = this.#context;
    if (commit !== commitToDisk || this.#targets.every(({ canonical }) => approved?.has(canonical) === true)) return "none";
    if (oversizeNeeds === "agent" && !confirmOversize) return new OversizeWrite(typed, oversizeBytes, seen, true);
    const isOwn = this.#targets.every((target) => target.status === undefined || holdsOurBytes(this.#writer, target.canonical));
    if (oversizeNeeds === "agent" && isOwn) return "none";
    const why = isOwn
      ? "the configuration of this server wants a human's word for it"
      : "it would replace what somebody else wrote, so a human must approve it";
    return new FileError("NEEDS_APPROVAL", typed, `More than ${byteAmount(oversizeBytes)} to write: ${why}`);
  }

  /** What is written is what was agreed to, and nothing else: a line that was shown to write nothing writes nothing. */
  #checkApproved(): void {
    const { approved } = this.#context;
    if (approved === undefined) return;
    for (const { canonical, typed } of this.#targets) {
      if (approved.get(canonical)?.content === this.#spool.digest().sha256) continue;
      throw new FileError("CONFLICT", typed, NOT_APPROVED);
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
