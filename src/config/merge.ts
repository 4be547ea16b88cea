/** Merge of a configuration file into a policy: any setting may change; a file inside the root may only tighten it. */
import { isAbsolute } from "node:path";
import { ConfigurationError } from "./configuration-error.ts";
import { alsoRead, mountAt } from "./mounts.ts";
import type { Configuration } from "./schema.ts";
import type { NamedPipeline, Policy, PolicyLimits, PolicyMount } from "./policy.ts";
import { REDACTION_LEVELS } from "./policy.ts";
import { placeholdersOf } from "./placeholders.ts";
import { everySeverity, isAtLeast, SEVERITIES, SEVERITY_ACTIONS, type SeverityPolicy } from "./severity.ts";

/** `policy` with the settings of `file`. */
export function merged(policy: Policy, file: Configuration): Policy {
  return {
    profile: policy.profile,
    readOnly: file.read_only ?? policy.readOnly,
    strict: file.strict ?? policy.strict,
    redirects: file.redirects ?? policy.redirects,
    split: file.split ?? policy.split,
    limits: { ...policy.limits, ...limitsOf(file) },
    commands: { only: file.commands?.only ?? policy.commands.only, deny: file.commands?.deny ?? policy.commands.deny },
    paths: {
      ...policy.paths,
      denyRead: file.paths?.deny_read ?? policy.paths.denyRead,
      denyWrite: file.paths?.deny_write ?? policy.paths.denyWrite,
    },
    mounts: mountsOf(file) ?? policy.mounts,
    approval: {
      protectedPaths: file.approval?.protected_paths ?? policy.approval.protectedPaths,
      preApproved: file.approval?.pre_approved ?? policy.approval.preApproved,
      challenge: file.approval?.challenge ?? policy.approval.challenge,
      oversizeBytes: file.approval?.oversize ?? policy.approval.oversizeBytes,
      confirmOversize: file.approval?.confirm_oversize ?? policy.approval.confirmOversize,
      severity: severityOf(policy.approval.severity, file.approval),
    },
    redaction: { level: file.redaction?.level ?? policy.redaction.level, patterns: file.redaction?.patterns ?? policy.redaction.patterns },
    audit: { calls: file.audit?.calls ?? policy.audit.calls },
    answers: { structured: file.answers?.structured ?? policy.answers.structured },
    pipelines: { ...policy.pipelines, ...pipelinesOf(file) },
  };
}

/**
 * `policy` made tighter by a file that stands inside the root, where an agent or the repository's author may
 * have put it. Throws ConfigurationError for anything that would loosen it.
 */
export function tightened(policy: Policy, file: Configuration): Policy {
  const loosens = (key: string): never => {
    throw new ConfigurationError(`'${key}' would loosen the policy, and a file inside the root can only tighten it`);
  };
  if (file.profile !== undefined) loosens("profile");
  if (file.pipelines !== undefined) loosens("pipelines");
  if (file.audit !== undefined) loosens("audit");
  if (file.mounts !== undefined) loosens("mounts");
  if (file.also_read !== undefined) loosens("also_read");
  for (const key of ["answers", "split"] as const)
    if (file[key] !== undefined) throw new ConfigurationError(`'${key}' is no restriction, and a file inside the root has only those`);
  if (file.redaction?.patterns !== undefined) loosens("redaction.patterns");
  if (file.read_only === false && policy.readOnly) loosens("read_only");
  if (file.strict === false && policy.strict) loosens("strict");
  if (file.redirects === "record" && policy.redirects === "refuse") loosens("redirects");
  const limits = limitsOf(file);
  for (const [key, value] of Object.entries(limits))
    if (value > policy.limits[key as keyof PolicyLimits]) loosens(`limits.${FILE_KEYS[key] ?? key}`);
  const { only } = policy.commands;
  const wanted = file.commands?.only;
  if (wanted !== undefined && only !== undefined) for (const name of wanted) if (!only.includes(name)) loosens(`commands.only: ${name}`);
  for (const [key, rules] of Object.entries(file.paths ?? {})) {
    for (const rule of rules ?? []) if (rule.startsWith("!")) loosens(`paths.${key}: ${rule}`);
  }
  const approval = file.approval ?? {};
  if (approval.pre_approved !== undefined) loosens("approval.pre_approved");
  if (approval.protected_paths === "ask" && policy.approval.protectedPaths === "deny") loosens("approval.protected_paths");
  if (approval.challenge === false && policy.approval.challenge) loosens("approval.challenge");
  if ((approval.oversize ?? 0) > policy.approval.oversizeBytes) loosens("approval.oversize");
  if (approval.confirm_oversize === "agent" && policy.approval.confirmOversize === "human") loosens("approval.confirm_oversize");
  const severity = severityOf(policy.approval.severity, approval);
  if (approval.auto_deny_severity !== undefined && policy.approval.severity.autoDeny !== undefined) {
    if (!isAtLeast(policy.approval.severity.autoDeny, approval.auto_deny_severity)) loosens("approval.auto_deny_severity");
  }
  for (const name of SEVERITIES) {
    const [before, after] = [policy.approval.severity.actions[name], severity.actions[name]];
    if (SEVERITY_ACTIONS.indexOf(after) < SEVERITY_ACTIONS.indexOf(before)) loosens(`approval.require_human_approval: ${name}`);
  }
  const level = file.redaction?.level;
  if (level !== undefined && REDACTION_LEVELS.indexOf(level) < REDACTION_LEVELS.indexOf(policy.redaction.level)) loosens("redaction.level");
  const tight = merged(policy, file);
  return {
    ...tight,
    commands: { only: wanted ?? only, deny: [...policy.commands.deny, ...(file.commands?.deny ?? [])] },
    paths: {
      ...policy.paths,
      denyRead: [...policy.paths.denyRead, ...(file.paths?.deny_read ?? [])],
      denyWrite: [...policy.paths.denyWrite, ...(file.paths?.deny_write ?? [])],
    },
  };
}

