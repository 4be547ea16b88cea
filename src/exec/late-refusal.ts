/** Violations found while the line was already running: a stage whose expanded words the rules refuse, a write that is not allowed. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import { quoteAlways } from "../display/quote.ts";
import type { WriteRefused } from "../builtin/write-refused.ts";
import type { Violation, ViolationReason } from "../guard/violation.ts";
import type { FileErrorCode } from "../workspace/file-error.ts";

/** Thrown through the pipeline, so that the whole line ends as a violation. */
export class StageRefused extends Error {
  override readonly name = "StageRefused";
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(violation.detail);
    this.violation = violation;
  }
}

/** `receipts` are of the stages before it, whose writes stand. */
export function writeRefusal({ error }: WriteRefused, receipts: readonly WriteReceipt[]): Violation {
  return {
    code: "GUARD_VIOLATION",
    reason: REASONS[error.code] ?? "NOT_REGULAR_FILE",
    detail: `'${error.path}': ${error.message}.${writtenBefore(receipts)}`,
    suggestion: undefined,
    position: undefined,
  };
}

/** The guard's own violation of a stage that was about to start, with the writes of the stages before it. */
export function startingRefusal({ violation }: StageRefused, receipts: readonly WriteReceipt[]): Violation {
  return withWrites(violation, receipts);
}

/** `violation` with the writes that the line had made before it, as a sentence. */
export const withWrites = (violation: Violation, receipts: readonly WriteReceipt[]): Violation => ({
  ...violation,
  detail: violation.detail + writtenBefore(receipts),
});

function writtenBefore(receipts: readonly WriteReceipt[]): string {
  const written = receipts.map(({ path, recordId }) => `${quoteAlways(path)} (record ${recordId})`).join(", ");
  return written === "" ? "" : ` Written before that, and kept: ${written}.`;
}

/** The reasons of a violation that FileErrors have by the same name. */
const REASONS: Partial<Record<FileErrorCode, ViolationReason>> = {
  PATH_ESCAPE: "PATH_ESCAPE",
  SYMLINK_ESCAPE: "SYMLINK_ESCAPE",
  PROTECTED_PATH: "PROTECTED_PATH",
  NEEDS_APPROVAL: "NEEDS_APPROVAL",
  READ_ONLY: "READ_ONLY",
  OVERSIZE_WRITE: "OVERSIZE_WRITE",
  AUDIT_UNAVAILABLE: "AUDIT_UNAVAILABLE",
  CONFLICT: "CONFLICT",
};
