/** A write that turned out not to be allowed when the line was already running: a violation like the guard's own. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { Violation, ViolationReason } from "../guard/violation.ts";
import type { FileError, FileErrorCode } from "../workspace/file-error.ts";

/** The codes of FileError that are reasons of a violation. */
const REASONS: Partial<Record<FileErrorCode, ViolationReason>> = {
  PATH_ESCAPE: "PATH_ESCAPE",
  SYMLINK_ESCAPE: "SYMLINK_ESCAPE",
  PROTECTED_PATH: "PROTECTED_PATH",
  READ_ONLY: "READ_ONLY",
  OVERSIZE_WRITE: "OVERSIZE_WRITE",
  AUDIT_UNAVAILABLE: "AUDIT_UNAVAILABLE",
  CONFLICT: "CONFLICT",
};

/**
 * The violation for an error that a writing stage let through, or undefined where it is none: then it is a fault of
 * ours. `receipts` are of the stages before it, whose writes stand.
 */
export function writeRefusal(error: FileError, receipts: readonly WriteReceipt[]): Violation | undefined {
  const reason = REASONS[error.code];
  if (reason === undefined) return undefined;
  const written = receipts.map(({ path, recordId }) => `'${path}' (record ${recordId})`).join(", ");
  const before = written === "" ? "" : ` Written before that, and kept: ${written}.`;
  return { code: "GUARD_VIOLATION", reason, detail: `'${error.path}': ${error.message}.${before}`, suggestion: undefined, position: undefined };
}
