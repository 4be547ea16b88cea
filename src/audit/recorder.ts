/** Recorder: checks, records and commits a builtin's writes. A builtin has no other way to change a file. */
import type { AgreedWrites, Recorder, WriteMode, WriteReceipt, WriteTransaction } from "../builtin/recorder.ts";
import { FileError } from "../workspace/file-error.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";
import type { CallReads } from "../workspace/read/call-reads.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { Caller } from "./caller.ts";
import { Change, NOT_APPROVED, type CommitTarget } from "./change.ts";
import { commitChanges, commitWrite, type CallMark } from "./commit.ts";
import { Comparisons } from "./comparisons.ts";
import type { EditTarget } from "./desired-entry.ts";
import { EditChange } from "./edit-change.ts";
import { Edits } from "./edit-transaction.ts";
import { byteAmount } from "../numbers/byte-amount.ts";
import { checkGitDirectory } from "./git-directory.ts";
import { holdsOurBytes } from "./own-bytes.ts";
import { bytesTaken, OversizeWrite } from "./oversize-write.ts";
import { ORDINARY_WRITES, WRITE_REFUSALS, WritePolicy, type WriteVerdict } from "./write-policy.ts";
import { findMirror } from "./record-paths.ts";
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import { recoverWrites } from "./record-store.ts";
import { Spool } from "./spool.ts";

/** Facts of a call that are kept with its records (session, client, command line), and its limits and permissions for writing. */
export interface RecordContext {
  readonly session: string;
  readonly client: string;
  readonly caller?: Caller | undefined;
  /** The whole command line. */
  readonly line: string;
  /** The line with its named pipelines written out. Default: `line`. */
  readonly expandedLine?: string;
  /** True if the caller allows a write larger than `oversizeBytes`. */
  readonly confirmOversize: boolean;
  /**
   * Authority that an oversize write needs. Default "agent": the caller itself, unless it would replace somebody else's
   * bytes; "human": a human, through `approved` alone.
   */
  readonly oversizeNeeds?: "agent" | "human";
  /** Writes that a human has agreed to; where given, no others are made. */
  readonly approved?: AgreedWrites | undefined;
  /** Mark of this call, shared with whatever else writes in it. Default: each write is a call of its own. */
  readonly call?: CallMark;
  /** Called instead of writing to disk; a preview's. */
  readonly commit?: typeof commitToDisk;
  /** Given with `commit`: called instead of making the changes of an edit. */
  readonly commitEdits?: (writer: WorkspaceWriter, targets: readonly EditTarget[]) => readonly WriteReceipt[];
  /** Nanoseconds since the epoch, from which record ids are made. Default: the host's clock. */
  readonly nowNs?: () => bigint;
  /** Default OVERSIZE_BYTES. */
  readonly oversizeBytes?: number;
  /** Verdict on writing to a path, canonical and relative to the root. Default: by the path's name alone. */
  readonly writeVerdict?: (path: string) => WriteVerdict;
  /** Default MAX_WRITE_BYTES. */
  readonly maxBytes?: number;
  /** Room for changes and their records in a tree of bounded size. Default: it is not bounded. */
  readonly room?: { left(): number; take(bytes: number): void } | undefined;
  /** See EditRules. */
  readonly expected?: ((canonical: string) => string | null) | undefined;
  /** See RunRequest.goneLockOwner. */
  readonly goneLockOwner?: LockOwner | undefined;
  /** Files that the call has read: one that has changed since is not removed. Default: they are not noted. */
  readonly reads?: CallReads | undefined;
}

type Optional = "approved" | "call" | "caller" | "commitEdits" | "expected" | "goneLockOwner" | "reads" | "room";

/** RecordContext with every default filled in. */
type CompleteContext = Required<Omit<RecordContext, Optional>> &
  Pick<RecordContext, Optional> & {
    /** True if the file's content may not be read, nor shown in a receipt. */
    readonly isHidden: (path: string) => boolean;
  };

/** Largest write without confirmation, in bytes: it stops a runaway pipeline, and a diff of that size is still readable. */
const OVERSIZE_BYTES = 1 << 20;
/** Largest write at all, in bytes: `yes | tee f` ends here even where it was confirmed. */
const MAX_WRITE_BYTES = 1 << 30;

/**
 * A recorder for one call in `workspace`. A call that writes first finishes the transaction that a killed process left
 * open, if any; one that only reads changes nothing. Creates nothing before the first commit.
 */
