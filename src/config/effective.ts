/** A policy as the settings that a configuration file would hold, each with the source of its value. */
import { approvalText } from "./policy-text.ts";
import type { Policy } from "./policy.ts";

export interface EffectiveSetting {
  /** Key as in the configuration file: "limits.time_seconds". */
  readonly key: string;
  readonly value: unknown;
  /** "default", "profile strict", a host path, "environment", "flag". */
  readonly source: string;
}

/** A policy as it was after one source had been read. The first is the default. */
export interface PolicyLayer {
  readonly source: string;
  readonly policy: Policy;
}

/** Each setting with its value in the last layer; its source is the last layer that changed it. */
export function effectiveSettings(layers: readonly PolicyLayer[]): readonly EffectiveSetting[] {
  const settings = new Map<string, EffectiveSetting>();
  for (const { source, policy } of layers) {
    for (const [key, value] of Object.entries(settingsOf(policy))) {
      if (JSON.stringify(settings.get(key)?.value) !== JSON.stringify(value)) settings.set(key, { key, value, source });
    }
  }
  return [...settings.values()];
}

function settingsOf({
  profile,
  readOnly,
  strict,
  redirects,
  split,
  limits,
  commands,
  paths,
  mounts,
  approval,
  redaction,
  audit,
  answers,
  pipelines,
}: Policy) {
  return {
    profile,
    read_only: readOnly,
    strict,
    redirects,
    split,
    "limits.time_seconds": limits.timeMs / 1000,
    "limits.output": limits.outputBytes,
    "limits.memory": limits.residentBytes,
    "limits.line": limits.lineBytes,
    "limits.held": limits.heldBytes,
    "limits.concurrent_calls": limits.concurrentCalls,
    "limits.queued_calls": limits.queuedCalls,
    "commands.only": commands.only ?? null,
    "commands.deny": commands.deny,
    "paths.deny_read": paths.denyRead,
    "paths.deny_write": paths.denyWrite,
    mounts: Object.fromEntries(mounts.map(({ name, directory, access }) => [name, `${directory}${access === "write" ? ":rw" : ""}`])),
    "approval.protected_paths": approval.protectedPaths,
    "approval.pre_approved": approval.preApproved,
    "approval.challenge": approval.challenge,
    "approval.oversize": approval.oversizeBytes,
    "approval.confirm_oversize": approval.confirmOversize,
    "approval.auto_deny_severity": approval.severity.autoDeny ?? null,
    "approval.require_human_approval": approvalText(approval.severity),
    "redaction.level": redaction.level,
    "redaction.patterns": redaction.patterns.map(({ name }) => name),
    "audit.calls": audit.calls,
    "answers.structured": answers.structured,
    ...Object.fromEntries(Object.entries(pipelines).map(([name, { command }]) => [`pipelines.${name}`, command])),
  };
}
