/** The public library API. See docs/library.md. */
export { Shell, type MemoryOptions, type ShellOptions, type CommonOptions } from "./session/shell.ts";
export { Session, type PipedRun, type RunOptions, type RunOutcome } from "./session/session.ts";
export type { LineOptions } from "./exec/runner.ts";
export type { OverlayOptions } from "./session/own-tree.ts";
export {
  defineCommand,
  type CommandCall,
  type CommandOptions,
  type CommandResult,
  type CommandRun,
  type CustomCommand,
} from "./exec/custom-command.ts";
export type { ApprovalQuestion, Approve } from "./session/approval.ts";
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
export {
  DEFAULT_POLICY,
  type ApprovalPolicy,
  type NamedPipeline,
  type Policy,
  type PolicyLimits,
  type PolicyMount,
  type Profile,
  type RedactionLevel,
  type RedirectPolicy,
} from "./config/policy.ts";
export { parsePolicy } from "./config/parse-policy.ts";
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
export type { Severity, SeverityAction, SeverityPolicy } from "./config/severity.ts";
export type { Violation, ViolationReason } from "./guard/violation.ts";
export type { WritePreview } from "./audit/preview.ts";
export type { ChangeSummary, WriteMode, WriteReceipt } from "./builtin/recorder.ts";
export type { TreeChange } from "./workspace/private/tree-changes.ts";
export { FileError, type FileErrorCode } from "./workspace/file-error.ts";
