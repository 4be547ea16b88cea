/**
 * The risk assessment of a command line, made without running any of it: its permission, its severity, and the files it would
 * read and write. `explain`, `dry_run` and `shelpa-mcp check` give this; assess.ts makes it. Field names go over the wire and must
 * not change. Types only.
 */
import type { Severity } from "../config/severity.ts";
import type { BlastRadiusScope, RuleGroup, RuleId } from "./rule-catalogue.ts";

export interface Assessment {
  /** True if a run of the line now would pass the guard, with nobody asked. */
  readonly allowed: boolean;
  /**
   * It is allowed, and each command of it is one that runs here. Otherwise a part fails at its turn as it would in bash
   * (`ls && npm test`), or is known only when it starts.
   */
  readonly every_part_runs: boolean;
  readonly risk_level: RiskLevel;
  /** The highest of the rules that matched; null where none did. */
  readonly severity: Severity | null;
  readonly matched_rules: readonly MatchedRule[];
  /** Lines that the guard accepts. */
  readonly alternatives: readonly Alternative[];
  /** The place it would run in, whatever the line is. */
  readonly context: AssessedPlace;
  /** It is not allowed, and a human's word is all that is missing. */
  readonly requires_human_approval: boolean;
  /** Reason for the denial, beginning with the reason's code word; null where the line is allowed. */
  readonly denial_reason: string | null;
  /** The widest of the rules that matched; RESOURCE where none did. */
  readonly blast_radius_scope: BlastRadiusScope;
  readonly blast_radius_detail: string;
  /** Every command of the line, also in branches that may not be reached. None where it does not parse. */
  readonly stages: readonly StageAssessment[];
}

export type RiskLevel = "Normal" | "Elevated" | "Critical";

export interface MatchedRule {
  readonly id: RuleId;
  readonly description: string;
  readonly severity: Severity;
  readonly group: RuleGroup;
  readonly blast_radius_scope: BlastRadiusScope;
  readonly blast_radius_detail: string;
}

export interface Alternative {
  readonly command: string;
  /** Effect of the command, as a clause. */
  readonly explanation: string;
  /** What it lacks of the line, as a clause; null where it is the line in other words. */
  readonly lost: string | null;
  /** The rule that proposes it. */
  readonly source: RuleId;
}

export interface AssessedPlace {
  readonly risk_level: RiskLevel;
  /** `profile=standard`, `branch=main`, `cwd=src`, `read-only`. */
  readonly labels: readonly string[];
}

/** Paths are relative to the root, expanded as they would be now; the root is ".". */
export interface StageAssessment {
  /** Its own text. */
  readonly command: string;
  /** The builtin that runs it, "shell" for the work of the shell itself; null where nothing here runs it. */
  readonly builtin: string | null;
  /** Files that are read, and directories that are gone through. */
  readonly reads: readonly string[];
  /** Files and directories that are listed or asked about. */
  readonly lists: readonly string[];
  readonly writes: readonly { readonly path: string; readonly change: "create" | "append" | "replace" | "remove" | "attributes" }[];
  /** Files of the session's scratch that are written. */
  readonly scratch: readonly string[];
  /** Words that name files only when the stage starts. */
  readonly unknown: readonly string[];
  /** It writes files besides `writes`, whose names data will bring. */
  readonly writes_unknown: boolean;
}