/** `before` with a file's settings: a severity that the file leaves out stays as it is. */
function severityOf(before: SeverityPolicy, approval: Configuration["approval"]): SeverityPolicy {
  const { auto_deny_severity: autoDeny = before.autoDeny, require_human_approval: given } = approval ?? {};
  if (given === undefined) return { autoDeny, actions: before.actions };
  if (typeof given === "boolean") return { autoDeny, actions: everySeverity(given ? "ask" : "allow") };
  const actions = { ...before.actions };
  for (const name of SEVERITIES) actions[name] = given[name] ?? actions[name];
  return { autoDeny, actions };
}

function limitsOf({ limits = {} }: Configuration): Partial<PolicyLimits> {
  const { time_seconds, output, line, held, memory, scratch, concurrent_calls, queued_calls } = limits;
  return {
    ...(time_seconds === undefined ? {} : { timeMs: time_seconds * 1000 }),
    ...(output === undefined ? {} : { outputBytes: output }),
    ...(line === undefined ? {} : { lineBytes: line }),
    ...(held === undefined ? {} : { heldBytes: held }),
    ...(memory === undefined ? {} : { residentBytes: memory }),
    ...(scratch === undefined ? {} : { scratchBytes: scratch }),
    ...(concurrent_calls === undefined ? {} : { concurrentCalls: concurrent_calls }),
    ...(queued_calls === undefined ? {} : { queuedCalls: queued_calls }),
  };
}

/** The mounts of a configuration; undefined where it has none. Throws ConfigurationError. */
export function mountsOf({ mounts, also_read: read }: Configuration): readonly PolicyMount[] | undefined {
  if (mounts === undefined && read === undefined) return undefined;
  const places = [...Object.values(mounts ?? {}), ...(read ?? [])];
  const relative = places.find((place) => !isAbsolute(place));
  if (relative !== undefined) throw new ConfigurationError(`mounts: '${relative}' is no absolute path`);
  return [
    ...Object.entries(mounts ?? {}).map(([name, place]) => mountAt(name, place, "/")),
    ...(read ?? []).map((each) => alsoRead(each, "/")),
  ];
}

/** Names of the limits in the file. */
const FILE_KEYS: Readonly<Record<string, string>> = {
  timeMs: "time_seconds",
  outputBytes: "output",
  lineBytes: "line",
  heldBytes: "held",
  residentBytes: "memory",
  scratchBytes: "scratch",
  concurrentCalls: "concurrent_calls",
  queuedCalls: "queued_calls",
};

function pipelinesOf({ pipelines = {} }: Configuration): Readonly<Record<string, NamedPipeline>> {
  return Object.fromEntries(
    Object.entries(pipelines).map(([name, { command, description = "", arguments: described = {} }]) => {
      const keys = placeholdersOf(command);
      for (const key of Object.keys(described)) {
        if (!keys.includes(key)) throw new ConfigurationError(`pipelines.${name}: its command has no \${${key}}`);
      }
      return [name, { command, description, arguments: Object.fromEntries(keys.map((key) => [key, described[key] ?? ""])) }];
    }),
  );
}
