/** The public library API. See the README for a runnable example. */
export { Shell, Session, type PipedRun, type RunOptions, type RunOutcome, type ShellOptions } from "./session/shell.ts";
export type {
  Completed,
  Faulted,
  Refused,
  RunProgress,
  RunReport,
  RunResult,
  StageReport,
  Stopped,
  StopReason,
} from "./exec/result.ts";
export { ConfigurationError } from "./config/configuration-error.ts";
export type { MountOption } from "./config/mounts.ts";
export { DEFAULT_RUN_LIMITS, type RunLimits } from "./config/limits.ts";
export type {
  Alternative,
  AssessedPlace,
  Assessment,
  MatchedRule,
  RiskLevel,
  StageAssessment,
} from "./guard/assessment.ts";
export type { Severity } from "./config/severity.ts";
export type { Violation, ViolationReason } from "./guard/violation.ts";
export type { WriteReceipt } from "./builtin/recorder.ts";
export { FileError, type FileErrorCode } from "./workspace/file-error.ts";
