/** Refusal of a line by the guard, or another error of a call. render.ts turns it into the text and the wire shape of DESIGN §6. */
import type { Span } from "../shell/tree.ts";
import type { RuleId } from "./rule-catalogue.ts";

export interface Violation {
  readonly code: "GUARD_VIOLATION" | "LIMIT" | "FAULT" | "USAGE";
  readonly reason: ViolationReason;
  /** The rule that found it; undefined for a violation found when the line was already running, and for limits and faults. */
  readonly rule?: RuleId;
  /** The error and the reason for the rule: one or two sentences. */
  readonly detail: string;
  /** A whole command line that the guard accepts: it does all that the refused one would, or lacks what `lost` says. */
  readonly suggestion: string | undefined;
  /** What the suggested line lacks, as a clause; absent: nothing. */
  readonly lost?: string;
  readonly position: (Span & { /** Index of the stage in its pipeline. */ readonly stage: number }) | undefined;
  /** For bad arguments: text that the reference tool itself prints on standard error, and its exit status. */
  readonly native?: { readonly stderr: string; readonly exit: number };
}

export const VIOLATION_REASONS = [
  "DISALLOWED_CMD",
  "DISALLOWED_FLAG",
  "UNKNOWN_FLAG",
  "BAD_VALUE",
  "REDIRECT",
  "UNSUPPORTED_SYNTAX",
  "PARSE",
  "NAV_IN_PIPE",
  "PATH_ESCAPE",
  "SYMLINK_ESCAPE",
  "PROTECTED_PATH",
  "NOT_REGULAR_FILE",
  "READ_ONLY",
  "OVERSIZE_WRITE",
  "RUNS_A_COMMAND",
  "AUDIT_UNAVAILABLE",
  "CONFLICT",
  "BUSY",
  "ROOT_GONE",
  "LIMIT_TIME",
  "LIMIT_MEMORY",
  "LIMIT_OUTPUT",
  "NEEDS_APPROVAL",
  "SEVERITY_DENIED",
  "FAULT",
  "USAGE",
] as const;

export type ViolationReason = (typeof VIOLATION_REASONS)[number];
