/** Severity of the harm that a rule is about, and the configuration's action for lines of each severity. Plain data. */

/** Mildest first. */
export const SEVERITIES = ["Info", "Low", "Medium", "High", "Critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Mildest first: a file inside the root may only make an action stricter. */
export const SEVERITY_ACTIONS = ["allow", "ask", "deny"] as const;
/** "ask": a human must agree, where the client can ask one; else it is denied. */
export type SeverityAction = (typeof SEVERITY_ACTIONS)[number];

export interface SeverityPolicy {
  /** A line of this severity or a higher one is denied; undefined: no line is. */
  readonly autoDeny: Severity | undefined;
  /** Action for the other lines, by severity. */
  readonly actions: Readonly<Record<Severity, SeverityAction>>;
}

export const everySeverity = (action: SeverityAction): SeverityPolicy["actions"] => ({
  Info: action,
  Low: action,
  Medium: action,
  High: action,
  Critical: action,
});

export const isAtLeast = (severity: Severity, other: Severity): boolean => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(other);

/** The highest of `severities`; undefined of none. */
export function highest(severities: Iterable<Severity>): Severity | undefined {
  let found: Severity | undefined;
  for (const severity of severities) if (found === undefined || isAtLeast(severity, found)) found = severity;
  return found;
}

export function severityAction({ autoDeny, actions }: SeverityPolicy, severity: Severity): SeverityAction {
  return autoDeny !== undefined && isAtLeast(severity, autoDeny) ? "deny" : actions[severity];
}

/** The mildest severity that is held up; undefined where all lines may run. */
export function mildestHeldUp(policy: SeverityPolicy): Severity | undefined {
  return SEVERITIES.find((severity) => severityAction(policy, severity) !== "allow");
}