export function createRecorder(workspace: Workspace, given: RecordContext): Recorder {
  const context = {
    nowNs: systemNowNs,
    oversizeBytes: OVERSIZE_BYTES,
    maxBytes: MAX_WRITE_BYTES,
    writeVerdict: (path: string) => new WritePolicy(ORDINARY_WRITES).verdict(path),
    oversizeNeeds: "agent" as const,
    approved: undefined,
    commit: commitToDisk,
    expandedLine: given.line,
    isHidden: (path: string) => workspace.whyDenied(path) !== undefined,
    ...given,
  };
  return {
    begin(targets, mode, currentDirectory) {
      if (context.commit === commitToDisk) recoverWrites(workspace.writer(), context.nowNs, context.goneLockOwner);
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
    edit(currentDirectory) {
      if (context.commit === commitToDisk) recoverWrites(workspace.writer(), context.nowNs, context.goneLockOwner);
      return new Edits(workspace.at(currentDirectory).writer(), {
        oversizeBytes: context.oversizeBytes,
        maxBytes: context.maxBytes,
        roomBytes: context.room?.left() ?? Infinity,
        expected: context.expected,
        confirmOversize: context.confirmOversize,
        oversizeNeeds: context.oversizeNeeds,
        isPreview: context.commit !== commitToDisk,
        approved: context.approved,
        nowNs: context.nowNs,
        reads: context.reads,
        permission: (target, typed) => permission(target.canonical, typed, context),
        commit(writer, targets, directories, made) {
          if (context.commitEdits !== undefined) return context.commitEdits(writer, targets);
          const comparisons = new Comparisons();
          const changes = targets.map((target) => {
            const { desired } = target;
            return desired.kind === "file" && desired.appends === true
              ? new Change(writer, "append", target, desired.content)
              : new EditChange(writer, target, comparisons);
          });
          const receipts = commitChanges(writer, context, changes, directories, made);
          for (const { bytes } of receipts) context.room?.take(bytesTaken(bytes));
          return withoutHidden(receipts, context);
        },
      });
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

/** The receipts, without the bytes of files that may not be read. */
const withoutHidden = (receipts: readonly WriteReceipt[], { isHidden }: CompleteContext): readonly WriteReceipt[] =>
  receipts.map((receipt) => (isHidden(receipt.path) ? { ...receipt, change: undefined } : receipt));

/** The host's time in nanoseconds since the epoch, at a resolution of a millisecond. */
export const systemNowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

function checkedTarget(writer: WorkspaceWriter, typed: string, context: CompleteContext): CommitTarget {
  const target = writer.target(typed);
  const permittedBy = permission(target.canonical, typed, context);
  findMirror(writer, target.canonical);
  const agreed = context.approved?.get(target.canonical);
  return { ...target, typed, permittedBy: agreed === undefined ? permittedBy : "human", ...(agreed === undefined ? {} : { agreed }) };
}

/** Permission to write to `path`, null where none is needed. Throws FileError where there is none. */
function permission(path: string, typed: string, { writeVerdict }: CompleteContext): "configuration" | null {
  // The typed path is judged too: a symbolic link may hide a protected directory's name from the canonical one.
  const canonical = writeVerdict(path);
  const verdict = canonical === "ordinary" ? writeVerdict(typed) : canonical;
  if (verdict !== "ordinary" && verdict !== "pre-approved") {
    throw new FileError(verdict === "approval" ? "NEEDS_APPROVAL" : "PROTECTED_PATH", typed, WRITE_REFUSALS[verdict]);
  }
  return verdict === "pre-approved" ? "configuration" : null;
}

class Transaction implements WriteTransaction {
  readonly #writer: WorkspaceWriter;
  readonly #context: CompleteContext;
  readonly #mode: WriteMode;
  readonly #targets: readonly CommitTarget[];
  readonly #spool: Spool;
  readonly #roomBytes: number;
  /** Answer of `#oversizeRefusal`, set once more than `oversizeBytes` were given to write. */
  #refusal: FileError | "none" | undefined;
  #open = true;

  constructor(writer: WorkspaceWriter, context: CompleteContext, mode: WriteMode, targets: readonly CommitTarget[]) {
    this.#writer = writer;
    this.#context = context;
    this.#mode = mode;
    this.#targets = targets;
    this.#spool = new Spool(writer);
    this.#roomBytes = context.room?.left() ?? Infinity;
  }

  write(bytes: Uint8Array): void {
    this.#requireOpen();
    const first = this.#targets[0];
    if (first === undefined) return;
    const seen = this.#spool.size + bytes.length;
    const refusal = this.#refusalOf(first.typed, seen);
    if (refusal !== "none") {
      this.abort();
      throw refusal;
    }
    this.#spool.add(bytes);
  }

  #refusalOf(typed: string, seen: number): FileError | "none" {
    const { oversizeBytes, maxBytes } = this.#context;
    if (seen > oversizeBytes) this.#refusal ??= this.#oversizeRefusal(typed, seen);
    if (bytesTaken(seen) * this.#targets.length > this.#roomBytes) return new FileError("ENOSPC", typed);
    return seen > maxBytes ? new OversizeWrite(typed, maxBytes, seen, false) : (this.#refusal ?? "none");
  }

  commit(): readonly WriteReceipt[] {
    this.#requireOpen();
    try {
      if (this.#targets.length === 0) return [];
      this.#checkApproved();
      const receipts = this.#context.commit(this.#writer, this.#mode, this.#targets, this.#spool, this.#context);
      this.#context.room?.take(bytesTaken(this.#spool.size) * this.#targets.length);
      return withoutHidden(receipts, this.#context);
    } finally {
      this.abort();
    }
  }

  /** Error that refuses an oversize write, or "none" where it is allowed. Called once, when `oversizeBytes` are exceeded. */
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

  /**
   * Throws CONFLICT unless the content for every target is what was agreed to: a line that was shown to write nothing
   * writes nothing.
   */
  #checkApproved(): void {
    const { approved } = this.#context;
    if (approved === undefined) return;
    for (const { canonical, typed } of this.#targets) {
      if (approved.get(canonical)?.content === this.#spool.digest.sha256) continue;
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
